import { createEngine, type Engine } from '../../../language/engine/engine.ts';
import { child } from '../../../lib/child.ts';
import { type Diagnostic, errorsIn } from '../../../model/diagnostic.ts';
import type { Program } from '../../../model/policy.ts';
import { EXIT_CODE, type Io } from '../io.ts';
import { compileFor } from '../policy-place.ts';
import { printDiagnostics } from '../print.ts';

/** Engines by the directory of a session, as the hook would find their policies. */
export interface EngineLookup {
  readonly of: (directory: string) => Engine;
  /** The files that policies were made from, without links. */
  readonly filesOf: (program: Program) => ReadonlySet<string> | undefined;
  readonly errors: () => readonly Diagnostic[];
  readonly sourceOf: (file: string) => string | undefined;
}

/** Makes each engine once; one for all if policies are named, and one for all directories with the same policies. */
export function engineLookup(named: readonly string[], io: Io): EngineLookup {
  const known = new Map<string, Engine>();
  const byDigest = new Map<string, Engine>();
  const errors: Diagnostic[] = [];
  const files = new WeakMap<Program, ReadonlySet<string>>();
  const texts = new Map<string, string>();
  return {
    of: (directory) =>
      child(known, named.length > 0 ? '' : directory, () => {
        const { program, diagnostics, paths, texts: read } = compileFor(io, named, directory);
        errors.push(...errorsIn(diagnostics));
        for (const [file, text] of read) texts.set(file, text);
        const made = child(byDigest, program.digest, () => createEngine(program));
        files.set(made.program, paths);
        return made;
      }),
    filesOf: (program) => files.get(program),
    errors: () => errors,
    sourceOf: (file) => texts.get(file),
  };
}

/** Prints the errors that keep the policies from being used, and returns the exit code for it. */
export function reportErrors({ errors, sourceOf }: EngineLookup, io: Io): number {
  printDiagnostics(errors(), sourceOf, io);
  return EXIT_CODE.invalidPolicy;
}
