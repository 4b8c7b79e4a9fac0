import * as assert from "node:assert/strict";
import { test } from "node:test";

import { EventStore, appendAll, attach, clock, follow, isDeterministic, joinWithin, asOfJoin, runThrough, chain, chunked, dropRepeats, findGaps, hopping, registerUpcaster, replay, select, encodeSegment, scanSegment, ConcurrencyError, ReorderBuffer, openWatermark, upcomingVersion, mergeSorted } from "../src/index";
import "../src/projections/builtin";
import { crc32c, maskChecksum, unmaskChecksum } from "../src/storage/checksum";
import { format, fieldsUsed } from "../src/query/evaluate";
import { parse } from "../src/query/parser";
import type { StoredEvent } from "../src/core/types";

function sample(): EventStore {
  let now = 0;
  const store = new EventStore(() => (now += 10_000));
  appendAll(store, "cart-7", [{ type: "Added", data: { sku: "a", count: 2 } }, { type: "Added", data: { sku: "ß", count: 1 } }], 0);
  appendAll(store, "cart-8", [{ type: "Paid", data: { sum: 12.5 } }]);
  return store;
}

test("a lost race is refused", () => {
  const store = sample();
  assert.throws(() => appendAll(store, "cart-7", [], 1), ConcurrencyError);
  assert.equal(upcomingVersion(store, "cart-7"), 3);
});

test("queries choose events", () => {
  const store = sample();
  assert.equal(select(store, 'type = "Added" and data.count > 1').length, 1);
  assert.equal(select(store, 'not (type ≠ Added) or stream ~ "*-8"').length, 3);
  assert.throws(() => parse("type = "), /expected a value/);
  const text = format(parse('a = 1 or not b ~ "x*" and c < 2'));
  assert.equal(format(parse(text)), text);
  assert.deepEqual(fieldsUsed(parse("b=1 and a=2 or b=3")), ["a", "b"]);
});

test("segments survive a round trip and a torn tail", () => {
  const store = sample();
  const bytes = encodeSegment(store.log);
  assert.deepEqual(scanSegment(bytes).events, store.log.map((event) => ({ ...event })));
  const torn = scanSegment(bytes.subarray(0, bytes.length - 3));
  assert.equal(torn.events.length, 2);
  assert.equal(torn.damage, "torn record");
  bytes[bytes.length - 1] ^= 1;
  assert.equal(scanSegment(bytes).damage, "checksum does not fit");
});

test("the checksum is CRC-32C", () => {
  assert.equal(crc32c(new TextEncoder().encode("123456789")), 0xe3069283);
  assert.equal(unmaskChecksum(maskChecksum(0xe3069283)), 0xe3069283);
});

test("projections follow the log", () => {
  const store = sample();
  const { view } = attach(store, "census");
  appendAll(store, "cart-8", [follow(store.log[2], { type: "Shipped", data: null })]);
  assert.deepEqual(view.state(), { Added: 2, Paid: 1, Shipped: 1 });
  assert.ok(isDeterministic(store, "activity"));
});

test("old events are brought up to date", () => {
  registerUpcaster("Paid", 1, (data) => ({ cents: Number((data as { sum: number }).sum) * 100 }));
  const seen = replay(sample(), "cart-8", 0, (_, event: StoredEvent) => (event.data as { cents: number }).cents);
  assert.equal(seen, 1250);
});

test("streams", () => {
  assert.deepEqual(runThrough([1, 1, 2, 3, 3], chain(dropRepeats((x: number) => x), chunked<number>(2))), [[1, 2], [3]]);
  assert.deepEqual(mergeSorted([[1, 4], [2, 3]], (a, b) => a - b), [1, 2, 3, 4]);
  assert.deepEqual(findGaps([{ start: 5, end: 6 }, { start: 0, end: 2 }]), [{ start: 2, end: 5 }]);
  assert.deepEqual(hopping([{ time: 7 }], 10, 5).map((pane) => pane.start), [0, 5]);
  const left = [{ id: 1, time: 10 }, { id: 2, time: 20 }];
  const right = [{ id: 1, time: 13 }, { id: 2, time: 30 }];
  assert.equal(joinWithin(left, right, (value) => value.id, 4).length, 1);
  assert.equal(asOfJoin(right, left)[0][1]?.id, 1);
  const buffer = new ReorderBuffer<{ time: number }>(openWatermark("a", 5));
  assert.deepEqual([3, 9, 2, 20].flatMap((time) => buffer.offer({ time })).map((value) => value.time), [3, 9]);
  assert.equal(buffer.dropped, 1);
});

test("clocks sort as text", () => {
  const a = clock.tick(clock.genesis("n1"), 1_700_000_000_000);
  const b = clock.receive(clock.genesis("n2"), a, 5);
  assert.ok(clock.happenedBefore(a, b) && clock.format(a) < clock.format(b));
  assert.deepEqual(clock.parse(clock.format(b)), b);
});
