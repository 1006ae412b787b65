import type { FetchOptions } from '../../../fleet/sources/fetched.ts';
import type { Arguments, OptionSpec } from '../args.ts';
import type { Io } from '../io.ts';
import { numberOption } from '../options.ts';

const USUAL_SECONDS = 120;
const MAX_SECONDS = 3_600;

export const TIMEOUT_OPTION: OptionSpec = {
  name: 'timeout',
  value: 'SECONDS',
  summary: `How long fetching one source may take; ${USUAL_SECONDS} by default`,
};

/** How sources are fetched for the policies of a folder. */
export function fetchOptions(args: Arguments, { env }: Io): FetchOptions {
  const seconds = numberOption(args, TIMEOUT_OPTION.name, { from: 1, to: MAX_SECONDS }) ?? USUAL_SECONDS;
  return { env, timeoutMs: seconds * 1_000 };
}
