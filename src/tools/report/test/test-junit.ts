import type { CaseResult } from '../../suite/case-result.ts';
import { failureText } from './test-failure.ts';
import type { TestReporter } from './test-reporter.ts';

/** JUnit's XML, a test suite at a time: its counts are before its cases. */
export function createJunitReporter(): TestReporter {
  let open = false;
  let cases: string[] = [];
  const begin = () => {
    if (open) return '';
    open = true;
    return '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="policy test">\n';
  };
  return {
    on(event) {
      switch (event.type) {
        case 'suite_started':
          return begin();
        case 'case':
          cases.push(caseXml(event.result));
          return '';
        case 'problems':
          for (const { position, code, message } of event.diagnostics) {
            const name = `${position.file}:${position.line}:${position.column}`;
            cases.push(
              `    <testcase classname="${xml(event.suite)}" name="${xml(name)}"><error type="${code}" message="${xml(message)}"/></testcase>`,
            );
          }
          return '';
        case 'suite_ended': {
          const { passed, failed, skipped, durationUs } = event.counts;
          const errors = cases.length - passed - failed - skipped;
          const head = `  <testsuite name="${xml(event.suite)}" tests="${cases.length}" failures="${failed}" errors="${errors}" skipped="${skipped}" time="${seconds(durationUs)}">`;
          const text = cases.length === 0 ? '' : `${head}\n${cases.join('\n')}\n  </testsuite>\n`;
          cases = [];
          return text;
        }
      }
    },
    end: () => `${begin()}</testsuites>\n`,
  };
}

function caseXml(result: CaseResult): string {
  const { suite, name, host, position, durationUs, status } = result;
  const title = host === undefined ? name : `${name} on ${host}`;
  const head = `    <testcase classname="${xml(suite)}" name="${xml(title)}" file="${xml(position.file)}" line="${position.line}" time="${seconds(durationUs)}"`;
  switch (status.type) {
    case 'passed':
      return `${head}/>`;
    case 'skipped':
      return `${head}><skipped message="${xml(status.reason)}"/></testcase>`;
    case 'failed':
      return `${head}><failure message="${xml(status.differences.map(({ expected }) => `expected ${expected}`).join('; '))}">${xml(failureText(result))}</failure></testcase>`;
  }
}

function seconds(us: number): string {
  return (us / 1_000_000).toFixed(6);
}

/** Characters that XML cannot carry at all are replaced. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
