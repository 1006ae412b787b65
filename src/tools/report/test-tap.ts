import type { CaseResult } from '../suite/case-result.ts';
import { failureText } from './test-failure.ts';
import type { TestReporter } from './test-reporter.ts';

/** TAP version 14. */
export function createTapReporter(): TestReporter {
  let count = 0;
  const begin = () => (count === 0 ? 'TAP version 14\n' : '');
  return {
    on(event) {
      switch (event.type) {
        case 'case': {
          const head = begin();
          count += 1;
          return `${head}${caseTap(count, event.result)}`;
        }
        case 'problems':
          return event.diagnostics
            .map(({ position, message }) => {
              const head = begin();
              count += 1;
              const place = `${position.file}:${position.line}:${position.column}`;
              return `${head}not ok ${count} - ${description(`${event.suite}: ${place}`)}\n${yamlBlock(message)}`;
            })
            .join('');
        case 'suite_started':
        case 'suite_ended':
          return '';
      }
    },
    end: () => `${begin()}1..${count}\n`,
  };
}

function caseTap(number: number, result: CaseResult): string {
  const { suite, name, host, status } = result;
  const title = description(`${suite}: ${host === undefined ? name : `${name} on ${host}`}`);
  switch (status.type) {
    case 'passed':
      return `ok ${number} - ${title}\n`;
    case 'skipped':
      return `ok ${number} - ${title} # SKIP ${oneLine(status.reason)}\n`;
    case 'failed':
      return `not ok ${number} - ${title}\n${yamlBlock(failureText(result))}`;
  }
}

function description(text: string): string {
  return oneLine(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function yamlBlock(text: string): string {
  const lines = text.split('\n').map((line) => `    ${line}`.trimEnd());
  return `  ---\n  message: |\n${lines.join('\n')}\n  ...\n`;
}
