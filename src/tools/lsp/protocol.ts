import { fileURLToPath, pathToFileURL } from 'node:url';
import { DiagnosticSeverity, type Range, type Diagnostic as SentDiagnostic } from 'vscode-languageserver';
import type { Diagnostic, Position, Severity } from '../../model/diagnostic.ts';

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
};

/** A finding as editors show it. */
export function sentDiagnostic({ code, severity, position, message, hint }: Diagnostic): SentDiagnostic {
  return {
    range: rangeOf(position),
    severity: SEVERITIES[severity],
    code,
    source: 'policy',
    message: hint === undefined ? message : `${message}\n${hint}`,
  };
}

/** The protocol counts from 0, and columns in UTF-16 units, as positions do. */
export function rangeOf({ line, column, length }: Position): Range {
  const start = { line: line - 1, character: column - 1 };
  return { start, end: { line: start.line, character: start.character + length } };
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

/** Undefined for a URI that is no file of this machine. */
export function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
