import type { JsonObject } from '../lib/json.ts';
import { compareDiagnostics, type Diagnostic } from '../model/diagnostic.ts';
import type { CheckedCounts } from './diagnostics-text.ts';

/** Version of this shape; grows when a key changes its meaning or goes away. */
const VERSION = 1;

/** The result of a check as data: `policy check --json`. */
export function diagnosticsJson(diagnostics: readonly Diagnostic[], checked: CheckedCounts): JsonObject {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return {
    version: VERSION,
    files: checked.files,
    policies: checked.policies,
    errors,
    warnings: diagnostics.length - errors,
    diagnostics: [...diagnostics].sort(compareDiagnostics).map(diagnosticJson),
  };
}

function diagnosticJson({ code, severity, position, message, hint }: Diagnostic): JsonObject {
  return { code, severity, ...position, message, ...(hint === undefined ? {} : { hint }) };
}
