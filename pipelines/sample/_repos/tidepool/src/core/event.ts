// Events: making, checking, ordering and bringing old ones up to date.
// Stream names may hold any letters – “Größe-7”, «пул-3», 潮だまり – but no control signs.
import type { Json, NewEvent, StoredEvent } from "./types";
// The store imports this module too; both sides use each other only inside functions.
import { EventStore, headVersion } from "./store";

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]{0,99}$/u;

export type Upcaster = (data: Json) => Json;

const upcasters = new Map<string, Map<number, Upcaster>>();

/** Problems of an event as sentences; an empty list means it may be stored. */
export function validate(event: NewEvent): string[] {
  const problems: string[] = [];
  if (!NAME.test(event.type)) {
    problems.push(`“${event.type}” is no event type`);
  }
  if (event.data === undefined) {
    problems.push("data is missing; null is allowed");
  }
  for (const [key, value] of Object.entries(event.meta ?? {})) {
    if (typeof value !== "string") {
      problems.push(`meta.${key} is not text`);
    }
  }
  return problems;
}

export function assertStreamName(stream: string): void {
  if (!NAME.test(stream)) {
    throw new RangeError(`“${stream}” is no stream name`);
  }
}

export function sealEvent(event: NewEvent, stream: string, version: number, position: number, time: number): StoredEvent {
  const sealed = { type: event.type, data: event.data, meta: { ...event.meta }, stream, version, position, time };
  return Object.freeze(sealed);
}

/** JSON with sorted keys, so that equal values give equal text. */
export function stableStringify(value: Json): string {
  if (Array.isArray(value)) {
    return `[${value.map(stableStringify).join(",")}]`;
  }
  if (value !== null && typeof value === "object") {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${stableStringify(value[key])}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

export function comparePositions(a: StoredEvent, b: StoredEvent): number {
  return a.position - b.position;
}

/** Copies cause and correlation from one event to another that follows from it. */
export function follow(cause: StoredEvent, event: NewEvent): NewEvent {
  const root = cause.meta.correlation ?? `${cause.stream}@${cause.version}`;
  return {
    ...event,
    meta: { ...event.meta, correlation: root, causation: `${cause.stream}@${cause.version}` },
  };
}

/** Registers the step from one schema number of an event type to the next. */
export function registerUpcaster(type: string, from: number, step: Upcaster): void {
  const steps = upcasters.get(type) ?? new Map<number, Upcaster>();
  if (steps.has(from)) {
    throw new Error(`${type} has a step from schema ${from} already`);
  }
  steps.set(from, step);
  upcasters.set(type, steps);
}

/** Applies every step an old event lacks; the schema number stands in its meta data. */
export function upcast(event: StoredEvent): StoredEvent {
  const steps = upcasters.get(event.type);
  let schema = Number(event.meta.schema ?? "1");
  let data = event.data;
  let step = steps?.get(schema);
  while (step !== undefined) {
    data = step(data);
    schema += 1;
    step = steps?.get(schema);
  }
  return data === event.data ? event : { ...event, data, meta: { ...event.meta, schema: String(schema) } };
}

/** The version an event would get when it were appended now. */
export function upcomingVersion(store: EventStore, stream: string): number {
  return headVersion(store, stream) + 1;
}
