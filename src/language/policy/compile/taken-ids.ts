import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { CompiledFiles } from './compile-files.ts';

/** What holds under another id because its own is taken, and what is left out because of that. */
export function takenIds({ diagnostics, notices }: CompiledFiles): readonly Diagnostic[] {
  return [...diagnostics, ...notices].filter(
    ({ code, severity }) => code === 'duplicate-id' && severity !== 'error',
  );
}
