import { diagnosticsText } from '../../report/diagnostics-text.ts';
import type { Io } from '../io.ts';
import { paintFor } from '../print.ts';
import type { PolicySide } from './open-set.ts';

/** Says what keeps sets of policies from being used; true if anything does. */
export function reportSetErrors(sides: readonly PolicySide[], io: Io): boolean {
  const paint = paintFor(io.stderr, io.env);
  const blocks = sides.flatMap(({ compiled }) => {
    const errors = compiled.diagnostics.filter(({ severity }) => severity === 'error');
    return diagnosticsText(errors, { paint, sourceOf: (file) => compiled.texts.get(file) });
  });
  if (blocks.length > 0) io.stderr.write(`${blocks.join('\n')}\n`);
  return blocks.length > 0;
}
