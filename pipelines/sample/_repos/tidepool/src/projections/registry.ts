import { EventStore, StoredEvent } from "../core/index";
import { stableStringify } from "@core/event";
import type { Json } from "@core/types";

export interface Projection {
  apply(event: StoredEvent): void;
  state(): Json;
}

type Maker = new () => Projection;

const makers = new Map<string, Maker>();

/** Class decorator: makes a projection known under a name. */
export function projection(name: string) {
  return function register<C extends Maker>(target: C, _context: ClassDecoratorContext): C {
    if (makers.has(name)) {
      throw new Error(`two projections are called ${name}`);
    }
    makers.set(name, target);
    return target;
  };
}

export function projectionNames(): string[] {
  return [...makers.keys()].sort();
}

export function instantiate(name: string): Projection {
  const maker = makers.get(name);
  if (maker === undefined) {
    throw new RangeError(`no projection ${name}; there are ${projectionNames().join(", ")}`);
  }
  return new maker();
}

/** Runs a projection over the whole log and stays subscribed; returns it with its cancel function. */
export function attach(store: EventStore, name: string): { view: Projection; cancel: () => void } {
  const view = instantiate(name);
  const cancel = store.subscribe((event) => view.apply(event), 0);
  return { view, cancel };
}

/** Projects the log twice and reads one of the two after every event: that must change nothing. */
export function isDeterministic(store: EventStore, name: string): boolean {
  const quiet = instantiate(name);
  const watched = instantiate(name);
  for (const event of store.log) {
    quiet.apply(event);
    watched.apply(event);
    stableStringify(watched.state());
  }
  return stableStringify(quiet.state()) === stableStringify(watched.state());
}
