import type { StoredEvent } from "@core/types";

/** Half-open interval of event time. */
export interface Window {
  start: number;
  end: number;
}

export interface Pane<T> extends Window {
  values: T[];
}

type Timed = Pick<StoredEvent, "time">;

export function alignDown(time: number, size: number, offset = 0): number {
  return Math.floor((time - offset) / size) * size + offset;
}

/** Fixed windows side by side; only those that hold something are returned. */
export function tumbling<T extends Timed>(values: T[], size: number): Pane<T>[] {
  const panes = new Map<number, Pane<T>>();
  for (const value of values) {
    const start = alignDown(value.time, size);
    const pane = panes.get(start) ?? { start, end: start + size, values: [] };
    pane.values.push(value);
    panes.set(start, pane);
  }
  return sortPanes([...panes.values()]);
}

/** Windows that begin every step and overlap when the step is shorter than the size. */
export function hopping<T extends Timed>(values: T[], size: number, step: number): Pane<T>[] {
  const panes = new Map<number, Pane<T>>();
  for (const value of values) {
    let start = alignDown(value.time, step);
    while (start > value.time - size) {
      const pane = panes.get(start) ?? { start, end: start + size, values: [] };
      pane.values.push(value);
      panes.set(start, pane);
      start -= step;
    }
  }
  return sortPanes([...panes.values()]);
}

/** One window per burst: a pause of at least the gap begins a new one. */
export function sessions<T extends Timed>(values: T[], gap: number): Pane<T>[] {
  const ordered = [...values].sort((a, b) => a.time - b.time);
  const panes: Pane<T>[] = [];
  for (const value of ordered) {
    const open = panes[panes.length - 1];
    if (open !== undefined && value.time < open.end) {
      open.values.push(value);
      open.end = value.time + gap;
    } else {
      panes.push({ start: value.time, end: value.time + gap, values: [value] });
    }
  }
  return panes;
}

function sortPanes<T>(panes: Pane<T>[]): Pane<T>[] {
  return panes.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The smallest set of windows that covers the same time. */
export function unionWindows(windows: Window[]): Window[] {
  const merged: Window[] = [];
  for (const { start, end } of [...windows].sort((a, b) => a.start - b.start)) {
    const last = merged[merged.length - 1];
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
    } else {
      merged.push({ start, end });
    }
  }
  return merged;
}

/** Stretches without any window between the first and the last one. */
export function findGaps(windows: Window[]): Window[] {
  const covered = unionWindows(windows);
  return covered.slice(1).map((window, i) => ({ start: covered[i].end, end: window.start }));
}
