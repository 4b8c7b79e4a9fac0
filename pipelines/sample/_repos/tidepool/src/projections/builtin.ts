import { clock } from "../core";
import type { Json, StoredEvent } from "@tidepool";
import { sessions } from "@stream/windows";
import { projection, Projection } from "./registry";

/** How many events of each type there were. */
@projection("census")
export class Census implements Projection {
  private readonly counts: Record<string, number> = {};

  apply(event: StoredEvent): void {
    this.counts[event.type] = (this.counts[event.type] ?? 0) + 1;
  }

  state(): Json {
    return { ...this.counts };
  }
}

/** When each stream was busy. */
@projection("activity")
export class Activity implements Projection {
  private readonly seen = new Map<string, StoredEvent[]>();

  apply(event: StoredEvent): void {
    this.seen.set(event.stream, [...(this.seen.get(event.stream) ?? []), event]);
  }

  state(): Json {
    const rows: Json[] = [];
    for (const [stream, events] of this.seen) {
      rows.push({ stream, bursts: sessions(events, 30_000).length, longest: longestBurst(events) });
    }
    return rows;
  }
}

/** Number of events in the busiest session. */
export function longestBurst(events: StoredEvent[]): number {
  return sessions(events, 30_000).reduce((most, pane) => Math.max(most, pane.values.length), 0);
}

/** The clocks that events carry in their meta data, checked for steps backwards. */
export function clockRegressions(events: StoredEvent[]): string[] {
  const last = new Map<string, clock.Timestamp>();
  const regressions: string[] = [];
  for (const event of events) {
    if (event.meta.clock === undefined) {
      continue;
    }
    const time = clock.parse(event.meta.clock);
    const before = last.get(time.node);
    if (before !== undefined && clock.happenedBefore(time, before)) {
      regressions.push(`${event.stream}@${event.version}: ${clock.format(time)} after ${clock.format(before)}`);
    }
    last.set(time.node, time);
  }
  return regressions;
}
