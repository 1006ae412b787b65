import { type FoundProblem, kindName } from '../../language/calls/found-problem.ts';
import { problem } from '../../language/policy/yaml/problem.ts';
import type { YamlDocument, YamlPath } from '../../language/policy/yaml/yaml.ts';
import { closest } from '../../lib/closest.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { Diagnostic, DiagnosticCode, Position } from '../../model/diagnostic.ts';

/** A document being read, and what is wrong with it so far. */
export interface CaseReader {
  readonly document: YamlDocument;
  readonly diagnostics: Diagnostic[];
}

/** Notes a problem with the value at a path. */
export function complain(
  { document, diagnostics }: CaseReader,
  code: DiagnosticCode,
  path: YamlPath,
  message: string,
  hint?: string,
): void {
  diagnostics.push(problem(code, document.positionOf(path, 'value'), message, hint));
}

/** Notes a problem with the key that a path ends with. */
export function complainOfKey(
  { document, diagnostics }: CaseReader,
  code: DiagnosticCode,
  path: YamlPath,
  message: string,
  hint: string,
): void {
  diagnostics.push(problem(code, document.positionOf(path, 'key'), message, hint));
}

/** Notes problems found below a path. */
export function complainAll(reader: CaseReader, base: YamlPath, found: readonly FoundProblem[]): void {
  for (const { code, path, at, message, hint } of found) {
    reader.diagnostics.push(problem(code, reader.document.positionOf([...base, ...path], at), message, hint));
  }
}

/** Notes every key that a mapping may not have. */
export function checkKeys(
  reader: CaseReader,
  mapping: JsonObject,
  path: YamlPath,
  known: readonly string[],
  owner: string,
): void {
  for (const key of Object.keys(mapping)) {
    if (known.includes(key)) continue;
    const near = closest(key, known);
    const hint = near === undefined ? `use one of ${known.join(', ')}` : `did you mean "${near}"?`;
    complainOfKey(reader, 'unknown-key', [...path, key], `Cannot use key "${key}" in ${owner}`, hint);
  }
}

/** Notes that a key's value is of another type than the one that is wanted. */
export function wrongType(reader: CaseReader, path: YamlPath, value: Json, wanted: string): void {
  const key = path.findLast((step) => typeof step === 'string');
  const last = path.at(-1);
  const item = typeof last === 'number' ? `item ${last + 1} of ` : '';
  const what = key === undefined ? 'the file' : item === '' ? `key "${key}"` : `${item}"${key}"`;
  const quote =
    wanted.includes('text') && value !== null && typeof value !== 'object'
      ? '; quote it to make it a string'
      : '';
  complain(
    reader,
    'wrong-type',
    path,
    `Cannot use ${what}: it is ${kindName(value)}`,
    `write ${wanted}${quote}`,
  );
}

/** A text that is not empty, or a problem and undefined. Nothing at all is fine. */
export function textAt(
  reader: CaseReader,
  mapping: JsonObject,
  key: string,
  path: YamlPath,
): string | undefined {
  const value = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  if (value === '')
    complain(reader, 'bad-value', [...path, key], `Cannot use key "${key}": it is empty`, 'write a string');
  else wrongType(reader, [...path, key], value, 'a string');
  return undefined;
}

/** The place of a value. */
export function positionAt({ document }: CaseReader, path: YamlPath): Position {
  return document.positionOf(path, 'value');
}
