/* Fields written as lines: 1=42, 2=-7, 3=hello, 4=x:00ff. */

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include <tinywire/message.h>

#include "cli.h"

static int fail(const char *line, const char *why)
{
    fprintf(stderr, "tinywire: field \"%s\": %s\n", line, why);
    return -1;
}

/** Cuts blanks off both ends; the result points into the same text. */
static char *trim_in_place(char *text)
{
    size_t size;

    while (isspace((unsigned char)*text))
        text++;
    size = strlen(text);
    while (size > 0 && isspace((unsigned char)text[size - 1]))
        text[--size] = '\0';
    return text;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/** Turns pairs of hexadecimal digits into bytes; -1 when something else is there. */
static long parse_hex(const char *text, uint8_t *out, size_t room)
{
    size_t size = 0;

    for (; *text != '\0'; text += 2) {
        int high = hex_digit(text[0]);
        int low = high < 0 ? -1 : hex_digit(text[1]);

        if (low < 0 || size == room)
            return -1;
        out[size++] = (uint8_t)(high << 4 | low);
    }
    return (long)size;
}

static int looks_like_number(const char *text)
{
    if (*text == '-' || *text == '+')
        text++;
    if (*text == '\0')
        return 0;
    while (isdigit((unsigned char)*text))
        text++;
    return *text == '\0';
}

/** A minus sign makes a signed field, no sign an unsigned one. */
static enum tw_result put_number(struct tw_message *message, uint32_t tag, const char *text)
{
    errno = 0;
    if (*text == '-' || *text == '+') {
        long long value = strtoll(text, NULL, 10);
        return errno ? TW_RANGE : tw_message_put_sint(message, tag, value);
    }
    unsigned long long value = strtoull(text, NULL, 10);
    return errno ? TW_RANGE : tw_message_put_uint(message, tag, value);
}

/** Adds the field that a line describes. Empty lines and comments add nothing. */
int put_assignment(struct tw_message *message, char *line)
{
    uint8_t bytes[256];
    char *equals, *end, *value;
    unsigned long tag;
    enum tw_result result;

    line = trim_in_place(line);
    if (*line == '\0' || *line == '#')
        return 0;
    equals = strchr(line, '=');
    if (equals == NULL)
        return fail(line, "no '='");
    tag = strtoul(line, &end, 10);
    if (end != equals || tag == 0 || tag > INT32_MAX)
        return fail(line, "the tag is not a number");
    value = trim_in_place(equals + 1);
    if (looks_like_number(value)) {
        result = put_number(message, (uint32_t)tag, value);
    } else if (strncmp(value, "x:", 2) == 0) {
        long size = parse_hex(value + 2, bytes, sizeof bytes);
        if (size < 0)
            return fail(line, "bad hexadecimal digits");
        result = tw_message_put_bytes(message, (uint32_t)tag, tw_span_of(bytes, (size_t)size));
    } else {
        result = tw_message_put_text(message, (uint32_t)tag, value);
    }
    return result == TW_OK ? 0 : fail(line, tw_result_text(result));
}
