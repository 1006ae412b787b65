/** How text is shown: colours, or none, and lines as wide as the terminal. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  /** Columns of the terminal; undefined where nobody reads along, so that lines may be of any length. */
  readonly columns: number | undefined;
}

/** Colours for a terminal, or none. */
export function createPaint(enabled: boolean, columns?: number): Paint {
  const style = (open: number, close: number) => (text: string) =>
    enabled && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
    columns,
  };
}
