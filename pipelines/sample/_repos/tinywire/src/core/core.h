#ifndef TINYWIRE_CORE_H
#define TINYWIRE_CORE_H

#include <string.h>

#include <tinywire/types.h>

static inline struct tw_span tw_span_of(const void *data, size_t size)
{
    struct tw_span span = { (const uint8_t *)data, size };
    return span;
}

/** Cuts `size` bytes off the front of `rest`; the caller has checked that they are there. */
static inline struct tw_span tw_span_cut(struct tw_span *rest, size_t size)
{
    struct tw_span front = tw_span_of(rest->data, size);
    rest->data += size;
    rest->size -= size;
    return front;
}

static inline uint16_t tw_load16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t tw_load32(const uint8_t *p)
{
    return (uint32_t)tw_load16(p) | (uint32_t)tw_load16(p + 2) << 16;
}

/** Stores the lowest `size` bytes of a number, lowest first. */
static inline void tw_store(uint8_t *p, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static inline enum tw_result tw_append(struct tw_writer *out, const void *data, size_t size)
{
    if (size > out->room - out->used)
        return TW_NO_ROOM;
    if (size > 0)
        memcpy(out->data + out->used, data, size);
    out->used += size;
    return TW_OK;
}

enum tw_result tw_append_varint(struct tw_writer *out, uint64_t value);
enum tw_result tw_take_varint(struct tw_span *rest, uint64_t *value);
uint64_t tw_fold_sign(int64_t value);
int64_t tw_unfold_sign(uint64_t folded);
enum tw_result tw_stuff(struct tw_span raw, struct tw_writer *out);
enum tw_result tw_unstuff(struct tw_span stuffed, struct tw_writer *out);

/** A queue of bytes in a fixed buffer whose size is a power of two. */
struct tw_ring {
    uint8_t *data;
    size_t mask;
    size_t head; /* bytes ever written */
    size_t tail; /* bytes ever read */
};

enum tw_result tw_ring_start(struct tw_ring *ring, uint8_t *buffer, size_t size);
size_t tw_ring_used(const struct tw_ring *ring);
size_t tw_ring_write(struct tw_ring *ring, const uint8_t *data, size_t size);
size_t tw_ring_read(struct tw_ring *ring, uint8_t *data, size_t size);
size_t tw_ring_find(const struct tw_ring *ring, uint8_t wanted);

#endif
