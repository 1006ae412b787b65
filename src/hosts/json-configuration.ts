import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { deepEqual } from '../lib/deep-equal.ts';
import { asObject, isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import { atPath } from '../lib/json-path.ts';
import { ConfigurationProblem } from './configuration-problem.ts';
import { changedYaml, valueOfYaml } from './yaml-configuration.ts';

/** The byte order mark. */
const MARK = '\uFEFF';

export interface JsonDialect {
  /** True if the host reads files with comments. */
  readonly comments: boolean;
  /** True if it may begin with a byte order mark, and commas may end its lists. Other parts of JSON5 are not read. */
  readonly json5?: true;
  /** True if it is YAML. */
  readonly yaml?: true;
}

/**
 * Reads a JSON configuration. No file and an empty one are an empty object.
 *
 * @throws ConfigurationProblem with the place if the host cannot read it
 */
export function parseConfiguration(text: string | undefined, dialect: JsonDialect): JsonObject {
  if (text === undefined || text.trim() === '') return {};
  if (dialect.yaml) return valueOfYaml(text);
  if (dialect.json5 && text.startsWith(MARK)) return parseConfiguration(text.slice(1), dialect);
  const { comments, json5 = false } = dialect;
  const errors: ParseError[] = [];
  const value: Json = parse(text, errors, { disallowComments: !comments, allowTrailingComma: json5 });
  const [first] = errors;
  if (first !== undefined) {
    const before = text.slice(0, first.offset).split('\n');
    const what = printParseErrorCode(first.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    const at = `${before.length}:${(before.at(-1)?.length ?? 0) + 1} (${what})`;
    throw new ConfigurationProblem(
      json5
        ? `it is not JSON with comments at ${at}; put keys and texts in double quotes`
        : `it is not valid JSON at ${at}; fix it first`,
    );
  }
  if (!isJsonObject(value)) throw new ConfigurationProblem('it holds no object; fix it first');
  return value;
}

/** Reads as much as it can of a JSON text that is not ours to fix, with comments or without. */
export function readLoosely(text: string | undefined): JsonObject {
  const value: Json = parse(text ?? '', [], { allowTrailingComma: true });
  return asObject(value);
}

/** The text as it is, if a new one says the same. */
export function keepIfSame(current: string | undefined, text: string, dialect: JsonDialect): string {
  const isSame =
    current !== undefined &&
    deepEqual(parseConfiguration(current, dialect), parseConfiguration(text, dialect));
  return isSame ? current : text;
}

/** One change: a value at a path, an entry at the end of a list (`-1`), or nothing in its place (undefined). */
export interface ConfigurationChange {
  readonly path: JSONPath;
  readonly value: Json | undefined;
}

/**
 * Makes changes in a JSON text and leaves everything else as it is, comments and spaces too.
 *
 * @throws ConfigurationProblem if they cannot be made, or the text then says something else
 */
export function changeConfiguration(
  text: string | undefined,
  changes: readonly ConfigurationChange[],
  dialect: JsonDialect,
): string {
  if (dialect.yaml) return changedYaml(text ?? '', changes);
  if (dialect.json5 && text?.startsWith(MARK))
    return MARK + changeConfiguration(text.slice(1), changes, dialect);
  let changed = text === undefined || text.trim() === '' ? '{\n}\n' : text;
  for (const change of changes) {
    const before = parseConfiguration(changed, dialect);
    changed = changeOnce(changed, change);
    // A key that is there twice is changed where no host looks.
    const expected = changedValue(before, change.path, change.value) ?? {};
    if (!deepEqual(parseConfiguration(changed, dialect), expected)) {
      throw new ConfigurationProblem(`its key "${change.path[0]}" appears twice; fix it first`);
    }
  }
  return changed;
}

function changeOnce(text: string, { path, value }: ConfigurationChange): string {
  try {
    const edits = modify(text, path, value, { isArrayInsertion: path.at(-1) === -1 });
    return applyEdits(
      text,
      edits.map((edit) =>
        value === undefined ? removal(text, edit, path) : formattedEdit(text, edit, path, value),
      ),
    );
  } catch {
    const holder = path.slice(0, -1).join('.');
    throw new ConfigurationProblem(`its key "${holder}" holds something else than it should; fix it first`);
  }
}

/** Corrects the library's edit for the last entry of a list (line break) and the only one (comma). */
function removal(text: string, edit: Edit, path: JSONPath): Edit {
  const tree = parseTree(text);
  const item = tree && findNodeAtLocation(tree, path);
  const [comma = ''] = /^\s*,(?=\s*[}\]])/.exec(text.slice(edit.offset + edit.length)) ?? [];
  if (comma !== '' && /[{[]\s*$/.test(text.slice(0, edit.offset)))
    return { ...edit, length: edit.length + comma.length };
  const before =
    item?.parent?.type === 'array' && item.parent.children?.[item.parent.children.indexOf(item) - 1];
  if (item === undefined || !before) return edit;
  const offset = before.offset + before.length;
  return { offset, length: item.offset + item.length - offset, content: '' };
}

/** Lays an edit out on lines of its own with the indentation of the text. A text of one line stays one. */
function formattedEdit(text: string, edit: Edit, path: JSONPath, value: Json): Edit {
  if (!text.trim().includes('\n')) return edit;
  const tree = parseTree(text);
  const isThere = (length: number) =>
    tree !== undefined && findNodeAtLocation(tree, path.slice(0, length)) !== undefined;
  let depth = 1;
  while (depth < path.length && isThere(depth)) depth++;
  if (isThere(depth)) return edit;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const [, unit = '  '] = /^([ \t]+)"/m.exec(text) ?? [];
  const key = path[depth - 1];
  const wrapped = path
    .slice(depth)
    .reduceRight<Json>((inside, each) => (typeof each === 'string' ? { [each]: inside } : [inside]), value);
  const lines = JSON.stringify(wrapped, null, unit).split('\n');
  const added = `${typeof key === 'string' ? `${JSON.stringify(key)}: ` : ''}${lines.join(eol + unit.repeat(depth))}`;
  const isFirst = !edit.content.startsWith(',');
  const end = isFirst ? eol + unit.repeat(depth - 1) : '';
  const [space = ''] = isFirst ? (/^\s*(?=[}\]])/.exec(text.slice(edit.offset)) ?? []) : [];
  return {
    offset: edit.offset,
    length: space.length,
    content: `${isFirst ? '' : ','}${eol}${unit.repeat(depth)}${added}${end}`,
  };
}

/** The path of a value, or of the outermost list or object that holds nothing else. */
export function withHolders(settings: JsonObject, path: JSONPath): JSONPath {
  const holder = path.slice(0, -1);
  const held = atPath(settings, holder);
  const isAlone = typeof held === 'object' && held !== null && Object.keys(held).length === 1;
  return holder.length > 0 && isAlone ? withHolders(settings, holder) : path;
}

/** Puts a value at a path of another; undefined takes it out. */
function changedValue(
  value: Json | undefined,
  [key, ...rest]: JSONPath,
  to: Json | undefined,
): Json | undefined {
  if (key === undefined) return to;
  if (typeof key === 'number') {
    const items = Array.isArray(value) ? value : [];
    if (key === -1) return [...items, ...(to === undefined ? [] : [to])];
    const item = changedValue(items[key], rest, to);
    return [...items.slice(0, key), ...(item === undefined ? [] : [item]), ...items.slice(key + 1)];
  }
  const { [key]: old, ...others } = asObject(value);
  const item = changedValue(old, rest, to);
  return item === undefined ? others : { ...others, [key]: item };
}
