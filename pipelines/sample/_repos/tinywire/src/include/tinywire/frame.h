#ifndef TINYWIRE_FRAME_H
#define TINYWIRE_FRAME_H

#include <tinywire/types.h>

#include "message.h"

#define TW_VERSION 1
#define TW_HEADER_SIZE 6
#define TW_MAX_BODY 1024
#define TW_MAX_FRAME (TW_HEADER_SIZE + TW_MAX_BODY + 4)

struct tw_message;

enum tw_kind { TW_KIND_DATA = 1, TW_KIND_ACK = 2, TW_KIND_RESET = 3 };

/** version, kind, sequence (16 bits), size of the body (16 bits), body, CRC-32 */
struct tw_frame {
    uint8_t kind;
    uint16_t sequence;
    struct tw_span body;
};

/** Takes bytes as they come and cuts them into frames. Zero it with tw_decoder_reset. */
struct tw_decoder {
    uint8_t raw[TW_MAX_FRAME];
    size_t used;
    uint8_t block_left; /* bytes until the next stuffing byte */
    uint8_t block_full; /* the running block has no zero behind it */
    uint8_t skipping;   /* damaged: wait for the end of the frame */
    uint16_t expected;  /* sequence number that should come next */
    unsigned long frames, damaged, lost;
};

enum tw_result tw_frame_write(const struct tw_frame *frame, struct tw_writer *out);
enum tw_result tw_frame_parse(struct tw_span raw, struct tw_frame *frame);
enum tw_result tw_frame_of_message(const struct tw_message *message, uint16_t sequence,
                                   struct tw_frame *frame);
const char *tw_kind_name(uint8_t kind);

void tw_decoder_reset(struct tw_decoder *decoder);
enum tw_result tw_decoder_push(struct tw_decoder *decoder, uint8_t byte, struct tw_frame *frame);

#endif
