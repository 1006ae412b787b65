const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** The milliseconds of a span such as `30s`, `10m`, `24h`, `7d` or `2w`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit ?? ''];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}
