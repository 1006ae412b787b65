import { parseJson } from '../../lib/json.ts';

/** One `[[hooks]]` of a TOML text: its lines, from the first on and without the one behind the last. */
export interface HookTable {
  readonly from: number;
  readonly to: number;
  readonly values: Readonly<Record<string, string | number | undefined>>;
}

const HEADER = /^\s*\[\[\s*["']?hooks["']?\s*\]\]\s*(?:#.*)?$/;
const VALUE = /^\s*["']?([\w-]+)["']?\s*=\s*(?:("(?:[^"\\]|\\.)*")|'([^']*)'|(\d+))?/;

/** The tables of hooks in a TOML text, with the values that are a word or a number of one line. */
export function hookTables(text: string): readonly HookTable[] {
  const lines = text.split('\n');
  const found: HookTable[] = [];
  let quoted = false;
  let open:
    | { readonly from: number; readonly values: Record<string, string | number | undefined> }
    | undefined;
  const close = (to: number) => {
    if (open !== undefined) found.push({ ...open, to });
    open = undefined;
  };
  for (const [index, line] of lines.entries()) {
    const starts = !quoted && /^\s*\[/.test(line);
    if (starts) close(index);
    if (starts && HEADER.test(line)) open = { from: index, values: {} };
    else if (!quoted && open !== undefined) readValue(line, open.values);
    if (/"""|'''/.test(line)) quoted = (line.match(/"""|'''/g)?.length ?? 0) % 2 === 1 ? !quoted : quoted;
  }
  close(lines.length);
  return found;
}

function readValue(line: string, values: Record<string, string | number | undefined>): void {
  const [, name, basic, literal, number] = VALUE.exec(line) ?? [];
  if (name === undefined) return;
  // Basic strings of TOML are read like JSON.
  const text = basic === undefined ? literal : parseJson(basic);
  values[name] = number !== undefined ? Number(number) : text === undefined ? undefined : String(text);
}

/** The text without some of its tables, and without the empty line before each. */
export function withoutTables(text: string, tables: readonly HookTable[]): string {
  const lines = text.split('\n');
  const gone = new Set(
    tables.flatMap(({ from, to }) => {
      let last = to;
      while (last > from && lines[last - 1]?.trim() === '') last--;
      const first = from > 0 && lines[from - 1] === '' ? from - 1 : from;
      return Array.from({ length: last - first }, (_, index) => first + index);
    }),
  );
  return lines.filter((_, index) => !gone.has(index)).join('\n');
}
