import { assertStreamName, sealEvent, upcast, validate } from "./event";
import type { Fold, NewEvent, StoredEvent } from "./types";

/** Thrown when somebody else appended first. */
export class ConcurrencyError extends Error {
  constructor(
    readonly stream: string,
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`${stream} is at version ${actual}, not ${expected}`);
  }
}

export type Listener = (event: StoredEvent) => void;

/** All events of a process in memory; listeners hear each one after it is stored. */
export class EventStore {
  readonly log: StoredEvent[] = [];
  readonly streams = new Map<string, StoredEvent[]>();
  private readonly listeners = new Set<Listener>();

  constructor(private readonly now: () => number = () => 0) {}

  subscribe(listener: Listener, from = this.log.length): () => void {
    this.log.slice(from).forEach(listener);
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  push(stream: string, event: NewEvent): StoredEvent {
    const own = this.streams.get(stream) ?? [];
    const stored = sealEvent(event, stream, own.length + 1, this.log.length, this.now());
    own.push(stored);
    this.streams.set(stream, own);
    this.log.push(stored);
    this.listeners.forEach((listener) => listener(stored));
    return stored;
  }
}

/** Version of the newest event of a stream; 0 for a stream nobody wrote to. */
export function headVersion(store: EventStore, stream: string): number {
  return store.streams.get(stream)?.length ?? 0;
}

/** Appends all events or none; the expected version guards against lost updates. */
export function appendAll(store: EventStore, stream: string, events: NewEvent[], expected?: number): StoredEvent[] {
  assertStreamName(stream);
  const actual = headVersion(store, stream);
  if (expected !== undefined && expected !== actual) {
    throw new ConcurrencyError(stream, expected, actual);
  }
  const problems = events.flatMap((event, i) => validate(event).map((text) => `event ${i}: ${text}`));
  if (problems.length > 0) {
    throw new TypeError(problems.join("; "));
  }
  return events.map((event) => store.push(stream, event));
}

/** One page of a stream, old events brought up to date on the way out. */
export function readPage(store: EventStore, stream: string, after: number, limit: number): StoredEvent[] {
  const own = store.streams.get(stream) ?? [];
  return own.slice(after, after + limit).map(upcast);
}

/** Folds a stream to a state, up to a version when one is given. */
export function replay<S>(store: EventStore, stream: string, initial: S, fold: Fold<S>, until = Infinity): S {
  let state = initial;
  for (const event of store.streams.get(stream) ?? []) {
    if (event.version > until) {
      break;
    }
    state = fold(state, upcast(event));
  }
  return state;
}

/** Tries an append again after a lost race, with the events decided afresh each time. */
export function appendWithRetry(store: EventStore, stream: string, decide: (version: number) => NewEvent[], attempts = 3): StoredEvent[] {
  for (let attempt = 1; ; attempt++) {
    const version = headVersion(store, stream);
    try {
      return appendAll(store, stream, decide(version), version);
    } catch (problem) {
      if (!(problem instanceof ConcurrencyError) || attempt >= attempts) {
        throw problem;
      }
    }
  }
}

export function countByType(store: EventStore): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of store.log) {
    counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The newest event of each key within a stream, in the order in which they were written. */
export function compact(events: StoredEvent[], keyOf: (event: StoredEvent) => string): StoredEvent[] {
  const newest = new Map<string, StoredEvent>();
  for (const event of events) {
    newest.set(keyOf(event), event);
  }
  return events.filter((event) => newest.get(keyOf(event)) === event);
}
