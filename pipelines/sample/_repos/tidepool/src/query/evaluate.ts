import { EventStore } from "@core/store";
import type { Json, StoredEvent } from "@core/types";
import { Condition, parse } from "./parser";

/** Follows a path of names through nested objects; undefined when it leads nowhere. */
export function valueAt(root: unknown, path: string[]): Json | undefined {
  let here = root;
  for (const name of path) {
    if (here === null || typeof here !== "object" || !Object.hasOwn(here, name)) {
      return undefined;
    }
    here = (here as Record<string, unknown>)[name];
  }
  return here as Json;
}

/** Turns a pattern with * and ? into a regular expression that must match all of a text. */
export function globToPattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "us");
}

function compareScalars(left: Json | undefined, operator: string, right: Json): boolean {
  if (operator === "=" || operator === "!=") {
    return (left === right) === (operator === "=");
  }
  if (operator === "~") {
    return typeof left === "string" && globToPattern(String(right)).test(left);
  }
  if (typeof left !== typeof right || (typeof left !== "number" && typeof left !== "string")) {
    return false;
  }
  const order = left === right ? 0 : left < (right as typeof left) ? -1 : 1;
  return operator === "<" ? order < 0 : operator === "<=" ? order <= 0 : operator === ">" ? order > 0 : order >= 0;
}

export function matches(condition: Condition, event: StoredEvent): boolean {
  switch (condition.kind) {
    case "and":
      return matches(condition.left, event) && matches(condition.right, event);
    case "or":
      return matches(condition.left, event) || matches(condition.right, event);
    case "not":
      return !matches(condition.inner, event);
    case "compare":
      return compareScalars(valueAt(event, condition.path), condition.operator, condition.value);
  }
}

export function select(store: EventStore, query: string): StoredEvent[] {
  const condition = parse(query);
  return store.log.filter((event) => matches(condition, event));
}

/** Writes a condition back as text with every pair of parentheses spelled out. */
export function format(condition: Condition): string {
  switch (condition.kind) {
    case "compare":
      return `${condition.path.join(".")} ${condition.operator} ${JSON.stringify(condition.value)}`;
    case "not":
      return `not (${format(condition.inner)})`;
    default:
      return `(${format(condition.left)} ${condition.kind} ${format(condition.right)})`;
  }
}

/** All field names a condition looks at, each once, in alphabetical order. */
export function fieldsUsed(condition: Condition): string[] {
  if (condition.kind === "compare") {
    return [condition.path.join(".")];
  }
  const parts = condition.kind === "not" ? [condition.inner] : [condition.left, condition.right];
  return [...new Set(parts.flatMap(fieldsUsed))].sort();
}
