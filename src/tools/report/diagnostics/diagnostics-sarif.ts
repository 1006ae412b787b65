import type { JsonObject } from '../../../lib/json.ts';
import { compareDiagnostics, type Diagnostic, type DiagnosticCode } from '../../../model/diagnostic.ts';
import { DIAGNOSTIC_KINDS } from '../../../model/diagnostic-kinds.ts';
import { docsOf } from './diagnostics-json.ts';

const KINDS = Object.entries(DIAGNOSTIC_KINDS) as readonly [DiagnosticCode, string][];

/** Problems as a SARIF 2.1.0 log, which code scanning services read. */
export function diagnosticsSarif(diagnostics: readonly Diagnostic[], programVersion: string): JsonObject {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'policy', version: programVersion, rules: KINDS.map(ruleOf) },
        },
        columnKind: 'utf16CodeUnits',
        results: [...diagnostics].sort(compareDiagnostics).map(resultOf),
      },
    ],
  };
}

function ruleOf([id, text]: (typeof KINDS)[number]): JsonObject {
  return { id, shortDescription: { text }, help: { text: `See ${docsOf(id)}` } };
}

function resultOf({ code, severity, position, message, hint }: Diagnostic): JsonObject {
  const { file, line, column, length } = position;
  return {
    ruleId: code,
    ruleIndex: KINDS.findIndex(([id]) => id === code),
    level: severity,
    message: { text: hint === undefined ? message : `${message}; ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
          region: { startLine: line, startColumn: column, endColumn: column + length },
        },
      },
    ],
  };
}
