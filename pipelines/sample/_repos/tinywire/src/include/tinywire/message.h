#ifndef TINYWIRE_MESSAGE_H
#define TINYWIRE_MESSAGE_H

#include <tinywire/types.h>

#include "frame.h"

struct tw_frame;

enum tw_type { TW_UINT = 0, TW_SINT = 1, TW_BYTES = 2, TW_TEXT = 3 };

/** A list of fields; every field is (tag << 2 | type) and a value. */
struct tw_message {
    struct tw_writer out;
    unsigned fields;
};

struct tw_field {
    uint32_t tag;
    enum tw_type type;
    uint64_t number;      /* TW_UINT, and TW_SINT before unfolding */
    struct tw_span bytes; /* TW_BYTES and TW_TEXT */
};

void tw_message_start(struct tw_message *message, uint8_t *buffer, size_t room);
enum tw_result tw_message_put_uint(struct tw_message *message, uint32_t tag, uint64_t value);
enum tw_result tw_message_put_sint(struct tw_message *message, uint32_t tag, int64_t value);
enum tw_result tw_message_put_bytes(struct tw_message *message, uint32_t tag, struct tw_span bytes);
enum tw_result tw_message_put_text(struct tw_message *message, uint32_t tag, const char *text);

enum tw_result tw_field_next(struct tw_span *rest, struct tw_field *field);
enum tw_result tw_field_find(const struct tw_frame *frame, uint32_t tag, struct tw_field *field);
enum tw_result tw_field_as_int(const struct tw_field *field, int64_t *value);
int tw_text_is_valid(struct tw_span text);

#endif
