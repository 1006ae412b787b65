/** The closed set of problem kinds. Each is a section of the reference. */
export const DIAGNOSTIC_CODES = [
  'yaml',
  'unknown-key',
  'duplicate-id',
  'missing-key',
  'wrong-type',
  'bad-value',
  'regex',
  'glob',
  'json-schema',
  'template',
  'event-action',
  'event-key',
  'extends',
  'trust',
  'file',
  'example',
  'host-support',
  'host-unknown',
] as const;
export type DiagnosticCode = (typeof DIAGNOSTIC_CODES)[number];

/** A place in a text file. Lines and columns count from 1; columns count UTF-16 units. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How many columns the culprit spans, at least 1. */
  readonly length: number;
}

/** A problem found in a file, as data; `report/` turns it into text. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: 'error' | 'warning';
  readonly position: Position;
  /** One voice: `Cannot <verb> <thing> "<value>": <state>`, no final period. */
  readonly message: string;
  /** What to do about it: `did you mean "arguments"?` */
  readonly hint?: string;
}

/** By file, line, column, then message. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  const p = a.position;
  const q = b.position;
  if (p.file !== q.file) return p.file < q.file ? -1 : 1;
  return p.line - q.line || p.column - q.column || (a.message < b.message ? -1 : 1);
}
