// A hybrid logical clock: physical milliseconds first, a counter for what falls into one of them.

export interface Timestamp {
  millis: number;
  counter: number;
  node: string;
}

export function genesis(node: string): Timestamp {
  return { millis: 0, counter: 0, node };
}

/** The time of a local event: never behind the last one, even when the wall clock is. */
export function tick(last: Timestamp, wall: number): Timestamp {
  if (wall > last.millis) {
    return { millis: wall, counter: 0, node: last.node };
  }
  return { ...last, counter: last.counter + 1 };
}

/** The time after a message arrived: ahead of both clocks. */
export function receive(local: Timestamp, remote: Timestamp, wall: number): Timestamp {
  const millis = Math.max(local.millis, remote.millis, wall);
  let counter = 0;
  if (millis === local.millis && millis === remote.millis) {
    counter = Math.max(local.counter, remote.counter) + 1;
  } else if (millis === local.millis) {
    counter = local.counter + 1;
  } else if (millis === remote.millis) {
    counter = remote.counter + 1;
  }
  return { millis, counter, node: local.node };
}

export function happenedBefore(a: Timestamp, b: Timestamp): boolean {
  if (a.millis !== b.millis) {
    return a.millis < b.millis;
  }
  return a.counter !== b.counter ? a.counter < b.counter : a.node < b.node;
}

/** Text that sorts like the time it stands for. */
export function format(time: Timestamp): string {
  const millis = time.millis.toString(36).padStart(9, "0");
  return `${millis}.${time.counter.toString(36).padStart(4, "0")}.${time.node}`;
}

export function parse(text: string): Timestamp {
  const match = /^([0-9a-z]{9})\.([0-9a-z]{4})\.(.+)$/.exec(text);
  if (match === null) {
    throw new SyntaxError(`not a timestamp: ${text}`);
  }
  return { millis: parseInt(match[1], 36), counter: parseInt(match[2], 36), node: match[3] };
}
