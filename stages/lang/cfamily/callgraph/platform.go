package callgraph

import "strings"

// A repository is read as a compiler for Linux would read it, as far as its names for
// systems and compilers say: tests are run there. This decides only what calls stand
// in a function, and which of several definitions is meant; functions of other
// systems are functions all the same.
const (
	platformHas   = "__linux__ __linux __gnu_linux__ linux __unix__ __unix unix __ELF__ __GNUC__ __STDC__"
	platformLacks = "_WIN32 _WIN64 WIN32 WIN64 __WIN32__ __WINDOWS__ _WINDOWS _MSC_VER __CYGWIN__ __MINGW32__ __MINGW64__ __BORLANDC__ __WATCOMC__ " +
		"_WIN32_WCE UNDER_CE __SYMBIAN32__ MSDOS __MSDOS__ __DJGPP__ OS2 __OS2__ __EMX__ __APPLE__ __MACH__ macintosh __MACOSX__ " +
		"__FreeBSD__ __FreeBSD_kernel__ __NetBSD__ __OpenBSD__ __DragonFly__ __bsdi__ __sun __sun__ __SVR4 __svr4__ __hpux __hpux__ _AIX __PASE__ " +
		"__sgi __osf__ __HAIKU__ __BEOS__ __QNX__ __QNXNTO__ __VMS VMS __MVS__ __TOS_MVS__ __OS400__ __ANDROID__ __EMSCRIPTEN__ __wasi__ " +
		"AMIGA __AMIGA__ __amigaos__ __riscos__ __NOVELL_LIBC__ __minix __GNU__ __INTERIX __native_client__ __SUNPRO_C __SUNPRO_CC __xlC__ __DECC"
)

// platform is what is known of those names.
func platform() map[string]truth {
	out := map[string]truth{}
	for t, names := range map[truth]string{yes: platformHas, no: platformLacks} {
		for _, name := range strings.Fields(names) {
			out[name] = t
		}
	}
	return out
}
