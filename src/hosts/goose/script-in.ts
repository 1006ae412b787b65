import { ownString } from '../../lib/json.ts';
import { codeIn } from '../meant/code-text.ts';
import type { MeantBy } from '../meant/meant.ts';

/** What runs the languages of `automation_script`; any other is read as a shell's. */
const RUNNERS: Readonly<Record<string, string>> = {
  ruby: 'ruby -e',
  python: 'python3 -c',
  powershell: 'pwsh -Command',
};

/** A script in the language that is beside it. */
export const scriptIn: MeantBy = (args) => {
  const language = (ownString(args, 'language') ?? '').toLowerCase();
  const runner = Object.hasOwn(RUNNERS, language) ? RUNNERS[language] : undefined;
  return codeIn(runner ?? '', 'script')(args);
};
