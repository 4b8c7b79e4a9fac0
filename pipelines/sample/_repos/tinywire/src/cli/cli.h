#ifndef TINYWIRE_CLI_H
#define TINYWIRE_CLI_H

#include <stdio.h>

#include <tinywire/types.h>

#include "../core/core.h"

#define INPUT_LIMIT ((size_t)1 << 20)

struct tw_message;

/** One verb of the command line. */
struct command {
    const char *name;
    const char *usage;
    int (*run)(int argc, char **argv);
};

int read_input(const char *path, struct tw_writer *into);
void print_hexdump(FILE *to, struct tw_span bytes, size_t per_line);
int put_assignment(struct tw_message *message, char *line);

int command_encode(int argc, char **argv);
int command_decode(int argc, char **argv);
int command_sum(int argc, char **argv);
int command_dump(int argc, char **argv);

#endif
