/** One measured figure and the bound it must keep. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** `x` for ratios measured in one run, `/s`, `ms`. */
  readonly unit: string;
  /** Undefined for figures that are shown for scale only. */
  readonly bar?: { readonly atMost: number } | { readonly atLeast: number };
  /** What the figure was made of. */
  readonly note?: string;
}

/** True if the figure keeps its bound. */
export function holds({ value, bar }: Figure): boolean {
  if (bar === undefined) return true;
  return 'atMost' in bar ? value <= bar.atMost : value >= bar.atLeast;
}

/** One line of the table. */
export function show(figure: Figure): string {
  const { name, value, unit, bar, note } = figure;
  const bound =
    bar === undefined
      ? ''
      : 'atMost' in bar
        ? `at most ${number(bar.atMost)}`
        : `at least ${number(bar.atLeast)}`;
  const mark = bar === undefined ? ' ' : holds(figure) ? '✓' : '✗';
  return `${mark} ${name.padEnd(58)} ${`${number(value)} ${unit}`.padStart(14)}   ${bound.padEnd(20)} ${note ?? ''}`.trimEnd();
}

function number(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 100 ? 0 : 2);
}
