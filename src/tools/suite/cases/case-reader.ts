import type { FoundProblem } from '../../../language/calls/found-problem.ts';
import { problem } from '../../../language/policy/yaml/problem.ts';
import type { YamlDocument, YamlPath } from '../../../language/policy/yaml/yaml.ts';
import { itemsOf, type JsonObject, own } from '../../../lib/json.ts';
import type { Diagnostic, DiagnosticCode, Position } from '../../../model/diagnostic.ts';

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

/** The texts of a list under a key; none if it is not there. */
export function textsAt(mapping: JsonObject, key: string): readonly string[] {
  return itemsOf(own(mapping, key)).filter((item) => typeof item === 'string');
}

/** The place of a value. */
export function positionAt({ document }: CaseReader, path: YamlPath): Position {
  return document.positionOf(path, 'value');
}
