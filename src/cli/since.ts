import { UsageError } from './usage-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * The moment that `--since` means, in milliseconds since 1970: a span before now such as `30m`, `24h`, `7d`, `2w`, or a
 * date such as `2026-11-20` or `2026-11-20T09:30`.
 *
 * @throws UsageError for anything else
 */
export function parseSince(text: string, nowMs: number): number {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit ?? ''];
  if (unitMs !== undefined) return nowMs - Number(count) * unitMs;
  const dateMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(dateMs))
    throw new UsageError(`Cannot use --since "${text}": give a span such as 24h or 7d, or a date`);
  return dateMs;
}
