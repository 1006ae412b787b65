import { type CompiledFiles, compileFiles } from '../policy/compile-files.ts';
import type { Place } from '../policy/discovery.ts';
import { createTrustStore } from '../state/trust-store.ts';
import type { Io } from './io.ts';

/** Loads policies as the hook would: those that are named, or those found for this directory. */
export function compileFor(
  io: Io,
  named: readonly string[],
  sessionDirectory: string = io.cwd,
): CompiledFiles {
  const place: Place = { named, cwd: io.cwd, sessionDirectory, env: io.env };
  return compileFiles({ place, trust: createTrustStore(io.env) });
}
