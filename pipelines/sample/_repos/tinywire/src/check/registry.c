/* All checksums by name. */

#include <string.h>

#include <tinywire/checksum.h>

static const struct tw_checksum checksums[] = {
    { "crc16", 16, tw_crc16 },
    { "crc32", 32, tw_crc32 },
    { "crc32c", 32, tw_crc32c },
    { "fletcher16", 16, tw_fletcher16 },
    { "adler32", 32, tw_adler32 },
    { "parity", 8, tw_parity },
    { "internet", 16, tw_internet_sum },
};

/** Sums of the nine digits "123456789", in the order of the table above. */
static const uint32_t expected[] = {
    0x29b1, 0xcbf43926, 0xe3069283, 0x1ede, 0x091e01de, 0x31, 0xf62a,
};

/** Walks over the table: null behind the last one. */
const struct tw_checksum *tw_checksum_at(size_t index)
{
    return index < TW_COUNT(checksums) ? &checksums[index] : NULL;
}

const struct tw_checksum *tw_checksum_named(const char *name)
{
    const struct tw_checksum *entry;

    for (size_t i = 0; (entry = tw_checksum_at(i)) != NULL; i++)
        if (strcmp(entry->name, name) == 0)
            return entry;
    return NULL;
}

/** Number of checksums that do not give the published value for the nine digits. */
int tw_checksum_self_test(void)
{
    static const char digits[] = "123456789";
    struct tw_span bytes = { (const uint8_t *)digits, 9 };
    int wrong = 0;

    for (size_t i = 0; i < TW_COUNT(checksums); i++)
        wrong += checksums[i].sum(bytes) != expected[i];
    return wrong;
}
