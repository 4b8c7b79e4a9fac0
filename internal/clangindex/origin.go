package clangindex

import (
	"regexp"
	"slices"
	"strings"
)

// Origins and kinds of evidence, as rows of call graphs have them.
const (
	originDefined    = "defined"
	originDeclared   = "declared"
	originSystem     = "system"
	originExternal   = "external"
	originUnresolved = "unresolved" // C lets code call what nothing declares
)

var evidences = [...]string{"written", "macro", "operator", "indirect"} // by libclang.Evidence

// Where headers are installed, and what is cut off of their paths.
var (
	libraryHeaders = regexp.MustCompile(`^.*/include/(?:[^/]*-linux-[^/]*/)?c\+\+/(?:v?[0-9.]+/)?(?:[^/]*-linux-[^/]*/)?`)
	ownHeaders     = regexp.MustCompile(`^.*/lib(?:64)?/(?:clang|gcc|gcc/[^/]+)/[0-9.]+/include/`)
	otherHeaders   = regexp.MustCompile(`^.*/include/(?:[^/]*-linux-[^/]*/)?`)
)

// Folders and names of the headers of the C library and of the kernel, which lie
// beside those of every other library.
var (
	systemFolders = []string{
		"arpa", "asm", "asm-generic", "bits", "drm", "gnu", "linux", "misc", "mtd", "net", "netinet", "netpacket", "protocols",
		"rdma", "rpc", "scsi", "sound", "sys", "video", "xen", "mach", "os", "libkern", "machine",
	}
	systemNames = strings.Fields(`
		aio aliases alloca ar argp argz assert byteswap complex cpio crypt ctype dirent dlfcn elf endian envz err errno error
		execinfo fcntl features fenv float fmtmsg fnmatch fstab fts ftw gconv getopt glob grp gshadow iconv ifaddrs inttypes
		iso646 langinfo lastlog libgen libintl limits link locale malloc math mcheck memory mntent monetary mqueue netdb
		nl_types nss obstack paths poll printf proc_service pthread pty pwd re_comp regex regexp resolv sched search semaphore
		setjmp sgtty shadow signal spawn stab stdalign stdarg stdatomic stdbool stdc-predef stddef stdint stdio stdlib
		stdnoreturn string strings stropts syscall sysexits syslog tar termio termios tgmath thread_db threads time ttyent
		uchar ucontext ulimit unistd utime utmp utmpx values wait wchar wctype wordexp xlocale`)
)

// originOf says where a header outside of the repository belongs, and how it is
// included.
func originOf(path string) (origin, header string) {
	for _, own := range []*regexp.Regexp{libraryHeaders, ownHeaders} {
		if prefix := own.FindString(path); prefix != "" {
			return originSystem, path[len(prefix):]
		}
	}
	header = path[len(otherHeaders.FindString(path)):]
	folder, _, deep := strings.Cut(header, "/")
	if deep && slices.Contains(systemFolders, folder) ||
		!deep && slices.Contains(systemNames, strings.TrimSuffix(header, ".h")) {
		return originSystem, header
	}
	return originExternal, header
}
