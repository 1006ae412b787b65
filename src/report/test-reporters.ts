import { createGithubReporter } from './test-github.ts';
import { createJsonReporter } from './test-json.ts';
import { createJunitReporter } from './test-junit.ts';
import { createPrettyReporter, type PrettyOptions } from './test-pretty.ts';
import type { TestReporter } from './test-reporter.ts';
import { createTapReporter } from './test-tap.ts';

/** Every form that a run of tests can be reported in. */
export const TEST_FORMATS = ['pretty', 'json', 'junit', 'tap', 'github'] as const;
export type TestFormat = (typeof TEST_FORMATS)[number];

/** Makes the reporter of a format. */
export function createTestReporter(format: TestFormat, pretty: PrettyOptions): TestReporter {
  switch (format) {
    case 'pretty':
      return createPrettyReporter(pretty);
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
