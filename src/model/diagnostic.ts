import type { DIAGNOSTIC_KINDS } from './diagnostic-kinds.ts';

/** A kind of problem. Each is a section of the reference. */
export type DiagnosticCode = keyof typeof DIAGNOSTIC_KINDS;

/** `error`: the file cannot be used. `warning`: it does not do what it seems to do. `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/** A place in a text file. Lines and columns count from 1; columns count UTF-16 units. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The number of marked columns, at least 1. */
  readonly length: number;
}

/** A change of a file that removes a problem and keeps the meaning. */
export interface Fix {
  /** They do not overlap. Offsets count UTF-16 units; ends are exclusive. */
  readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** A problem found in a file, as data; `report/` turns it into text. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly position: Position;
  /** In the form `Cannot <verb> <thing> "<value>": <state>`, without a final period. */
  readonly message: string;
  /** The advice: `did you mean "arguments"?` */
  readonly hint?: string;
  /** A safe change, if there is one. */
  readonly fix?: Fix;
  /** The matching key concerned, which `policy docs` explains. */
  readonly topic?: string;
}

/** True for those that keep a file from being used. */
export function errorsIn(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  const p = a.position;
  const q = b.position;
  if (p.file !== q.file) return p.file < q.file ? -1 : 1;
  return p.line - q.line || p.column - q.column || (a.message < b.message ? -1 : 1);
}

/** A problem in a spec that its JSON Schema cannot express. */
export interface SpecProblem {
  readonly code: DiagnosticCode;
  /** Keys and indexes that lead from the spec to the culprit. */
  readonly path: readonly (string | number)[];
  /** The wrong part: the value unless given. */
  readonly at?: 'key' | 'value';
  readonly message: string;
  readonly hint?: string;
}
