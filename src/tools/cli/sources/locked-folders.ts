import { dirname } from 'node:path';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import type { SourceName } from '../../../language/policy/sources/source-name.ts';
import { type Diagnostic, errorsIn } from '../../../model/diagnostic.ts';
import type { Io } from '../io.ts';
import { compileFor } from '../policy-place.ts';

/** A folder of policies that extend sources. */
export interface LockedFolder {
  readonly folder: string;
  /** The path of its lock, which may not be there yet. */
  readonly lock: string;
  /** The sources that its policies extend, each once. */
  readonly sources: readonly SourceName[];
  /** True if all of its policies could be read: a source that they do not extend is extended by none. */
  readonly isWhole: boolean;
}

/** The folders of policies that count here, or of those that are named, as far as they extend sources. */
export function lockedFolders(
  named: readonly string[],
  io: Io,
): {
  readonly folders: readonly LockedFolder[];
  readonly errors: readonly Diagnostic[];
  readonly compiled: CompiledFiles;
} {
  const compiled = compileFor(io, named);
  const locks = new Set(compiled.uses.map(({ lock }) => lock));
  const folders = [...locks].map((lock): LockedFolder => {
    const folder = dirname(lock);
    const all = compileFor(io, [folder]);
    const used = all.uses.filter((use) => use.lock === lock).map(({ name }) => [name.source, name] as const);
    return { folder, lock, sources: [...new Map(used).values()], isWhole: otherErrors(all).length === 0 };
  });
  return { folders, errors: otherErrors(compiled), compiled };
}

/** Errors that locking does not fix. */
function otherErrors({ diagnostics }: CompiledFiles): readonly Diagnostic[] {
  return errorsIn(diagnostics).filter(({ code }) => code !== 'source');
}
