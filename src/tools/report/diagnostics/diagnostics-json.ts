import type { JsonData } from '../../../lib/json.ts';
import {
  compareDiagnostics,
  type Diagnostic,
  type DiagnosticCode,
  type Severity,
} from '../../../model/diagnostic.ts';
import type { CheckedCounts } from './diagnostics-text.ts';

export function diagnosticsJson(diagnostics: readonly Diagnostic[], checked: CheckedCounts): JsonData {
  const countOf = (wanted: Severity) => diagnostics.filter(({ severity }) => severity === wanted).length;
  return {
    files: checked.files,
    policies: checked.policies,
    errors: countOf('error'),
    warnings: countOf('warning'),
    notes: countOf('note'),
    diagnostics: [...diagnostics].sort(compareDiagnostics).map(diagnosticJson),
  };
}

function diagnosticJson({ code, severity, position, message, hint, fix }: Diagnostic): JsonData {
  return {
    code,
    severity,
    ...position,
    message,
    hint,
    docs: docsOf(code),
    fixable: fix === undefined ? undefined : true,
  };
}

/** The section of the documentation that explains a code. */
export function docsOf(code: DiagnosticCode): string {
  return `docs/lint.md#${code}`;
}
