// The query language: comparisons joined by and, or, not. Both = and ≠ may be typed, so may !=.
import type { Json } from "../core/types";

export type Condition =
  | { kind: "compare"; path: string[]; operator: string; value: Json }
  | { kind: "not"; inner: Condition }
  | { kind: "and" | "or"; left: Condition; right: Condition };

interface Token {
  text: string;
  kind: "word" | "text" | "number" | "sign";
  at: number;
}

interface Cursor {
  tokens: Token[];
  next: number;
  source: string;
}

const LEXEME = /\s+|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?)|(?<sign><=|>=|!=|[=≠<>~()])|(?<word>[\p{L}_][\p{L}\p{N}_.]*)/uy;

/** Cuts a query into tokens; the error points at the sign nobody understands. */
export function tokenise(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    LEXEME.lastIndex = at;
    const match = LEXEME.exec(source);
    if (match === null) {
      throw new SyntaxError(`${source}\n${" ".repeat(at)}▲ unexpected “${source[at]}”`);
    }
    for (const kind of ["text", "number", "sign", "word"] as const) {
      if (match.groups?.[kind] !== undefined) {
        tokens.push({ text: match[0], kind, at });
      }
    }
    at = LEXEME.lastIndex;
  }
  return tokens;
}

/** Parses a whole query; or binds weakest, then and, then not. */
export function parse(source: string): Condition {
  const cursor: Cursor = { tokens: tokenise(source), next: 0, source };
  const condition = parseAlternatives(cursor);
  if (cursor.next < cursor.tokens.length) {
    throw complaint(cursor, "end of query");
  }
  return condition;
}

function complaint(cursor: Cursor, wanted: string): SyntaxError {
  const token = cursor.tokens[cursor.next];
  const at = token?.at ?? cursor.source.length;
  return new SyntaxError(`${cursor.source}\n${" ".repeat(at)}▲ expected ${wanted}`);
}

function acceptToken(cursor: Cursor, text: string): boolean {
  if (cursor.tokens[cursor.next]?.text.toLowerCase() !== text) {
    return false;
  }
  cursor.next++;
  return true;
}

function parseAlternatives(cursor: Cursor): Condition {
  let left = parseConjunction(cursor);
  while (acceptToken(cursor, "or")) {
    left = { kind: "or", left, right: parseConjunction(cursor) };
  }
  return left;
}

function parseConjunction(cursor: Cursor): Condition {
  let left = parseNegation(cursor);
  while (acceptToken(cursor, "and")) {
    left = { kind: "and", left, right: parseNegation(cursor) };
  }
  return left;
}

function parseNegation(cursor: Cursor): Condition {
  if (acceptToken(cursor, "not")) {
    return { kind: "not", inner: parseNegation(cursor) };
  }
  if (acceptToken(cursor, "(")) {
    const inner = parseAlternatives(cursor);
    if (!acceptToken(cursor, ")")) {
      throw complaint(cursor, "a closing parenthesis");
    }
    return inner;
  }
  return parseComparison(cursor);
}

function parseComparison(cursor: Cursor): Condition {
  const field = cursor.tokens[cursor.next];
  if (field?.kind !== "word") {
    throw complaint(cursor, "a field");
  }
  cursor.next++;
  const operator = cursor.tokens[cursor.next];
  if (operator?.kind !== "sign" || "()".includes(operator.text)) {
    throw complaint(cursor, "a comparison");
  }
  cursor.next++;
  const value = parseLiteral(cursor);
  return { kind: "compare", path: field.text.split("."), operator: operator.text === "≠" ? "!=" : operator.text, value };
}

function parseLiteral(cursor: Cursor): Json {
  const token = cursor.tokens[cursor.next];
  if (token === undefined || token.kind === "sign") {
    throw complaint(cursor, "a value");
  }
  cursor.next++;
  const names: Record<string, Json> = { true: true, false: false, null: null };
  if (token.kind === "word") {
    return token.text in names ? names[token.text] : token.text;
  }
  return JSON.parse(token.text) as Json;
}
