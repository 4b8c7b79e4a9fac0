/* A byte queue between whatever receives and whatever decodes. */

#include "core.h"

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/** Empties the queue without touching the buffer. */
static void reset(struct tw_ring *ring)
{
    ring->head = 0;
    ring->tail = 0;
}

enum tw_result tw_ring_start(struct tw_ring *ring, uint8_t *buffer, size_t size)
{
    if (size == 0 || (size & (size - 1)) != 0)
        return TW_RANGE;
    ring->data = buffer;
    ring->mask = size - 1;
    reset(ring);
    return TW_OK;
}

size_t tw_ring_used(const struct tw_ring *ring)
{
    return ring->head - ring->tail;
}

/** Queues as much as fits and returns how much that was. */
size_t tw_ring_write(struct tw_ring *ring, const uint8_t *data, size_t size)
{
    size_t room = ring->mask + 1 - tw_ring_used(ring);
    size_t at = ring->head & ring->mask;
    size_t first;

    size = smaller(size, room);
    first = smaller(size, ring->mask + 1 - at);
    memcpy(ring->data + at, data, first);
    memcpy(ring->data, data + first, size - first);
    ring->head += size;
    return size;
}

/** Takes out the oldest bytes, at most `size`, and returns how many. */
size_t tw_ring_read(struct tw_ring *ring, uint8_t *data, size_t size)
{
    size_t at = ring->tail & ring->mask;
    size_t first;

    size = smaller(size, tw_ring_used(ring));
    first = smaller(size, ring->mask + 1 - at);
    memcpy(data, ring->data + at, first);
    memcpy(data + first, ring->data, size - first);
    ring->tail += size;
    return size;
}

/** Distance from the oldest byte to the first `wanted`; SIZE_MAX when there is none. */
size_t tw_ring_find(const struct tw_ring *ring, uint8_t wanted)
{
    for (size_t i = ring->tail; i != ring->head; i++)
        if (ring->data[i & ring->mask] == wanted)
            return i - ring->tail;
    return SIZE_MAX;
}
