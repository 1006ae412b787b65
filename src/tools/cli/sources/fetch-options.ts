import type { FetchOptions } from '../../../fleet/sources/fetched.ts';
import { type Arguments, type OptionSpec, optionValue } from '../args.ts';
import { type Io, UsageError } from '../io.ts';

const USUAL_SECONDS = 120;
const MAX_SECONDS = 3_600;

export const TIMEOUT_OPTION: OptionSpec = {
  name: 'timeout',
  value: 'SECONDS',
  summary: `How long fetching one source may take; ${USUAL_SECONDS} by default`,
};

/** How sources are fetched for the policies of a folder. */
export function fetchOptions(args: Arguments, { env }: Io): FetchOptions {
  const given = optionValue(args, TIMEOUT_OPTION.name);
  const seconds = given === undefined ? USUAL_SECONDS : Number(given);
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    throw new UsageError(`Cannot use --timeout "${given}": give seconds, ${MAX_SECONDS} at most`);
  return { env, timeoutMs: seconds * 1_000 };
}
