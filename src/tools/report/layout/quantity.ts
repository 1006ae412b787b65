/** A count with its noun: `1 error`, `2 errors`, `2 policies`, `1,200 decisions`. */
export function countOf(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : plural(noun)}`;
}

/** A whole number with its thousands set apart. */
export function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A time in the unit that reads best: `41 µs`, `3.2 ms`, `12 s`. */
export function duration(us: number): string {
  if (us < 999.5) return `${Math.round(us)} µs`;
  if (us < 999_500) return `${significant(us / 1_000)} ms`;
  return `${significant(us / 1_000_000)} s`;
}

/** `98.2 %`, never rounded up to 100. */
export function percent(part: number, whole: number): string {
  const tenths = whole === 0 ? 1000 : Math.floor((part / whole) * 1000);
  return `${(tenths / 10).toFixed(1)} %`;
}

/** `2026-11-20 09:38:00`; a text that is no time stays. */
export function timeText(time: string): string {
  return time.replace('T', ' ').replace(/\.\d+Z$/, '');
}

function significant(value: number): string {
  return value < 9.95 ? value.toFixed(1) : grouped(value);
}

function plural(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
