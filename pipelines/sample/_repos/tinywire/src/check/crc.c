/* Cyclic redundancy checks. */

#include <tinywire/checksum.h>

#ifdef TW_SMALL

/** One byte of a right-shifting CRC, bit by bit. */
static uint32_t step(uint32_t crc, uint8_t byte, uint32_t polynomial)
{
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++)
        crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
    return crc;
}

static uint32_t run_reflected(struct tw_span bytes, uint32_t polynomial)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < bytes.size; i++)
        crc = step(crc, bytes.data[i], polynomial);
    return ~crc;
}

uint32_t tw_crc32(struct tw_span bytes)
{
    return run_reflected(bytes, UINT32_C(0xedb88320));
}

uint32_t tw_crc32c(struct tw_span bytes)
{
    return run_reflected(bytes, UINT32_C(0x82f63b78));
}

uint32_t tw_crc16(struct tw_span bytes)
{
    uint32_t crc = 0xffff;

    for (size_t i = 0; i < bytes.size; i++) {
        crc ^= (uint32_t)bytes.data[i] << 8;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0xffff;
    }
    return crc;
}

#else

extern const uint16_t tw_crc16_table[256];
extern const uint32_t tw_crc32_table[256];
extern const uint32_t tw_crc32c_table[256];

/** One byte of a right-shifting CRC, by table. */
static uint32_t step(uint32_t crc, uint8_t byte, const uint32_t *table)
{
    return crc >> 8 ^ table[(crc ^ byte) & 0xff];
}

static uint32_t run_reflected(struct tw_span bytes, const uint32_t *table)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < bytes.size; i++)
        crc = step(crc, bytes.data[i], table);
    return ~crc;
}

uint32_t tw_crc32(struct tw_span bytes)
{
    return run_reflected(bytes, tw_crc32_table);
}

uint32_t tw_crc32c(struct tw_span bytes)
{
    return run_reflected(bytes, tw_crc32c_table);
}

/** The variant that starts with all bits set and shifts to the left. */
uint32_t tw_crc16(struct tw_span bytes)
{
    uint32_t crc = 0xffff;

    for (size_t i = 0; i < bytes.size; i++)
        crc = (crc << 8 ^ tw_crc16_table[(crc >> 8 ^ bytes.data[i]) & 0xff]) & 0xffff;
    return crc;
}

#endif
