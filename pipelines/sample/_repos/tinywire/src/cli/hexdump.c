/* Bytes for people to look at. */

#include <ctype.h>

#include "cli.h"

/** Three columns per byte, and a blank more in the middle of the line. */
static void print_hex_columns(FILE *to, struct tw_span line, size_t per_line)
{
    for (size_t i = 0; i < per_line; i++) {
        if (i == per_line / 2)
            fputc(' ', to);
        if (i < line.size)
            fprintf(to, " %02x", line.data[i]);
        else
            fputs("   ", to);
    }
}

static void print_characters(FILE *to, struct tw_span line)
{
    fputs("  |", to);
    for (size_t i = 0; i < line.size; i++)
        fputc(isprint(line.data[i]) ? line.data[i] : '.', to);
    fputs("|\n", to);
}

/** True when the next line repeats this one and is not the last. */
static int repeats(struct tw_span rest, size_t per_line)
{
    if (rest.size <= 2 * per_line)
        return 0;
    return memcmp(rest.data, rest.data + per_line, per_line) == 0;
}

/** Offset, hexadecimal, characters. Lines that repeat are shown once, then as a star. */
void print_hexdump(FILE *to, struct tw_span bytes, size_t per_line)
{
    struct tw_span rest = bytes;
    int starred = 0;

    while (rest.size > 0) {
        size_t size = rest.size < per_line ? rest.size : per_line;
        size_t offset = bytes.size - rest.size;
        int again = offset > 0 && repeats(rest, per_line) &&
                    memcmp(rest.data - per_line, rest.data, per_line) == 0;
        struct tw_span line = tw_span_cut(&rest, size);

        if (again && !starred)
            fputs("*\n", to);
        starred = again;
        if (again)
            continue;
        fprintf(to, "%08zx", offset);
        print_hex_columns(to, line, per_line);
        print_characters(to, line);
    }
}
