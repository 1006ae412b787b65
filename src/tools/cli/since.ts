import { parseDuration } from '../../lib/duration.ts';
import { type Arguments, optionValue } from './args.ts';
import { UsageError } from './io.ts';

/**
 * The moment that an option means, in milliseconds since 1970: a span before now such as `30m`, `24h`, `7d`, `2w`, or a
 * date such as `2026-11-20` or `2026-11-20T09:30`.
 *
 * @throws UsageError for anything else
 */
export function parseMoment(text: string, nowMs: number, option: string): number {
  const spanMs = parseDuration(text);
  if (spanMs !== undefined) return nowMs - spanMs;
  const dateMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(dateMs))
    throw new UsageError(`Cannot use --${option} "${text}": give a span such as 24h or 7d, or a date`);
  return dateMs;
}

/** The moment that an option names, as ISO 8601 in UTC; undefined if it is not given. */
export function momentOption(args: Arguments, option: 'since' | 'until'): string | undefined {
  const text = optionValue(args, option);
  return text === undefined ? undefined : new Date(parseMoment(text, Date.now(), option)).toISOString();
}
