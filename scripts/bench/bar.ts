/** One measured figure and the bound it must keep. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** `x` for ratios measured in one run, `/s`, `ms`. */
  readonly unit: string;
  /** Undefined for figures that are shown for scale only. */
  readonly bar?: { readonly atMost: number } | { readonly atLeast: number };
  /** The parts that the figure was made of. */
  readonly note?: string;
  /** How many times slower than the machine of the bars this one was: times and rates are judged by it. */
  readonly pace?: number;
}

/** True if the figure keeps its bound. */
export function holds({ value, bar, pace = 1 }: Figure): boolean {
  if (bar === undefined) return true;
  return 'atMost' in bar ? value <= bar.atMost * pace : value >= bar.atLeast / pace;
}

/** True for figures that depend on the speed of the machine: ratios of one run do not. */
export function isAbsolute({ unit }: Figure): boolean {
  return unit === 'ms' || unit === '/s';
}

/** One line of the table. */
export function show(figure: Figure): string {
  const { name, value, unit, note } = figure;
  const bound = boundOf(figure);
  const mark = figure.bar === undefined ? ' ' : holds(figure) ? '✓' : '✗';
  return `${mark} ${name.padEnd(58)} ${`${number(value)} ${unit}`.padStart(14)}   ${bound.padEnd(26)} ${note ?? ''}`.trimEnd();
}

function boundOf({ bar, pace = 1 }: Figure): string {
  if (bar === undefined) return '';
  const slow = pace > 1 ? pace.toFixed(2) : '';
  if ('atMost' in bar) return `at most ${number(bar.atMost)}${slow && ` × ${slow}`}`;
  return `at least ${number(bar.atLeast)}${slow && ` ÷ ${slow}`}`;
}

function number(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 100 ? 0 : 2);
}
