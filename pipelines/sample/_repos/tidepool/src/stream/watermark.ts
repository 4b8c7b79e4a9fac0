// Watermarks say: nothing older will come. Whatever comes nevertheless is late.

export interface Watermark {
  source: string;
  highest: number;
  slack: number;
}

export function openWatermark(source: string, slack: number): Watermark {
  return { source, highest: -Infinity, slack };
}

export function observe(mark: Watermark, time: number): Watermark {
  return time > mark.highest ? { ...mark, highest: time } : mark;
}

export function isLate(mark: Watermark, time: number): boolean {
  return time < mark.highest - mark.slack;
}

/** The slowest source decides; sources that are idle since a moment are left out. */
export function combinedWatermark(marks: Watermark[], idleBefore = -Infinity): number {
  const active = marks.filter((mark) => mark.highest >= idleBefore);
  if (active.length === 0) {
    return -Infinity;
  }
  return Math.min(...active.map((mark) => mark.highest - mark.slack));
}

/** Holds values back until the watermark has passed them, then lets them go in order of time. */
export class ReorderBuffer<T extends { time: number }> {
  private held: T[] = [];
  dropped = 0;

  constructor(private mark: Watermark) {}

  offer(value: T): T[] {
    if (isLate(this.mark, value.time)) {
      this.dropped++;
      return [];
    }
    this.held.push(value);
    this.mark = observe(this.mark, value.time);
    return this.release(this.mark.highest - this.mark.slack);
  }

  release(until: number): T[] {
    const ready = this.held.filter((value) => value.time <= until);
    this.held = this.held.filter((value) => value.time > until);
    return ready.sort((a, b) => a.time - b.time);
  }
}

/** How far the sources are apart, as one line per source, slowest first. */
export function describeLag(marks: Watermark[]): string[] {
  const lead = Math.max(...marks.map((mark) => mark.highest));
  return [...marks]
    .sort((a, b) => a.highest - b.highest || (a.source < b.source ? -1 : 1))
    .map((mark) => `${mark.source} −${lead - mark.highest} ms`);
}
