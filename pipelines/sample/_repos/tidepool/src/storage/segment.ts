// Segment files: records of [length][masked checksum][body]; a torn tail is cut off on reading.
import { crc32c, maskChecksum, unmaskChecksum } from "./checksum";
import { stableStringify } from "@core/event";
import type { Json, StoredEvent } from "@core/types";

export interface Scan {
  events: StoredEvent[];
  goodBytes: number;
  damage: string | null;
}

/** Seven bits to a byte, low ones first; the high bit says that more follow. */
export function writeVarint(value: number, out: number[]): void {
  let rest = value;
  while (rest >= 128) {
    out.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
}

/** Reads a number and the offset behind it; undefined when the bytes end too early. */
export function readVarint(bytes: Uint8Array, offset: number): [number, number] | undefined {
  let value = 0;
  let scale = 1;
  for (let i = offset; i < bytes.length && i < offset + 8; i++) {
    value += (bytes[i] & 127) * scale;
    if (bytes[i] < 128) {
      return [value, i + 1];
    }
    scale *= 128;
  }
  return undefined;
}

function encodeRecord(event: StoredEvent, out: number[]): void {
  const body = new TextEncoder().encode(stableStringify({ ...event } as unknown as Json));
  const checksum = maskChecksum(crc32c(body));
  writeVarint(body.length, out);
  for (let shift = 0; shift < 32; shift += 8) {
    out.push((checksum >>> shift) & 255);
  }
  body.forEach((byte) => out.push(byte));
}

export function encodeSegment(events: StoredEvent[]): Uint8Array {
  const out: number[] = [];
  for (const event of events) {
    encodeRecord(event, out);
  }
  return Uint8Array.from(out);
}

/** Reads records until the end or the first damage, and says what the damage was. */
export function scanSegment(bytes: Uint8Array): Scan {
  const scan: Scan = { events: [], goodBytes: 0, damage: null };
  while (scan.goodBytes < bytes.length) {
    const head = readVarint(bytes, scan.goodBytes);
    if (head === undefined || head[1] + 4 + head[0] > bytes.length) {
      scan.damage = "torn record";
      return scan;
    }
    const [length, at] = head;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, 4);
    const body = bytes.subarray(at + 4, at + 4 + length);
    if (unmaskChecksum(view.getUint32(0, true)) !== crc32c(body)) {
      scan.damage = "checksum does not fit";
      return scan;
    }
    scan.events.push(JSON.parse(new TextDecoder().decode(body)) as StoredEvent);
    scan.goodBytes = at + 4 + length;
  }
  return scan;
}
