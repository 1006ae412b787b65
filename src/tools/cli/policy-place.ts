import { createSourceStore } from '../../hook/state/source-store.ts';
import { createTrustStore } from '../../hook/state/trust-store.ts';
import { type CompiledFiles, compileFiles } from '../../language/policy/compile/compile-files.ts';
import type { PolicyPlace } from '../../language/policy/files/place.ts';
import type { ReadFile } from '../../language/policy/files/source.ts';
import type { Io } from './io.ts';

/** Loads policies as the hook would: those that are named, or those found for this directory. */
export function compileFor(
  io: Io,
  named: readonly string[],
  sessionDirectory: string = io.cwd,
  readFile?: ReadFile,
): CompiledFiles {
  const sources = createSourceStore(io.env);
  const base = { named, cwd: io.cwd, sessionDirectory, env: io.env, sources };
  const place: PolicyPlace = readFile === undefined ? base : { ...base, readFile };
  return compileFiles({ place, trust: createTrustStore(io.env) });
}
