#ifndef TINYWIRE_TYPES_H
#define TINYWIRE_TYPES_H

#include <stddef.h>
#include <stdint.h>

/** Results. Everything but TW_OK and TW_AGAIN is a failure. */
enum tw_result {
    TW_OK = 0,
    TW_AGAIN,     /* nothing wrong, but more bytes are needed */
    TW_NO_ROOM,   /* the output buffer is too small */
    TW_MALFORMED, /* the bytes do not follow the format */
    TW_BAD_SUM,   /* the checksum does not match */
    TW_NOT_FOUND,
    TW_RANGE      /* a value does not fit its type */
};

/** Bytes that belong to somebody else. */
struct tw_span {
    const uint8_t *data;
    size_t size;
};

/** A buffer that is filled from the front. */
struct tw_writer {
    uint8_t *data;
    size_t used;
    size_t room;
};

/** Leaves the calling function with the result unless it is TW_OK. */
#define TW_TRY(expression)                      \
    do {                                        \
        enum tw_result tw_try_ = (expression);  \
        if (tw_try_ != TW_OK)                   \
            return tw_try_;                     \
    } while (0)

#define TW_COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *tw_result_text(enum tw_result result);

#endif
