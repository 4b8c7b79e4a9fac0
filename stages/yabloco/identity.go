package yabloco

import (
	"strings"

	"benchmill/internal/digest"
	"benchmill/schemas"
)

// identify gives functions of a repository their ids: 16 upper-case hexadecimal
// digits, the first of the digest of repository, path, qualified name and signature,
// blanks in that aside. Lines are not hashed, so that an id stays when a function
// moves within its file. Functions that are equal in all of that (the twins of #if)
// are told apart by their order. defs are in the order of their key.
func identify(repo string, defs []schemas.Definition) []string {
	type same struct{ path, qualified, signature string }
	seen := map[same]int64{}
	taken := make(map[string]bool, len(defs))
	ids := make([]string, len(defs))
	for i, d := range defs {
		key := same{d.Path, d.Qualified, oneLine(d.Signature)}
		for ids[i] == "" || taken[ids[i]] { // 64 bits of a digest collide all but never
			ids[i] = hashID("benchmill/yabloco/function/1", seen[key], repo, key.path, key.qualified, key.signature)
			seen[key]++
		}
		taken[ids[i]] = true
	}
	return ids
}

// outsideID is the id of what is called and is not defined in the repository.
func outsideID(repo string, t target) string {
	return hashID("benchmill/yabloco/callee/1", 0, repo, t.origin, t.path, t.name)
}

func hashID(domain string, ordinal int64, parts ...string) string {
	e := digest.New(domain)
	e.Int(ordinal)
	for _, p := range parts {
		e.String(p)
	}
	return strings.ToUpper(e.Sum().Hex()[:16])
}

// oneLine has one space for each run of white space, and none at the ends.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
