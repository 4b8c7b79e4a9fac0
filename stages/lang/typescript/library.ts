// What the standard library does with values of other types. Members called
// __elem__, __index__ and __await__ say what iterating, indexing and awaiting give.

declare class Iterable<T> { __elem__: T }
declare class Iterator<T> { __elem__: T; next(): { value: T } }
declare class IterableIterator<T> extends Iterable<T> { next(): { value: T } }
declare class AsyncIterable<T> { __elem__: T }
declare class AsyncIterableIterator<T> extends AsyncIterable<T> { }
declare class Generator<T, R, N> extends Iterable<T> { next(): { value: T } }
declare class AsyncGenerator<T, R, N> extends AsyncIterable<T> { }

declare class ReadonlyArray<T> extends Iterable<T> {
  __index__: T;
  length: number;
  at(n: number): T;
  concat(...more: any[]): T[];
  entries(): IterableIterator<[number, T]>;
  every(f: (x: T, i: number, all: T[]) => unknown): boolean;
  filter(f: (x: T, i: number, all: T[]) => unknown): T[];
  find(f: (x: T, i: number, all: T[]) => unknown): T;
  findLast(f: (x: T, i: number, all: T[]) => unknown): T;
  findIndex(f: (x: T, i: number, all: T[]) => unknown): number;
  flatMap<U>(f: (x: T, i: number, all: T[]) => U[]): U[];
  forEach(f: (x: T, i: number, all: T[]) => void): void;
  includes(x: T): boolean;
  indexOf(x: T): number;
  join(by: string): string;
  flat(): __elem__<T>[];
  map<U>(f: (x: T, i: number, all: T[]) => U): U[];
  reduce(f: (sum: T, x: T, i: number, all: T[]) => T): T;
  reduce(f: (sum: T, x: T, i: number, all: T[]) => T, from: T): T;
  reduce<U>(f: (sum: U, x: T, i: number, all: T[]) => U, from: U): U;
  reduceRight<U>(f: (sum: U, x: T, i: number, all: T[]) => U, from: U): U;
  slice(from: number, to: number): T[];
  some(f: (x: T, i: number, all: T[]) => unknown): boolean;
  toSorted(f: (x: T, y: T) => number): T[];
  toReversed(): T[];
  values(): IterableIterator<T>;
}
declare class Array<T> extends ReadonlyArray<T> {
  fill(x: T): T[];
  pop(): T;
  push(...more: T[]): number;
  reverse(): T[];
  shift(): T;
  sort(f: (x: T, y: T) => number): T[];
  splice(from: number, n: number): T[];
  unshift(...more: T[]): number;
  static of<T>(x: T): T[];
  static from<T>(all: Iterable<T>): T[];
  static from<T, U>(all: Iterable<T>, f: (x: T, i: number) => U): U[];
  static isArray(x: any): boolean;
}

declare class PromiseLike<T> { __await__: T; then<U>(f: (x: T) => U): Promise<Awaited<U>> }
declare class Promise<T> extends PromiseLike<T> {
  constructor(f: (done: (x: T) => void, fail: (x: any) => void) => void);
  then<U>(f: (x: T) => U, g: (x: any) => any): Promise<Awaited<U>>;
  catch(f: (x: any) => any): Promise<T>;
  finally(f: () => void): Promise<T>;
  static resolve<T>(x: T): Promise<Awaited<T>>;
  static race<T>(all: Iterable<T>): Promise<Awaited<T>>;
  static any<T>(all: Iterable<T>): Promise<Awaited<T>>;
}

declare class Map<K, V> extends ReadonlyMap<K, V> {
  constructor(all: Iterable<[K, V]>);
  set(k: K, v: V): Map<K, V>;
  delete(k: K): boolean;
}
declare class ReadonlyMap<K, V> extends Iterable<[K, V]> {
  size: number;
  get(k: K): V;
  has(k: K): boolean;
  forEach(f: (v: V, k: K, all: Map<K, V>) => void): void;
  keys(): IterableIterator<K>;
  values(): IterableIterator<V>;
  entries(): IterableIterator<[K, V]>;
}
declare class WeakMap<K, V> {
  constructor(all: Iterable<[K, V]>);
  get(k: K): V;
  set(k: K, v: V): WeakMap<K, V>;
}
declare class Set<T> extends ReadonlySet<T> {
  constructor(all: Iterable<T>);
  add(x: T): Set<T>;
  delete(x: T): boolean;
}
declare class ReadonlySet<T> extends Iterable<T> {
  size: number;
  has(x: T): boolean;
  entries(): IterableIterator<[T, T]>;
  forEach(f: (x: T, y: T, all: Set<T>) => void): void;
  keys(): IterableIterator<T>;
  values(): IterableIterator<T>;
}
declare class WeakSet<T> { add(x: T): WeakSet<T> }
declare class WeakRef<T> { constructor(x: T); deref(): T }

type Partial<T> = T;
type Required<T> = T;
type Readonly<T> = T;
type NonNullable<T> = T;
type Omit<T, K> = T;
type Record<K, V> = { [key: string]: V };

declare class Object {
  static assign<A>(a: A, b: any): any;
  static freeze<T>(x: T): T;
  static seal<T>(x: T): T;
  static keys(x: any): string[];
  static values<T>(x: { [key: string]: T }): T[];
  static entries<T>(x: { [key: string]: T }): [string, T][];
}

declare class String { length: number; split(by: any): string[]; trim(): string; slice(a: number, b: number): string }
declare class Number { toFixed(n: number): string }
declare class Boolean {}
declare class RegExp {}
declare class Error { name: string; message: string; stack: string }
declare class Date {}

declare function structuredClone<T>(x: T): T;
