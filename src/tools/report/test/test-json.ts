import type { JsonObject } from '../../../lib/json.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { CaseResult, SuiteEvent } from '../../suite/case-result.ts';
import { JSON_VERSION } from '../layout/json-version.ts';
import { reasons } from './test-failure.ts';
import type { TestReporter } from './test-reporter.ts';

/** The run as one JSON document, written as it goes on: one result a line. Times are microseconds. */
export function createJsonReporter(): TestReporter {
  let open = false;
  const problems: JsonObject[] = [];
  const brokenPolicies = new Set<string>();
  const begin = () => {
    if (open) return '';
    open = true;
    return `{"version":${JSON_VERSION},"results":[`;
  };
  let first = true;
  return {
    on(event: SuiteEvent) {
      if (event.type === 'problems') {
        for (const diagnostic of event.diagnostics) {
          problems.push(problemJson(event.suite, diagnostic));
          if (event.kind === 'policies') brokenPolicies.add(diagnostic.position.file);
        }
      }
      if (event.type !== 'case') return begin();
      const text = `${begin()}${first ? '' : ','}\n${JSON.stringify(resultJson(event.result))}`;
      first = false;
      return text;
    },
    end({ counts, coverage }) {
      const { passed, failed, skipped, broken, durationUs } = counts;
      const summary = {
        passed,
        failed,
        skipped,
        broken,
        broken_policies: brokenPolicies.size,
        duration_us: Math.round(durationUs),
      };
      const totals = coverage && { policies: coverage.policies, alternatives: coverage.alternatives };
      const rest = [
        `"problems":${JSON.stringify(problems)}`,
        `"summary":${JSON.stringify(summary)}`,
        `"coverage":${JSON.stringify(totals ?? null)}`,
      ];
      return `${begin()}\n],\n${rest.join(',\n')}}\n`;
    },
  };
}

function problemJson(suite: string, { code, severity, position, message, hint }: Diagnostic): JsonObject {
  return { suite, code, severity, ...position, message, hint: hint ?? null };
}

function resultJson({ suite, name, position, host, durationUs, status }: CaseResult): JsonObject {
  return {
    suite,
    name,
    file: position.file,
    line: position.line,
    column: position.column,
    host: host ?? null,
    status: status.type,
    duration_us: Math.round(durationUs),
    ...(status.type === 'skipped' ? { reason: status.reason } : {}),
    ...(status.type === 'failed'
      ? {
          differences: status.differences.map((difference) => ({ ...difference })),
          explanation:
            status.answer === undefined
              ? []
              : reasons(status.answer).map(([label, text]) => `${label}: ${text}`),
        }
      : {}),
  };
}
