/* From a stream of bytes to frames, one byte at a time. */

#include <tinywire/frame.h>

#include "core.h"

/** Makes ready for the next frame; counters and expectations stay. */
static void reset(struct tw_decoder *decoder)
{
    decoder->used = 0;
    decoder->block_left = 0;
    decoder->block_full = 1;
    decoder->skipping = 0;
}

/** Frames missing between the number that was expected and the one that came. */
static unsigned sequence_gap(uint16_t expected, uint16_t got)
{
    uint16_t gap = (uint16_t)(got - expected);

    return gap < 0x8000 ? gap : 0;
}

void tw_decoder_reset(struct tw_decoder *decoder)
{
    memset(decoder, 0, sizeof *decoder);
    reset(decoder);
}

/**
 * Takes one byte. TW_AGAIN: no frame is complete yet. TW_OK: `frame` is, and its
 * body points into the decoder until the next call. Failures are reported once,
 * at the end of the damaged frame, and the decoder goes on with the frame after it.
 */
enum tw_result tw_decoder_push(struct tw_decoder *decoder, uint8_t byte, struct tw_frame *frame)
{
    enum tw_result result;

    if (byte == 0) {
        struct tw_span raw = tw_span_of(decoder->raw, decoder->used);
        int damaged = decoder->skipping || decoder->block_left > 0;

        /* Zeros between frames are padding, not empty frames. */
        if (raw.size == 0 && !damaged) {
            reset(decoder);
            return TW_AGAIN;
        }
        reset(decoder);
        if (damaged) {
            decoder->damaged++;
            return TW_MALFORMED;
        }
        result = tw_frame_parse(raw, frame);
        if (result != TW_OK) {
            decoder->damaged++;
            return result;
        }
        switch (frame->kind) {
        case TW_KIND_RESET:
            /* The other side starts over; what was missing before is not lost. */
            decoder->expected = (uint16_t)(frame->sequence + 1);
            break;
        case TW_KIND_DATA:
            decoder->lost += sequence_gap(decoder->expected, frame->sequence);
            decoder->expected = (uint16_t)(frame->sequence + 1);
            break;
        default:
            /* Acknowledgements carry the number of what they acknowledge. */
            break;
        }
        decoder->frames++;
        return TW_OK;
    }

    if (decoder->skipping)
        return TW_AGAIN;

    if (decoder->block_left == 0) {
        /* A stuffing byte: it stands for the zero that ended the block before,
         * unless that block was as long as a block can be or there was none. */
        if (!decoder->block_full) {
            if (decoder->used == sizeof decoder->raw) {
                decoder->skipping = 1;
                return TW_AGAIN;
            }
            decoder->raw[decoder->used++] = 0;
        }
        decoder->block_left = (uint8_t)(byte - 1);
        decoder->block_full = byte == 0xff;
        return TW_AGAIN;
    }

    if (decoder->used == sizeof decoder->raw) {
        decoder->skipping = 1;
        return TW_AGAIN;
    }
    decoder->raw[decoder->used++] = byte;
    decoder->block_left--;
    return TW_AGAIN;
}
