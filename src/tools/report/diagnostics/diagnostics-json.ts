import type { JsonObject } from '../../../lib/json.ts';
import {
  compareDiagnostics,
  type Diagnostic,
  type DiagnosticCode,
  type Severity,
} from '../../../model/diagnostic.ts';
import { JSON_VERSION } from '../layout/json-version.ts';
import type { CheckedCounts } from './diagnostics-text.ts';

/** The result of a check as data: `policy check --json`. */
export function diagnosticsJson(diagnostics: readonly Diagnostic[], checked: CheckedCounts): JsonObject {
  const countOf = (wanted: Severity) => diagnostics.filter(({ severity }) => severity === wanted).length;
  return {
    version: JSON_VERSION,
    files: checked.files,
    policies: checked.policies,
    errors: countOf('error'),
    warnings: countOf('warning'),
    notes: countOf('note'),
    diagnostics: [...diagnostics].sort(compareDiagnostics).map(diagnosticJson),
  };
}

function diagnosticJson({ code, severity, position, message, hint, fix }: Diagnostic): JsonObject {
  return {
    code,
    severity,
    ...position,
    message,
    ...(hint === undefined ? {} : { hint }),
    docs: docsOf(code),
    ...(fix === undefined ? {} : { fixable: true }),
  };
}

/** Where a code is explained: a section of the documentation. */
export function docsOf(code: DiagnosticCode): string {
  return `docs/lint.md#${code}`;
}
