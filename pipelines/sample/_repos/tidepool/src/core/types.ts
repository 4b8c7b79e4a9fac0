// Shapes shared by all modules. Nothing here exists at run time.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What a caller hands in. */
export interface NewEvent {
  type: string;
  data: Json;
  meta?: Record<string, string>;
}

/** What the store keeps: version counts from 1 in its stream, position from 0 over all. */
export interface StoredEvent extends Required<NewEvent> {
  stream: string;
  version: number;
  position: number;
  time: number;
}

export type Fold<S> = (state: S, event: StoredEvent) => S;
