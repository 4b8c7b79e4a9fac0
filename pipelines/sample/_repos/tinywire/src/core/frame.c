/* Frames: header, body, checksum. */

#include <tinywire/frame.h>

#include <tinywire/checksum.h>
#include <tinywire/message.h>

#include "core.h"

static int known_kind(uint8_t kind)
{
    return kind >= TW_KIND_DATA && kind <= TW_KIND_RESET;
}

const char *tw_kind_name(uint8_t kind)
{
    static const char *const names[] = { "?", "data", "ack", "reset" };

    return known_kind(kind) ? names[kind] : names[0];
}

/** Puts the frame on the wire: built in a scratch buffer, summed up, stuffed. */
enum tw_result tw_frame_write(const struct tw_frame *frame, struct tw_writer *out)
{
    uint8_t scratch[TW_MAX_FRAME];
    size_t size = TW_HEADER_SIZE + frame->body.size;

    if (frame->body.size > TW_MAX_BODY || !known_kind(frame->kind))
        return TW_RANGE;
    scratch[0] = TW_VERSION;
    scratch[1] = frame->kind;
    tw_store(scratch + 2, frame->sequence, 2);
    tw_store(scratch + 4, frame->body.size, 2);
    if (frame->body.size > 0)
        memcpy(scratch + TW_HEADER_SIZE, frame->body.data, frame->body.size);
    tw_store(scratch + size, tw_crc32(tw_span_of(scratch, size)), 4);
    return tw_stuff(tw_span_of(scratch, size + 4), out);
}

/** Reads unstuffed bytes. The body of the frame points into `raw`. */
enum tw_result tw_frame_parse(struct tw_span raw, struct tw_frame *frame)
{
    size_t body;

    if (raw.size < TW_HEADER_SIZE + 4)
        return TW_MALFORMED;
    body = tw_load16(raw.data + 4);
    if (raw.size != TW_HEADER_SIZE + body + 4)
        return TW_MALFORMED;
    if (tw_load32(raw.data + raw.size - 4) != tw_crc32(tw_span_of(raw.data, raw.size - 4)))
        return TW_BAD_SUM;
    if (raw.data[0] != TW_VERSION || !known_kind(raw.data[1]))
        return TW_MALFORMED;
    frame->kind = raw.data[1];
    frame->sequence = tw_load16(raw.data + 2);
    frame->body = tw_span_of(raw.data + TW_HEADER_SIZE, body);
    return TW_OK;
}

enum tw_result tw_frame_of_message(const struct tw_message *message, uint16_t sequence,
                                   struct tw_frame *frame)
{
    if (message->out.used > TW_MAX_BODY)
        return TW_RANGE;
    frame->kind = TW_KIND_DATA;
    frame->sequence = sequence;
    frame->body = tw_span_of(message->out.data, message->out.used);
    return TW_OK;
}
