import { problem } from '../../../language/policy/yaml/problem.ts';
import { problemsAt } from '../../../language/policy/yaml/problems-at.ts';
import type { YamlDocument, YamlPath } from '../../../language/policy/yaml/yaml.ts';
import type { Diagnostic, DiagnosticCode, Position, SpecProblem } from '../../../model/diagnostic.ts';

/** A document being read, and its problems so far. */
export interface CaseReader {
  readonly document: YamlDocument;
  readonly diagnostics: Diagnostic[];
}

/** Notes a problem with the value at a path, or with the key that it ends with. */
export function complain(
  { document, diagnostics }: CaseReader,
  code: DiagnosticCode,
  path: YamlPath,
  message: string,
  hint?: string,
  at: 'key' | 'value' = 'value',
): void {
  diagnostics.push(problem(code, document.positionOf(path, at), message, hint));
}

/** Notes problems found below a path. */
export function complainAll(reader: CaseReader, base: YamlPath, found: readonly SpecProblem[]): void {
  reader.diagnostics.push(...problemsAt(reader.document, base, found));
}

export function positionAt({ document }: CaseReader, path: YamlPath): Position {
  return document.positionOf(path, 'value');
}
