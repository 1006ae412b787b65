import type { CompiledFiles } from '../../../language/policy/compile-files.ts';
import { takenIds } from '../../../language/policy/taken-ids.ts';
import { effectiveJson, effectiveText } from '../../report/effective.ts';
import type { Io } from '../io.ts';
import { paintFor, printJson } from '../print.ts';
import { createRepositoryLookup } from '../repository-lookup.ts';
import { hostInUse } from './host-in-use.ts';

export interface EffectiveOptions {
  /** Absolute. */
  readonly directory: string;
  /** The one whose hook is installed, unless given. */
  readonly host: string | undefined;
  readonly json: boolean;
}

/** Prints every policy in force in a directory. */
export async function printEffective(
  compiled: CompiledFiles,
  { directory, host, json }: EffectiveOptions,
  io: Io,
): Promise<void> {
  const effective = {
    directory,
    repository: createRepositoryLookup()(directory),
    host: host ?? (await hostInUse(io))?.name,
    files: compiled.files,
    program: compiled.program,
    takenIds: takenIds(compiled),
    nowMs: Date.now(),
  };
  if (json) printJson(io.stdout, effectiveJson(effective));
  else io.stdout.write(effectiveText(effective, paintFor(io.stdout, io.env)));
}
