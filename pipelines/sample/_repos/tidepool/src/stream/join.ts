import { alignDown } from "./windows";

type Timed = { time: number };

export function groupByKey<T, K>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) {
      groups.set(keyOf(value), [value]);
    } else {
      group.push(value);
    }
  }
  return groups;
}

/** Pairs of equal keys whose times lie no further apart than the tolerance. */
export function joinWithin<L extends Timed, R extends Timed, K>(left: L[], right: R[], keyOf: (value: L | R) => K, tolerance: number): [L, R][] {
  const buckets = groupByKey(right, (value) => alignDown(value.time, tolerance + 1));
  const pairs: [L, R][] = [];
  for (const one of left) {
    const home = alignDown(one.time, tolerance + 1);
    for (const start of [home - tolerance - 1, home, home + tolerance + 1]) {
      for (const other of buckets.get(start) ?? []) {
        if (keyOf(one) === keyOf(other) && Math.abs(one.time - other.time) <= tolerance) {
          pairs.push([one, other]);
        }
      }
    }
  }
  return pairs;
}

/** For each value on the left the newest on the right that is not newer than it. */
export function asOfJoin<L extends Timed, R extends Timed>(left: L[], right: R[]): [L, R | undefined][] {
  const ordered = [...right].sort((a, b) => a.time - b.time);
  return left.map((one) => {
    let low = 0;
    let high = ordered.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ordered[middle].time <= one.time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return [one, ordered[low - 1]];
  });
}

/** Keys of one side that never appear on the other. */
export function antiJoin<L, R, K>(left: L[], right: R[], leftKey: (value: L) => K, rightKey: (value: R) => K): L[] {
  const present = new Set(right.map(rightKey));
  return left.filter((value) => !present.has(leftKey(value)));
}
