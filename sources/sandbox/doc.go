// Package sandbox runs programs apart from the network and from the rest of the
// machine. A [Box] makes a fresh folder with a job's files, an [Engine] runs the
// program there, and the folder is removed.
//
// # What every engine promises
//
//   - The program sees its folder as [Folder], which is also its working
//     directory and its HOME, a /tmp of its own, the system's programs and
//     libraries (read-only), its own installation (read-only), and nothing else:
//     no home, no configuration, no other process, no network, not even loopback.
//   - It writes only to its folder and its /tmp.
//   - Its environment is PATH, HOME and LANG.
//   - When Run returns, nothing of it runs any more, whatever it started.
//   - Time, output, size of a file, and processes are bounded. Memory is watched.
//
// # Memory
//
// Address space is no measure: the runtimes that matter reserve much more than
// they use. Control groups would be one, but a process may make its own only
// where an administrator has delegated them. So what the processes of a job hold
// (anonymous and shared pages, from /proc) is summed up many times a second,
// and a job that holds more than its limit is stopped. Between two looks a
// program can hold more; for that case it is the first the kernel ends when the
// machine runs out. Pages shared after a fork count once for each process. Not
// seen are files without a name (memfd) that nobody maps, each bounded by the
// size of a file.
//
// # What is not bounded
//
// The number of files, and with it the disk: programs that mean harm want an
// engine with an image and a quota of its own.
package sandbox
