import { displayWidth } from './display-width.ts';

export interface ColumnOptions {
  /** Spaces between columns; 2 unless told. */
  readonly gap?: number;
  /** Columns to be aligned at their right edge, by index: numbers. */
  readonly right?: readonly number[];
}

/** Rows of cells as lines with aligned columns, without spaces at the end. Cells may be coloured. */
export function alignColumns(rows: readonly (readonly string[])[], options: ColumnOptions = {}): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
    });
  }
  const gap = ' '.repeat(options.gap ?? 2);
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, options, column))
      .join(gap)
      .trimEnd(),
  );
}

function pad(cell: string, width: number, { right }: ColumnOptions, column: number): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(cell)));
  return right?.includes(column) === true ? space + cell : cell + space;
}
