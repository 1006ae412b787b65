import { type Arguments, optionValue } from './args.ts';
import { UsageError } from './usage-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * The moment that an option means, in milliseconds since 1970: a span before now such as `30m`, `24h`, `7d`, `2w`, or a
 * date such as `2026-11-20` or `2026-11-20T09:30`.
 *
 * @throws UsageError for anything else
 */
export function parseMoment(text: string, nowMs: number, option: string): number {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit ?? ''];
  if (unitMs !== undefined) return nowMs - Number(count) * unitMs;
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
