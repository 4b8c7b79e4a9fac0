// Package sandbox runs programs apart from the network and from the rest of the
// machine. A [Box] makes a fresh folder with a job's files, an [Engine] runs the
// program there, or the job's steps one after the other, and the folder is removed.
//
// # What every engine promises
//
//   - The program sees its folder as [Folder], which is also its working
//     directory and its HOME, a /tmp of its own that is empty at each step, the
//     system's programs and libraries (read-only; those of its image, for
//     [Containers]), its own installation (read-only), and nothing else: no home, no
//     configuration, no other process, no network but a loopback of its own, on which
//     nobody else listens, and no names of hosts but localhost.
//   - It writes only to its folder and its /tmp.
//   - Its environment is PATH, HOME and LANG.
//   - When Run returns, nothing of it runs any more, whatever it started, and when
//     we are killed, it is too.
//   - It is a user without powers, who can get none: no user namespaces either.
//   - Time, output, size of a file, and processes are bounded. So is what all files
//     take, where the job says how much (Limits.Total). Memory is bounded where there
//     are control groups, else it is watched.
//
// # Files
//
// A job whose files are bounded gets its folder and its /tmp in a file system in
// memory, a volume, of that size (and a number of files in proportion), mounted in a
// namespace that only the job enters: the kernel refuses what is more, files without
// names and holes included, and all is gone with the namespace. It needs what the
// engines need, works for root and for others, and costs memory, beside what
// Limits.Memory counts. Where it would take more than half of the memory that is
// available, and for [Containers], the folder lies on the disk and is watched: sizes
// are summed up while the program runs, and it is stopped when they are too large.
// Between two looks it can write what the disk takes, and a folder that its owner
// locks is not seen into by another user. A job whose files are not bounded lies on
// the disk unwatched: only each file has a limit.
//
// # Memory
//
// Address space is no measure: the runtimes that matter reserve much more than
// they use. So what the processes of a job hold (anonymous and shared pages, and
// files without a name, from /proc) is summed up many times a second, and a job that
// holds more than its limit is stopped. Between two looks a program can hold more;
// for that case it is the first the kernel ends when the machine runs out. Pages
// shared after a fork count once for each process. System V's shared memory is bounded
// apart, by the kernel, for root and in a volume. Not seen is what only the kernel
// holds: buffers of pipes and sockets, and files on their way through a socket.
//
// Where we may make control groups (version 2; root nearly always, others where
// systemd delegates them), each run of a program has one, as far as there are
// controllers for it: memory.max is the memory and the files it may have, with what
// the kernel needs beside them, and pids.max its processes; times of processors are
// the kernel's own.
//
// # What is shared
//
// The folder as it is after shared steps is copied to a shelf of the box, under the
// digest of all that made it, and copied from there for each job that begins the
// same: times to the nanosecond, links as they are. A job is charged the time those
// steps took, whoever ran them, so that it comes to the same in either way. A folder
// that cannot be copied faithfully (pipes, too many files, paths too long) is made by
// each job for itself. The box keeps a few, and removes them when it is closed.
//
// # What is not bounded
//
// How fast the disk is read and written, and how much of the processors is used as
// long as the time is not over.
package sandbox
