import type { Json } from '../../../lib/json.ts';
import type { DeclaredChange, PartChange } from '../../compare/declared-changes.ts';
import { alignColumns } from '../layout/columns.ts';
import type { Paint } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';

const MAX_CHARS = 40;

/** A line for everything that two sets say differently. Ends with a line break; empty if there is nothing. */
export function declaredText(changes: readonly DeclaredChange[], paint: Paint): string {
  const colours = { removed: paint.red, added: paint.green, changed: paint.yellow };
  const rows = changes.map(({ kind, what, parts }) => [
    colours[kind](kind),
    printable(what),
    printable(parts.map(partText).join(', ')),
  ]);
  return rows.length === 0 ? '' : `${alignColumns(rows).join('\n')}\n`;
}

/** Values that fit into the line; of others only that they differ. */
function partText({ name, before, after }: PartChange): string {
  const texts = [before, after].flatMap((value) => (value === undefined ? [] : [valueText(value)]));
  return texts.some((text) => text.length > MAX_CHARS) ? name : `${name} ${texts.join(' → ')}`;
}

function valueText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
