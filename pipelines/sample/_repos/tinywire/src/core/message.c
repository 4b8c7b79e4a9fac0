/* Messages: tagged fields, back to back. Names of tags are the caller's business. */

#include <tinywire/message.h>

#include "core.h"

/** Largest tag: what is left of 32 bits after the type. */
#define TAG_LIMIT (UINT32_C(1) << 30)

static enum tw_result append_head(struct tw_message *message, uint32_t tag, enum tw_type type)
{
    if (tag == 0 || tag >= TAG_LIMIT)
        return TW_RANGE;
    return tw_append_varint(&message->out, (uint64_t)tag << 2 | (uint64_t)type);
}

/** Closes a field that was begun at `mark`: counted when whole, taken back when not. */
static enum tw_result settle(struct tw_message *message, size_t mark, enum tw_result result)
{
    if (result == TW_OK)
        message->fields++;
    else
        message->out.used = mark;
    return result;
}

void tw_message_start(struct tw_message *message, uint8_t *buffer, size_t room)
{
    message->out.data = buffer;
    message->out.used = 0;
    message->out.room = room;
    message->fields = 0;
}

enum tw_result tw_message_put_uint(struct tw_message *message, uint32_t tag, uint64_t value)
{
    size_t mark = message->out.used;
    enum tw_result result = append_head(message, tag, TW_UINT);

    if (result == TW_OK)
        result = tw_append_varint(&message->out, value);
    return settle(message, mark, result);
}

enum tw_result tw_message_put_sint(struct tw_message *message, uint32_t tag, int64_t value)
{
    size_t mark = message->out.used;
    enum tw_result result = append_head(message, tag, TW_SINT);

    if (result == TW_OK)
        result = tw_append_varint(&message->out, tw_fold_sign(value));
    return settle(message, mark, result);
}

static enum tw_result put_block(struct tw_message *message, uint32_t tag, enum tw_type type,
                                struct tw_span bytes)
{
    size_t mark = message->out.used;
    enum tw_result result = append_head(message, tag, type);

    if (result == TW_OK)
        result = tw_append_varint(&message->out, bytes.size);
    if (result == TW_OK)
        result = tw_append(&message->out, bytes.data, bytes.size);
    return settle(message, mark, result);
}

enum tw_result tw_message_put_bytes(struct tw_message *message, uint32_t tag, struct tw_span bytes)
{
    return put_block(message, tag, TW_BYTES, bytes);
}

/** Text is UTF-8; anything else is refused rather than sent on. */
enum tw_result tw_message_put_text(struct tw_message *message, uint32_t tag, const char *text)
{
    struct tw_span bytes = tw_span_of(text, strlen(text));

    if (!tw_text_is_valid(bytes))
        return TW_MALFORMED;
    return put_block(message, tag, TW_TEXT, bytes);
}

/** Cuts the next field off `rest`. TW_NOT_FOUND at the end of the message. */
enum tw_result tw_field_next(struct tw_span *rest, struct tw_field *field)
{
    struct tw_span in = *rest;
    uint64_t head;

    if (in.size == 0)
        return TW_NOT_FOUND;
    if (tw_take_varint(&in, &head) != TW_OK || tw_take_varint(&in, &field->number) != TW_OK)
        return TW_MALFORMED;
    if (head >> 2 == 0 || head >> 2 >= TAG_LIMIT)
        return TW_MALFORMED;
    field->tag = (uint32_t)(head >> 2);
    field->type = (enum tw_type)(head & 3);
    field->bytes = tw_span_of(in.data, 0);
    if (field->type == TW_BYTES || field->type == TW_TEXT) {
        if (field->number > in.size)
            return TW_MALFORMED;
        field->bytes = tw_span_cut(&in, (size_t)field->number);
    }
    if (field->type == TW_TEXT && !tw_text_is_valid(field->bytes))
        return TW_MALFORMED;
    *rest = in;
    return TW_OK;
}

/** The last field with this tag: a later one overrules an earlier one. */
enum tw_result tw_field_find(const struct tw_frame *frame, uint32_t tag, struct tw_field *field)
{
    struct tw_span rest = frame->body;
    struct tw_field candidate;
    enum tw_result found = TW_NOT_FOUND, result;

    while ((result = tw_field_next(&rest, &candidate)) == TW_OK) {
        if (candidate.tag == tag) {
            *field = candidate;
            found = TW_OK;
        }
    }
    return result == TW_NOT_FOUND ? found : result;
}

enum tw_result tw_field_as_int(const struct tw_field *field, int64_t *value)
{
    switch (field->type) {
    case TW_SINT:
        *value = tw_unfold_sign(field->number);
        return TW_OK;
    case TW_UINT:
        if (field->number > INT64_MAX)
            return TW_RANGE;
        *value = (int64_t)field->number;
        return TW_OK;
    default:
        return TW_NOT_FOUND;
    }
}
