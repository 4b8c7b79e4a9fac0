/* What the verbs do. */

#include <inttypes.h>
#include <stdlib.h>

#include <tinywire/checksum.h>
#include <tinywire/frame.h>
#include <tinywire/message.h>

#include "cli.h"

static uint8_t input[INPUT_LIMIT];

static int fail(const char *what, enum tw_result result)
{
    fprintf(stderr, "tinywire: %s: %s\n", what, tw_result_text(result));
    return 1;
}

static int load(int argc, char **argv, int index, struct tw_span *bytes)
{
    struct tw_writer into = { input, 0, sizeof input };

    if (read_input(index < argc ? argv[index] : "-", &into) != 0)
        return -1;
    *bytes = tw_span_of(into.data, into.used);
    return 0;
}

/** Calls put_assignment for every line; the input is cut up on the way. */
static int put_lines(struct tw_message *message, struct tw_span text)
{
    char line[512];

    while (text.size > 0) {
        const uint8_t *end = memchr(text.data, '\n', text.size);
        size_t size = end != NULL ? (size_t)(end - text.data) : text.size;

        if (size >= sizeof line)
            return -1;
        memcpy(line, text.data, size);
        line[size] = '\0';
        if (put_assignment(message, line) != 0)
            return -1;
        tw_span_cut(&text, end != NULL ? size + 1 : size);
    }
    return 0;
}

int command_encode(int argc, char **argv)
{
    uint8_t body[TW_MAX_BODY], wire[2 * TW_MAX_FRAME];
    struct tw_writer out = { wire, 0, sizeof wire };
    struct tw_message message;
    struct tw_frame frame;
    struct tw_span text;
    enum tw_result result;

    if (load(argc, argv, 0, &text) != 0)
        return 1;
    tw_message_start(&message, body, sizeof body);
    if (put_lines(&message, text) != 0)
        return 1;
    result = tw_frame_of_message(&message, 0, &frame);
    if (result == TW_OK)
        result = tw_frame_write(&frame, &out);
    if (result != TW_OK)
        return fail("encode", result);
    return fwrite(wire, 1, out.used, stdout) == out.used ? 0 : 1;
}

static void print_field(const struct tw_field *field)
{
    printf("  %" PRIu32 " = ", field->tag);
    switch (field->type) {
    case TW_UINT:
        printf("%" PRIu64 "\n", field->number);
        break;
    case TW_SINT:
        printf("%+" PRId64 "\n", tw_unfold_sign(field->number));
        break;
    case TW_TEXT:
        printf("\"%.*s\"\n", (int)field->bytes.size, (const char *)field->bytes.data);
        break;
    case TW_BYTES:
        printf("x:");
        for (size_t i = 0; i < field->bytes.size; i++)
            printf("%02x", field->bytes.data[i]);
        putchar('\n');
        break;
    }
}

static enum tw_result print_frame(const struct tw_frame *frame)
{
    struct tw_span rest = frame->body;
    struct tw_field field;
    enum tw_result result;

    printf("%s #%u, %zu bytes\n", tw_kind_name(frame->kind), frame->sequence, frame->body.size);
    while ((result = tw_field_next(&rest, &field)) == TW_OK)
        print_field(&field);
    return result == TW_NOT_FOUND ? TW_OK : result;
}

/** Runs everything that waits in the queue through the decoder. */
static int drain(struct tw_ring *ring, struct tw_decoder *decoder)
{
    struct tw_frame frame;
    uint8_t byte;
    int failures = 0;

    while (tw_ring_read(ring, &byte, 1) == 1) {
        enum tw_result result = tw_decoder_push(decoder, byte, &frame);

        if (result == TW_OK)
            result = print_frame(&frame);
        if (result != TW_OK && result != TW_AGAIN)
            failures += fail("decode", result);
    }
    return failures;
}

int command_decode(int argc, char **argv)
{
    static struct tw_decoder decoder;
    uint8_t buffer[64];
    struct tw_ring ring;
    struct tw_span bytes;
    int failures = 0;

    if (load(argc, argv, 0, &bytes) != 0 || tw_ring_start(&ring, buffer, sizeof buffer) != TW_OK)
        return 1;
    tw_decoder_reset(&decoder);
    while (bytes.size > 0) {
        tw_span_cut(&bytes, tw_ring_write(&ring, bytes.data, bytes.size));
        failures += drain(&ring, &decoder);
    }
    fprintf(stderr, "%lu frames, %lu damaged, %lu lost\n", decoder.frames, decoder.damaged,
            decoder.lost);
    return failures != 0;
}

/** Prints one checksum of the input, or all of them. */
int command_sum(int argc, char **argv)
{
    const struct tw_checksum *one = argc > 0 ? tw_checksum_named(argv[0]) : NULL;
    const struct tw_checksum *entry;
    struct tw_span bytes;

    if (argc == 0 || (one == NULL && strcmp(argv[0], "all") != 0))
        return fail(argc > 0 ? argv[0] : "sum", TW_NOT_FOUND);
    if (load(argc, argv, 1, &bytes) != 0)
        return 1;
    for (size_t i = 0; (entry = tw_checksum_at(i)) != NULL; i++)
        if (one == NULL || one == entry)
            printf("%0*" PRIx32 "  %s\n", (int)entry->bits / 4, entry->sum(bytes), entry->name);
    return 0;
}

int command_dump(int argc, char **argv)
{
    struct tw_span bytes;

    if (load(argc, argv, 0, &bytes) != 0)
        return 1;
    print_hexdump(stdout, bytes, 16);
    return 0;
}
