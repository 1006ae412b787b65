import { displayWidth } from './display-width.ts';
import { wrapText } from './wrap-text.ts';

export interface ColumnOptions {
  /** Columns to be aligned at their right edge, by index: numbers. */
  readonly right?: readonly number[];
  /** Columns of the terminal, into which every line is to fit; undefined where lines may be of any length. */
  readonly columns?: number | undefined;
}

/** Less room than that is not enough for the last column of a table. */
const MIN_LAST_COLUMNS = 20;
const GAP = '  ';
const INDENT = '    ';

/**
 * Rows as lines with aligned columns; cells may be coloured. On a narrow terminal the last column wraps, or is a line of its
 * own, or the rows become text.
 */
export function alignColumns(rows: readonly (readonly string[])[], options: ColumnOptions = {}): string[] {
  const lines = aligned(rows, options);
  const { columns = Number.POSITIVE_INFINITY } = options;
  if (lines.every((line) => displayWidth(line) <= columns)) return lines;
  const last = Math.max(...rows.map(({ length }) => length)) - 1;
  const before = Array.from({ length: last }, (_, column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))),
  );
  const start = before.reduce((sum, width) => sum + width + GAP.length, 0);
  if (columns - start >= MIN_LAST_COLUMNS)
    return lines.flatMap((line) => wrapText(line, columns, ' '.repeat(start)));
  if (start - GAP.length > columns)
    return rows.flatMap((row) => wrapText(row.filter((cell) => cell !== '').join('  '), columns, INDENT));
  const heads = aligned(
    rows.map((row) => row.slice(0, last)),
    options,
  );
  return lines.flatMap((line, index) =>
    displayWidth(line) <= columns
      ? [line]
      : [heads[index] ?? '', ...wrapText(`${INDENT}${rows[index]?.[last] ?? ''}`, columns, INDENT)],
  );
}

function aligned(rows: readonly (readonly string[])[], options: ColumnOptions): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, options, column))
      .join(GAP)
      .trimEnd(),
  );
}

function pad(cell: string, width: number, { right }: ColumnOptions, column: number): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(cell)));
  return right?.includes(column) === true ? space + cell : cell + space;
}
