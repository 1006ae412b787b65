import { createGithubReporter } from './test-github.ts';
import { createJsonReporter } from './test-json.ts';
import { createJunitReporter } from './test-junit.ts';
import type { TestReporter } from './test-reporter.ts';
import { createTapReporter } from './test-tap.ts';
import { createTextReporter, type TestTextOptions } from './test-text.ts';

/** Every form that a run of tests can be reported in. */
export const TEST_FORMATS = ['text', 'json', 'junit', 'tap', 'github'] as const;
export type TestFormat = (typeof TEST_FORMATS)[number];

/** Makes the reporter of a format. */
export function createTestReporter(format: TestFormat, text: TestTextOptions): TestReporter {
  switch (format) {
    case 'text':
      return createTextReporter(text);
    case 'json':
      return createJsonReporter();
    case 'junit':
      return createJunitReporter();
    case 'tap':
      return createTapReporter();
    case 'github':
      return createGithubReporter();
  }
}
