/* Round trips and damage. Exits with 1 on the first failure. */

#include <stdio.h>
#include <stdlib.h>

#include <tinywire/message.h>
#include <tinywire/checksum.h>

#include "../src/core/core.h"

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

static size_t build_wire(uint8_t *wire, size_t room, uint16_t sequence)
{
    uint8_t body[600], blob[300];
    struct tw_writer out = { wire, 0, room };
    struct tw_message message;
    struct tw_frame frame;

    memset(blob, 7, sizeof blob);
    blob[150] = 0;
    tw_message_start(&message, body, sizeof body);
    CHECK(tw_message_put_uint(&message, 1, UINT64_MAX) == TW_OK);
    CHECK(tw_message_put_sint(&message, 2, INT64_MIN) == TW_OK);
    CHECK(tw_message_put_text(&message, 3, "caf\xc3\xa9") == TW_OK);
    CHECK(tw_message_put_text(&message, 3, "caf\xe9") == TW_MALFORMED);
    CHECK(tw_message_put_bytes(&message, 4, tw_span_of(blob, sizeof blob)) == TW_OK);
    CHECK(message.fields == 4);
    CHECK(tw_frame_of_message(&message, sequence, &frame) == TW_OK);
    CHECK(tw_frame_write(&frame, &out) == TW_OK);
    return out.used;
}

static void test_stream(void)
{
    static struct tw_decoder decoder;
    uint8_t wire[700];
    struct tw_frame frame;
    struct tw_field field;
    int64_t number = 0;

    tw_decoder_reset(&decoder);
    for (uint16_t turn = 0; turn < 4; turn++) {
        size_t size = build_wire(wire, sizeof wire, turn);
        enum tw_result last = TW_AGAIN;

        if (turn == 2)
            wire[40] ^= 0x10;
        for (size_t i = 0; i < size; i++) {
            CHECK(last == TW_AGAIN);
            last = tw_decoder_push(&decoder, wire[i], &frame);
        }
        CHECK(turn == 2 ? last != TW_OK : last == TW_OK);
        if (last != TW_OK)
            continue;
        CHECK(tw_field_find(&frame, 2, &field) == TW_OK);
        CHECK(tw_field_as_int(&field, &number) == TW_OK && number == INT64_MIN);
        CHECK(tw_field_find(&frame, 1, &field) == TW_OK);
        CHECK(tw_field_as_int(&field, &number) == TW_RANGE);
        CHECK(tw_field_find(&frame, 9, &field) == TW_NOT_FOUND);
    }
    CHECK(decoder.frames == 3 && decoder.damaged == 1 && decoder.lost == 1);
}

static void test_stuffing(void)
{
    uint8_t raw[600], stuffed[620], back[600];

    for (size_t size = 0; size < sizeof raw; size++) {
        struct tw_writer out = { stuffed, 0, sizeof stuffed };
        struct tw_writer in = { back, 0, sizeof back };

        for (size_t i = 0; i < size; i++)
            raw[i] = (uint8_t)(size % 3 == 0 ? 1 : i * size % 5);
        CHECK(tw_stuff(tw_span_of(raw, size), &out) == TW_OK);
        CHECK(memchr(stuffed, 0, out.used - 1) == NULL);
        CHECK(tw_unstuff(tw_span_of(stuffed, out.used), &in) == TW_OK);
        CHECK(in.used == size && memcmp(raw, back, size) == 0);
    }
}

static void test_ring(void)
{
    uint8_t buffer[8], out[8];
    struct tw_ring ring;

    CHECK(tw_ring_start(&ring, buffer, 6) == TW_RANGE);
    CHECK(tw_ring_start(&ring, buffer, 8) == TW_OK);
    CHECK(tw_ring_write(&ring, (const uint8_t *)"abcdef", 6) == 6);
    CHECK(tw_ring_read(&ring, out, 4) == 4 && out[3] == 'd');
    CHECK(tw_ring_write(&ring, (const uint8_t *)"ghijklmn", 8) == 6);
    CHECK(tw_ring_find(&ring, 'l') == 7 && tw_ring_find(&ring, 'z') == SIZE_MAX);
    CHECK(tw_ring_read(&ring, out, 8) == 8 && memcmp(out, "efghijkl", 8) == 0);
}

int main(void)
{
    CHECK(tw_checksum_self_test() == 0);
    CHECK(tw_unfold_sign(tw_fold_sign(-3)) == -3);
    test_stuffing();
    test_stream();
    test_ring();
    puts("ok");
    return 0;
}
