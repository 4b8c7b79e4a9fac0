/* tinywire: frames and checksums from the command line. */

#include <errno.h>
#include <stdlib.h>

#include <tinywire/checksum.h>

#include "cli.h"

static const struct command commands[] = {
    { "encode", "[FILE]", command_encode },
    { "decode", "[FILE]", command_decode },
    { "sum", "NAME|all [FILE]", command_sum },
    { "dump", "[FILE]", command_dump },
};

static int fail(const char *what)
{
    fprintf(stderr, "tinywire: %s: %s\n", what, strerror(errno));
    return -1;
}

/** Fills the writer from a file, or from standard input for "-". */
int read_input(const char *path, struct tw_writer *into)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    int bad;

    if (file == NULL)
        return fail(path);
    into->used = fread(into->data, 1, into->room, file);
    bad = ferror(file);
    if (!bad && into->used == into->room && fgetc(file) != EOF) {
        errno = EFBIG;
        bad = 1;
    }
    if (bad)
        fail(path);
    if (file != stdin)
        fclose(file);
    return bad ? -1 : 0;
}

static int show_usage(void)
{
    for (size_t i = 0; i < TW_COUNT(commands); i++)
        fprintf(stderr, "tinywire %s %s\n", commands[i].name, commands[i].usage);
    return 2;
}

int main(int argc, char **argv)
{
    if (tw_checksum_self_test() != 0) {
        fputs("tinywire: built with wrong checksum tables\n", stderr);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; argc > 1 && i < TW_COUNT(commands); i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 2, argv + 2);
    return show_usage();
}
