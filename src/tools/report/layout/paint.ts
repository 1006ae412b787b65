/** How text is shown: colours, or none, and lines as wide as the terminal. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  /** The start of a verdict if a person reads along: passed or guarded, refused or broken, not known. */
  readonly marks: { readonly good: string; readonly bad: string; readonly unknown: string };
  /** Columns of the terminal; undefined where nobody reads along, so that lines may be of any length. */
  readonly columns: number | undefined;
}

/** Colours for a terminal, or none. */
export function createPaint(enabled: boolean, columns?: number): Paint {
  const style = (open: number, close: number) => (text: string) =>
    enabled && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  const [red, green, yellow] = [style(31, 39), style(32, 39), style(33, 39)];
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red,
    green,
    yellow,
    cyan: style(36, 39),
    marks:
      columns === undefined
        ? { good: '', bad: '', unknown: '' }
        : { good: `${green('✓')} `, bad: `${red('✗')} `, unknown: `${yellow('?')} ` },
    columns,
  };
}
