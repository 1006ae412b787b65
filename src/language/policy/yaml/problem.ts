import type { Diagnostic, DiagnosticCode, Position } from '../../../model/diagnostic.ts';

export function problem(
  code: DiagnosticCode,
  position: Position,
  message: string,
  hint?: string,
): Diagnostic {
  const base = { code, severity: 'error', position, message } as const;
  return hint === undefined ? base : { ...base, hint };
}

/** Something to know that keeps nothing from working. */
export function warning(
  code: DiagnosticCode,
  position: Position,
  message: string,
  hint?: string,
): Diagnostic {
  return { ...problem(code, position, message, hint), severity: 'warning' };
}

/** Something to know about a part that works as it is written. */
export function note(code: DiagnosticCode, position: Position, message: string, hint?: string): Diagnostic {
  return { ...problem(code, position, message, hint), severity: 'note' };
}

/** The place of a problem with a file as a whole. */
export function startOf(file: string): Position {
  return { file, line: 1, column: 1, length: 1 };
}
