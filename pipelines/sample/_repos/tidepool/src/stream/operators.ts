// Push pipelines: a stage is a function that wraps the sink behind it. ① build, ② push, ③ end.

export interface Sink<T> {
  push(value: T): void;
  end(): void;
}

export type Stage<A, B> = (behind: Sink<B>) => Sink<A>;

/** A sink that keeps everything it is given. */
export function collector<T>(into: T[]): Sink<T> {
  return { push: (value) => void into.push(value), end: () => undefined };
}

export function mapEach<A, B>(change: (value: A) => B): Stage<A, B> {
  return (behind) => ({ push: (value) => behind.push(change(value)), end: () => behind.end() });
}

export function keepIf<T>(wanted: (value: T) => boolean): Stage<T, T> {
  return (behind) => ({
    push(value) {
      if (wanted(value)) {
        behind.push(value);
      }
    },
    end: () => behind.end(),
  });
}

/** Drops values whose key equals the key of the value just before. */
export function dropRepeats<T, K>(keyOf: (value: T) => K): Stage<T, T> {
  return (behind) => {
    let last: { key: K } | undefined;
    return {
      push(value) {
        const key = keyOf(value);
        if (last === undefined || last.key !== key) {
          behind.push(value);
        }
        last = { key };
      },
      end: () => behind.end(),
    };
  };
}

/** Groups values into arrays of a fixed size; the last one may be shorter. */
export function chunked<T>(size: number): Stage<T, T[]> {
  return (behind) => {
    let chunk: T[] = [];
    return {
      push(value) {
        chunk.push(value);
        if (chunk.length === size) {
          behind.push(chunk);
          chunk = [];
        }
      },
      end() {
        if (chunk.length > 0) {
          behind.push(chunk);
        }
        behind.end();
      },
    };
  };
}

/** Runs a fold and passes every intermediate state on. */
export function scanWith<T, S>(initial: S, step: (state: S, value: T) => S): Stage<T, S> {
  return (behind) => {
    let state = initial;
    return {
      push(value) {
        state = step(state, value);
        behind.push(state);
      },
      end: () => behind.end(),
    };
  };
}

export function chain<A, B, C>(first: Stage<A, B>, second: Stage<B, C>): Stage<A, C> {
  return (behind) => first(second(behind));
}

export function runThrough<A, B>(values: Iterable<A>, stage: Stage<A, B>): B[] {
  const out: B[] = [];
  const head = stage(collector(out));
  for (const value of values) {
    head.push(value);
  }
  head.end();
  return out;
}

/** Merges sorted arrays into one; equal values keep the order of their arrays. */
export function mergeSorted<T>(sources: T[][], compare: (a: T, b: T) => number): T[] {
  const next = sources.map(() => 0);
  const merged: T[] = [];
  for (;;) {
    let best = -1;
    for (let i = 0; i < sources.length; i++) {
      if (next[i] < sources[i].length && (best < 0 || compare(sources[i][next[i]], sources[best][next[best]]) < 0)) {
        best = i;
      }
    }
    if (best < 0) {
      return merged;
    }
    merged.push(sources[best][next[best]++]);
  }
}
