import { SLICES } from "../generated/crc32cTables";

/** CRC-32C over bytes, four at a time, starting from an earlier value. */
export function crc32c(bytes: Uint8Array, seed = 0): number {
  const [t0, t1, t2, t3] = SLICES;
  let crc = ~seed;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc = t3[crc & 255] ^ t2[(crc >>> 8) & 255] ^ t1[(crc >>> 16) & 255] ^ t0[crc >>> 24];
  }
  for (; i < bytes.length; i++) {
    crc = t0[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** Rotates and shifts a checksum so that a checksum over checksums stays useful. */
export function maskChecksum(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

export function unmaskChecksum(masked: number): number {
  const rotated = (masked - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}
