// Package recipe holds what people write down about how a repository is built and
// tested, as data: which programs and container image it takes, and scripts. It
// makes jobs for a sandbox of that and of a snapshot, and judges what came of them.
//
// A file of recipes is YAML:
//
//	recipes:
//	  - repo: owner/name
//	    programs: [make, gcc, gcov]   # of this machine, or of an image, if one is named
//	    limits: {time: 10m}
//	    build: make
//	    test: make check
//	    coverage:
//	      format: gcov
//	      files: ["reports/*.json.gz"]
//	      build: make CFLAGS=--coverage
//	      report: ...
//
// Scripts run with /bin/sh -e in the repository's folder, without network. Nothing
// but the files of the commit is there: no history, no submodules.
package recipe
