import type { CaseResult } from '../../suite/case-result.ts';
import { diagnosticsGithub } from '../diagnostics/diagnostics-github.ts';
import { githubCommand } from '../diagnostics/github-command.ts';
import { failureText } from './test-failure.ts';
import { createJsonReporter } from './test-json.ts';
import { createJunitReporter } from './test-junit.ts';
import type { TestReporter } from './test-reporter.ts';
import { coverageText, createTextReporter, type TestTextOptions } from './test-text.ts';

/** Every form that a run of tests can be reported in. */
export const TEST_FORMATS = ['text', 'json', 'junit', 'github'] as const;
export type TestFormat = (typeof TEST_FORMATS)[number];

export function createTestReporter(format: TestFormat, text: TestTextOptions): TestReporter {
  switch (format) {
    case 'text':
      return createTextReporter(text);
    case 'json':
      return createJsonReporter();
    case 'junit':
      return createJunitReporter();
    case 'github':
      return createGithubReporter();
  }
}

/** Failures as workflow commands, which GitHub Actions shows beside the changed lines. */
function createGithubReporter(): TestReporter {
  return {
    on(event) {
      switch (event.type) {
        case 'case':
          return event.result.status.type === 'failed' ? `${command(event.result)}\n` : '';
        case 'problems':
          return diagnosticsGithub(event.diagnostics)
            .map((line) => `${line}\n`)
            .join('');
        case 'suite_started':
        case 'suite_ended':
          return '';
      }
    },
    end({ counts, coverage }) {
      const { passed, failed, skipped, broken } = counts;
      const text = `${passed} passed, ${failed} failed, ${skipped} skipped, ${broken} broken`;
      const covered = coverage === undefined ? '' : coverageText(coverage, false);
      return `${covered === '' ? text : `${text}; ${covered}`}\n`;
    },
  };
}

function command(result: CaseResult): string {
  const { position, name, host } = result;
  const title = host === undefined ? name : `${name} on ${host}`;
  return githubCommand({ severity: 'error', position, title, message: failureText(result) });
}
