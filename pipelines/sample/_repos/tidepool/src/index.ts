export * from "./core";
export * from "./stream";
export * from "./projections/registry";
export { format as formatQuery, select } from "./query/evaluate";
export { parse as parseQuery } from "./query/parser";
export { encodeSegment, scanSegment } from "./storage/segment";
export type { Condition } from "./query/parser";
