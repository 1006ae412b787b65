import type { Json } from '../lib/json.ts';
import { createPaint, type Paint } from '../report/paint.ts';
import type { Io, Output } from './io.ts';

/** Data for programs: indented, because people read it too. */
export function printJson(output: Output, value: Json): void {
  output.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Colours only where a person reads along and does not mind: https://no-color.org. */
export function paintFor(output: Output, env: Io['env']): Paint {
  const wanted = (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return createPaint(wanted && output.isTTY);
}
