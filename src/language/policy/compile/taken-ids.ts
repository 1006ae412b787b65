import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { CompiledFiles } from './compile-files.ts';

/** Policies that hold under another id because their own is taken, and those that are left out for that. */
export function takenIds({ diagnostics, notices }: CompiledFiles): readonly Diagnostic[] {
  return [...diagnostics, ...notices].filter(
    ({ code, severity }) => code === 'duplicate-id' && severity !== 'error',
  );
}
