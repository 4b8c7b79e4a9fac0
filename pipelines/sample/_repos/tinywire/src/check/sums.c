/* Checksums made of additions. Weaker than a CRC, and cheaper. */

#include <tinywire/checksum.h>

/** Two running sums, the second one of the first. */
struct pair {
    uint32_t low, high;
};

static void step(struct pair *sums, uint8_t byte, uint32_t modulus)
{
    sums->low = (sums->low + byte) % modulus;
    sums->high = (sums->high + sums->low) % modulus;
}

uint32_t tw_fletcher16(struct tw_span bytes)
{
    struct pair sums = { 0, 0 };

    for (size_t i = 0; i < bytes.size; i++)
        step(&sums, bytes.data[i], 255);
    return sums.high << 8 | sums.low;
}

uint32_t tw_adler32(struct tw_span bytes)
{
    struct pair sums = { 1, 0 };

    for (size_t i = 0; i < bytes.size; i++)
        step(&sums, bytes.data[i], 65521);
    return sums.high << 16 | sums.low;
}

/** All bytes xored: finds one flipped bit, and little else. */
uint32_t tw_parity(struct tw_span bytes)
{
    uint32_t mixed = 0;

    for (size_t i = 0; i < bytes.size; i++)
        mixed ^= bytes.data[i];
    return mixed;
}

/** Ones' complement sum of big-endian pairs; an odd last byte counts as the high one. */
uint32_t tw_internet_sum(struct tw_span bytes)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < bytes.size; i++)
        sum += i % 2 == 0 ? (uint64_t)bytes.data[i] << 8 : bytes.data[i];
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint32_t)(~sum & 0xffff);
}
