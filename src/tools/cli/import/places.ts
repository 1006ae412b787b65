import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Position } from '../../../model/diagnostic.ts';
import { positionAt } from '../../report/layout/source-text.ts';
import {
  type ImportDraft,
  type ImportedDecision,
  type ImportedSubject,
  type ImportSource,
  UnreadableImport,
} from './imported.ts';

/** Deeper than any settings are, and shallow enough for every parser. */
const MAX_DEPTH = 100;

/** The place of a part of the source. */
export function placeAt({ text, file }: ImportSource, offset: number, length = 1): Position {
  return { file, ...positionAt(text, offset), length: Math.max(1, length) };
}

/**
 * Refuses brackets inside brackets that no parser survives.
 *
 * @param quotes the characters that begin and end a string
 */
export function checkDepth(source: ImportSource, quotes: string, comment?: string): void {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < source.text.length; at++) {
    const unit = source.text[at] ?? '';
    if (quote !== '') {
      if (unit === '\\' && quote === '"') at++;
      else if (unit === quote || unit === '\n') quote = '';
    } else if (quotes.includes(unit)) quote = unit;
    else if (unit === comment) at = endOfLine(source.text, at);
    else if (unit === '[' || unit === '{' || unit === '(') depth++;
    else if (unit === ']' || unit === '}' || unit === ')') depth--;
    if (depth > MAX_DEPTH) throw unreadable(source, at, `brackets are more than ${MAX_DEPTH} deep`);
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

export function unreadable(source: ImportSource, offset: number, cause: string): UnreadableImport {
  const { line, column } = placeAt(source, offset);
  return new UnreadableImport(`${source.file}:${line}:${column}: Cannot read the file: ${cause}`);
}

export interface PlacedValue {
  readonly value: unknown;
  readonly type: Node['type'];
  readonly position: Position;
  /** Keys with their values, the last of those with the same name at the place of the first, as JSON is read. */
  readonly entries: readonly {
    readonly key: string;
    readonly position: Position;
    readonly item: PlacedValue;
  }[];
  readonly items: readonly PlacedValue[];
  /** Keys whose value another one of the same name replaces. */
  readonly repeated: readonly { readonly key: string; readonly position: Position }[];
}

/**
 * Reads a JSON object, with comments and commas at the end.
 *
 * @throws UnreadableImport if it is none
 */
export function readPlacedJson(source: ImportSource): PlacedValue {
  checkDepth(source, '"');
  const errors: ParseError[] = [];
  const tree = parseTree(source.text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || tree === undefined) {
    const code = first === undefined ? 'it is empty' : printParseErrorCode(first.error);
    const cause = code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
    throw unreadable(source, first?.offset ?? 0, `it is not valid JSON (${cause})`);
  }
  if (tree.type !== 'object') throw unreadable(source, tree.offset, 'it holds no JSON object');
  return placed(tree, source);
}

function placed(node: Node, source: ImportSource): PlacedValue {
  const entries = new Map<string, { key: string; position: Position; item: PlacedValue }>();
  const repeated: { key: string; position: Position }[] = [];
  const position = placeAt(source, node.offset, node.length);
  const children = node.children ?? [];
  if (node.type === 'object')
    for (const { children: [name, item] = [] } of children) {
      if (name === undefined || item === undefined) continue;
      const key = String(name.value);
      const at = placeAt(source, name.offset, name.length);
      const before = entries.get(key);
      if (before !== undefined) repeated.push({ key, position: before.position });
      entries.set(key, { key, position: at, item: placed(item, source) });
    }
  const items = node.type === 'array' ? children.map((child) => placed(child, source)) : [];
  return { value: node.value, type: node.type, position, entries: [...entries.values()], items, repeated };
}

export function childOf(placed: PlacedValue | undefined, key: string): PlacedValue | undefined {
  return placed?.entries.find((entry) => entry.key === key)?.item;
}

export function findRepeated(placed: PlacedValue | undefined, into: ImportDraft): void {
  for (const { key, position } of placed?.repeated ?? [])
    into.find('dead', position, `"${key}" appears twice, and the last one counts`);
}

/**
 * Reads the rules of a list.
 *
 * @param subjectOf the subject of a rule, or why it has none
 */
export function takeList(
  into: ImportDraft,
  decision: ImportedDecision,
  name: string,
  list: PlacedValue | undefined,
  subjectOf: (text: string) => ImportedSubject | string,
): void {
  if (list !== undefined && list.type !== 'array')
    into.find('lost', list.position, `"${name}": it is no list`);
  for (const { value, position } of list?.items ?? [])
    into.take(
      decision,
      String(value),
      position,
      typeof value === 'string' ? subjectOf(value) : 'a rule is a string',
    );
}
