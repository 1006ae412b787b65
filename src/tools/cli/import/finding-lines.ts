import type { Paint } from '../../report/paint.ts';
import { printable } from '../../report/printable.ts';
import type { FindingKind, ImportFinding } from './imported.ts';

/** What does no harm if nobody reads it. */
const NOTES: readonly FindingKind[] = ['differs', 'left-out'];

/** Findings in the order of the file, each as place, severity, kind and message. */
export function findingLines(findings: readonly ImportFinding[], paint: Paint): readonly string[] {
  return [...findings].sort(compare).map(({ kind, position, message, hint }) => {
    const place = `${position.file}:${position.line}:${position.column}`;
    const label = NOTES.includes(kind) ? paint.cyan('note') : paint.yellow('warning');
    const title = `${paint.bold(printable(place))} ${label} ${kind}  ${printable(message)}`;
    return hint === undefined ? title : `${title}\n    ${printable(hint)}`;
  });
}

function compare(a: ImportFinding, b: ImportFinding): number {
  return a.position.line - b.position.line || a.position.column - b.position.column;
}
