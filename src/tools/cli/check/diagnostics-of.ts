import type { Host } from '../../../hosts/host.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { exampleProblems } from '../../../language/calls/examples.ts';
import { withoutIgnored } from '../../../language/lint/ignores.ts';
import { lint } from '../../../language/lint/lint.ts';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import type { ReadFile } from '../../../language/policy/files/read-file.ts';
import { type Diagnostic, errorsIn } from '../../../model/diagnostic.ts';
import type { Rule } from '../../../model/policy.ts';
import { programExampleProblems } from '../../suite/program-examples.ts';
import type { Io } from '../io.ts';
import { isSharedFile } from './shared-file.ts';
import { testedPolicies } from './tested-policies.ts';

export interface CheckOptions {
  /** The compiled files: a pack counts as the author's own only if it is named. */
  readonly named: readonly string[];
  readonly hosts: readonly Host[];
  /** Positions are relative to its directory. */
  readonly io: Pick<Io, 'cwd' | 'env'>;
  /** How files are read: from the disk unless given. */
  readonly readFile?: ReadFile;
}

/** Everything that `policy check` and the language server say of policies, unsorted. Runs examples and tests. */
export function diagnosticsOf(
  compiled: CompiledFiles,
  { named, hosts, io, readFile }: CheckOptions,
): readonly Diagnostic[] {
  const { program, texts } = compiled;
  const isOwn = ({ layer, position: { file } }: Rule) =>
    layer !== 'builtin' && (!isSharedFile(file) || named.includes(file));
  const isTested = testedPolicies(compiled, isOwn, io, readFile);
  const diagnostics = [
    ...compiled.diagnostics,
    ...compiled.notices,
    ...exampleProblems(program.rules, compiled.examples, program.programs),
    ...programExampleProblems(compiled.programExamples, program.programs),
    ...lint({ program, texts, isOwn, hosts, isTested }),
  ];
  const ownTexts = new Map([...texts].filter(([file]) => !isSharedFile(file) || named.includes(file)));
  const isComplete = hosts.length === HOSTS.length && errorsIn(diagnostics).length === 0;
  return withoutIgnored(diagnostics, ownTexts, isComplete);
}
