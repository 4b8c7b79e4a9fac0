#ifndef TINYWIRE_CHECKSUM_H
#define TINYWIRE_CHECKSUM_H

#include <tinywire/types.h>

/** One way of summing up bytes. */
struct tw_checksum {
    const char *name;
    unsigned bits;
    uint32_t (*sum)(struct tw_span bytes);
};

uint32_t tw_crc16(struct tw_span bytes);
uint32_t tw_crc32(struct tw_span bytes);
uint32_t tw_crc32c(struct tw_span bytes);
uint32_t tw_fletcher16(struct tw_span bytes);
uint32_t tw_adler32(struct tw_span bytes);
uint32_t tw_parity(struct tw_span bytes);
uint32_t tw_internet_sum(struct tw_span bytes);

const struct tw_checksum *tw_checksum_at(size_t index);
const struct tw_checksum *tw_checksum_named(const char *name);
int tw_checksum_self_test(void);

#endif
