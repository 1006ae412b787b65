import type { CompiledFiles } from '../../language/policy/compile/compile-files.ts';
import type { Json, JsonData } from '../../lib/json.ts';
import { type Diagnostic, errorsIn } from '../../model/diagnostic.ts';
import { diagnosticsText } from '../report/diagnostics/diagnostics-text.ts';
import { JSON_VERSION } from '../report/layout/json-version.ts';
import { createPaint, type Paint } from '../report/layout/paint.ts';
import { printableJson } from '../report/layout/printable.ts';
import type { Io, Output } from './io.ts';

/** Data for programs, with the version of its shape. */
export function printJson(output: Output, data: JsonData): void {
  printPlainJson(output, { version: JSON_VERSION, ...data });
}

/** Prints data without a version of our own, indented, because people read it too. */
export function printPlainJson(output: Output, value: Json | JsonData): void {
  output.write(`${printableJson(JSON.stringify(value, null, 2))}\n`);
}

/** Prints the findings on files, each with its line. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  sourceOf: (file: string) => string | undefined,
  { stderr, env }: Pick<Io, 'stderr' | 'env'>,
): void {
  const blocks = diagnosticsText(diagnostics, { paint: paintFor(stderr, env), sourceOf });
  if (blocks.length > 0) stderr.write(`${blocks.join('\n')}\n`);
}

/** Prints the errors that keep policies from being used, and returns them. */
export function printErrors({ diagnostics, texts }: CompiledFiles, io: Io): readonly Diagnostic[] {
  const errors = errorsIn(diagnostics);
  printDiagnostics(errors, (file) => texts.get(file), io);
  return errors;
}

/**
 * Colours for a person (https://no-color.org) or on request (https://force-color.org). `FORCE_COLOR` beats `NO_COLOR`; 0 means
 * none.
 */
export function paintFor(output: Output, env: Io['env']): Paint {
  const forced = env['FORCE_COLOR'] ?? '';
  const wanted = (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb' && output.isTTY;
  return createPaint(forced === '' ? wanted : forced !== '0', output.columns);
}
