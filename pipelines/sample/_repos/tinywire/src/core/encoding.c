/*
 * Numbers of variable length, seven bits per byte, lowest first; and consistent
 * overhead byte stuffing: a text without zero bytes, at most one byte in 254
 * longer. Each block of it starts with the distance to the next zero:
 *
 *     11 22 00 33  →  03 11 22 02 33
 */

#include "core.h"

#define LONGEST_BLOCK 0xff

/** Length of the run without a zero at the start of the bytes, 254 at most. */
static size_t run_length(const uint8_t *p, size_t size)
{
    size_t n = 0;

    while (n < size && n < LONGEST_BLOCK - 1 && p[n] != 0)
        n++;
    return n;
}

/** Writes the stuffed bytes and the zero that ends them. */
enum tw_result tw_stuff(struct tw_span raw, struct tw_writer *out)
{
    static const uint8_t end = 0;

    for (;;) {
        size_t run = run_length(raw.data, raw.size);
        uint8_t code = (uint8_t)(run + 1);

        TW_TRY(tw_append(out, &code, 1));
        TW_TRY(tw_append(out, raw.data, run));
        tw_span_cut(&raw, run);
        if (raw.size == 0)
            break;
        if (code != LONGEST_BLOCK)
            tw_span_cut(&raw, 1);
    }
    return tw_append(out, &end, 1);
}

/** Undoes tw_stuff for one whole text; the zero at its end may be missing. */
enum tw_result tw_unstuff(struct tw_span stuffed, struct tw_writer *out)
{
    static const uint8_t zero = 0;

    if (stuffed.size > 0 && stuffed.data[stuffed.size - 1] == 0)
        stuffed.size--;
    while (stuffed.size > 0) {
        uint8_t code = stuffed.data[0];
        size_t run = (size_t)code - 1;

        if (code == 0 || stuffed.size < code)
            return TW_MALFORMED;
        if (run_length(stuffed.data + 1, run) != run)
            return TW_MALFORMED;
        TW_TRY(tw_append(out, stuffed.data + 1, run));
        tw_span_cut(&stuffed, code);
        if (stuffed.size > 0 && code != LONGEST_BLOCK)
            TW_TRY(tw_append(out, &zero, 1));
    }
    return TW_OK;
}

enum tw_result tw_append_varint(struct tw_writer *out, uint64_t value)
{
    uint8_t bytes[10];
    size_t size = 0;

    while (value >= 0x80) {
        bytes[size++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    bytes[size++] = (uint8_t)value;
    return tw_append(out, bytes, size);
}

/** A number longer than needed is malformed: every number has one form only. */
enum tw_result tw_take_varint(struct tw_span *rest, uint64_t *value)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < rest->size; i++) {
        uint8_t byte = rest->data[i];

        if (i == 9 && byte > 1)
            return TW_RANGE;
        sum |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte & 0x80)
            continue;
        if (byte == 0 && i > 0)
            return TW_MALFORMED;
        tw_span_cut(rest, i + 1);
        *value = sum;
        return TW_OK;
    }
    return TW_AGAIN;
}

/** 0, -1, 1, -2 become 0, 1, 2, 3: small numbers stay short whatever their sign. */
uint64_t tw_fold_sign(int64_t value)
{
    uint64_t doubled = (uint64_t)value << 1;

    return value < 0 ? ~doubled : doubled;
}

int64_t tw_unfold_sign(uint64_t folded)
{
    uint64_t half = folded >> 1;

    if (folded & 1)
        return -(int64_t)half - 1;
    return (int64_t)half;
}
