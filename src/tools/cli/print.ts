import type { Json } from '../../lib/json.ts';
import { createPaint, type Paint } from '../report/paint.ts';
import { printableJson } from '../report/printable.ts';
import type { Io, Output } from './io.ts';

/** Data for programs: indented, because people read it too. */
export function printJson(output: Output, value: Json): void {
  output.write(`${printableJson(JSON.stringify(value, null, 2))}\n`);
}

/**
 * Colours only where a person reads along and does not mind (https://no-color.org), or where they are asked for, as in the
 * log of a build (https://force-color.org). As in Node, `FORCE_COLOR` goes before `NO_COLOR`, and is against colours as 0.
 */
export function paintFor(output: Output, env: Io['env']): Paint {
  const forced = env['FORCE_COLOR'] ?? '';
  const wanted = (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb' && output.isTTY;
  return createPaint(forced === '' ? wanted : forced !== '0', output.columns);
}
