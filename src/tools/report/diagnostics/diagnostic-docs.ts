import type { DiagnosticCode } from '../../../model/diagnostic.ts';

/** Where a code is explained: a section of the documentation. */
export function docsOf(code: DiagnosticCode): string {
  return `docs/lint.md#${code}`;
}
