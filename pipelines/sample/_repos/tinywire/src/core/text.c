/* Words for results, and what counts as text: “é” is, a lone 0xE9 is not. */

#include <tinywire/message.h>

#include "core.h"

const char *tw_result_text(enum tw_result result)
{
    switch (result) {
    case TW_OK: return "ok";
    case TW_AGAIN: return "more bytes needed";
    case TW_NO_ROOM: return "no room left";
    case TW_MALFORMED: return "malformed";
    case TW_BAD_SUM: return "checksum does not match";
    case TW_NOT_FOUND: return "not found";
    case TW_RANGE: return "out of range";
    }
    return "unknown result";
}

/** Bytes that follow a leading byte; -1 when no character starts with it. */
static int followers(uint8_t lead)
{
    if (lead < 0x80)
        return 0;
    if (lead >= 0xc2 && lead < 0xe0)
        return 1;
    if (lead >= 0xe0 && lead < 0xf0)
        return 2;
    if (lead >= 0xf0 && lead < 0xf5)
        return 3;
    return -1;
}

/** Overlong forms, halves of pairs and values above U+10FFFF show in the second byte. */
static int second_byte_fits(uint8_t lead, uint8_t second)
{
    switch (lead) {
    case 0xe0: return second >= 0xa0;
    case 0xed: return second < 0xa0;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second < 0x90;
    default: return 1;
    }
}

/** True for well-formed UTF-8, the empty text included. */
int tw_text_is_valid(struct tw_span text)
{
    while (text.size > 0) {
        uint8_t lead = tw_span_cut(&text, 1).data[0];
        int more = followers(lead);

        if (more < 0 || (size_t)more > text.size)
            return 0;
        for (int i = 0; i < more; i++)
            if ((text.data[i] & 0xc0) != 0x80)
                return 0;
        if (more > 0 && !second_byte_fits(lead, text.data[0]))
            return 0;
        tw_span_cut(&text, (size_t)more);
    }
    return 1;
}
