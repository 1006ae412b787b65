import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { createSourceStore } from '../../../hook/state/source-store.ts';
import { createEngine } from '../../../language/engine/engine.ts';
import { type CompiledFiles, compileFiles } from '../../../language/policy/compile/compile-files.ts';
import { BUILTIN_PACKS } from '../../../language/policy/compile/packs.ts';
import { kindOf } from '../../../language/policy/files/folders.ts';
import { packIn } from '../../../language/policy/files/pack-names.ts';
import { readPolicyFile } from '../../../language/policy/files/read-file.ts';
import { parsePolicyFile } from '../../../language/policy/parse/parse.ts';
import { fileInSource } from '../../../language/policy/sources/source-name.ts';
import type { SourceStore } from '../../../language/policy/sources/source-store.ts';
import type { Decider } from '../../compare/comparison.ts';
import { decideSample, loggedVerdict } from '../../compare/decide.ts';
import type { KnownCall, Sample } from '../../compare/sample.ts';
import { caseSamples, exampleSamples } from '../../compare/test-samples.ts';
import { parseTestFile } from '../../suite/cases/parse-test-file.ts';
import { type Io, UsageError } from '../io.ts';
import { policyFolder } from '../policy-place.ts';
import { printErrors } from '../print.ts';
import { findSuites, isTestName } from '../test/find-suites.ts';
import { checkOutYaml, commitOf } from './check-out-yaml.ts';

export interface PolicySide {
  readonly compiled: CompiledFiles;
  /** The calls of its examples and of the tests beside it. Looked for when asked. */
  readonly samples: () => readonly Sample[];
}

const GIT_PREFIX = 'git:';

type Operand =
  | { readonly type: 'pack'; readonly name: string }
  | { readonly type: 'path'; readonly path: string }
  /** Without a path, that of the other side. */
  | { readonly type: 'git'; readonly revision: string; readonly path: string | undefined };

/** Opens sets of policies; the files that they need on disk are there until `close`. */
export interface SetOpener {
  /** @param other the other side, whose path a revision without one takes */
  readonly open: (operand: string, other: string) => PolicySide;
  readonly close: () => void;
}

export function createSetOpener({ cwd, env }: Pick<Io, 'cwd' | 'env'>): SetOpener {
  const sources = createSourceStore(env);
  const folders: string[] = [];
  return {
    open: (text, other) => {
      const operand = operandIn(text);
      if (operand.type === 'pack') return sideOf(operand.name, cwd, sources);
      if (operand.type === 'path') {
        // Of a path that is nowhere, the set itself says so.
        if (kindOf(resolve(cwd, text)) === 'missing' && commitOf(text, cwd) !== undefined)
          throw new UsageError(
            `Cannot use "${text}": there is no such file or folder; a git revision is written ${GIT_PREFIX}${text}`,
          );
        return sideOf(text, cwd, sources);
      }
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-diff-')));
      folders.push(folder);
      const root = checkOutYaml(operand.revision, cwd, folder);
      const path = relative(
        realpathSync(root),
        resolve(realpathSync(cwd), operand.path ?? pathOf(other, cwd)),
      );
      if (path.startsWith('..'))
        throw new UsageError(`Cannot use "${text}": ${path} is not in the repository`);
      if (kindOf(join(folder, path)) === 'missing')
        throw new UsageError(`Cannot use "${text}": there is no ${path || 'policy file'} in that revision`);
      return sideOf(path === '' ? '.' : path, folder, sources, `${GIT_PREFIX}${operand.revision}:`);
    },
    close: () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `git:REV`, `git:REV:PATH`, `builtin:NAME` or a path. */
function operandIn(text: string): Operand {
  if (packIn(text) !== undefined) return { type: 'pack', name: text };
  if (!text.startsWith(GIT_PREFIX)) return { type: 'path', path: text };
  const rest = text.slice(GIT_PREFIX.length);
  const colon = rest.indexOf(':');
  const revision = colon === -1 ? rest : rest.slice(0, colon);
  if (revision === '') throw new UsageError(`Cannot use "${text}": name a revision, as in git:HEAD~1`);
  return { type: 'git', revision, path: colon === -1 ? undefined : rest.slice(colon + 1) };
}

/** The path that the other side names, else the folder where policies usually are. */
function pathOf(other: string, cwd: string): string {
  const operand = operandIn(other);
  if (operand.type === 'path') return operand.path;
  if (operand.type === 'git' && operand.path !== undefined) return operand.path;
  return policyFolder(cwd) ?? '.';
}

/**
 * The set that a name means, judged as if it were named with `--policies`.
 *
 * @param prefix the start of the places of its calls
 */
export function sideOf(name: string, cwd: string, sources: SourceStore, prefix?: string): PolicySide {
  const compiled = compileFiles({
    place: { named: [name], cwd, sessionDirectory: cwd, env: {}, sources },
    trust: { trusted: () => undefined },
  });
  return {
    compiled,
    samples: () => {
      const pack = packIn(name);
      const own =
        pack === undefined
          ? [...exampleSamples(compiled), ...casesAt(name, cwd), ...casesInSources(compiled)]
          : packSamples(pack, compiled);
      return prefix === undefined ? own : own.map((sample) => ({ ...sample, place: prefix + sample.place }));
    },
  };
}

/** A pack is compiled without its examples and tests; here they are read from its files. */
function packSamples(pack: string, compiled: CompiledFiles): readonly Sample[] {
  const place = `builtin:${pack}`;
  const draft = parsePolicyFile(BUILTIN_PACKS.text(pack) ?? '', place, pack).draft;
  const cases = Object.entries(BUILTIN_PACKS.tests(pack)).flatMap(([file, text]) => {
    const parsed = parseTestFile(text, `${place}/${file}`);
    return parsed.ok ? caseSamples(parsed.testFile) : [];
  });
  return [...exampleSamples({ ...compiled, examples: draft?.examples ?? [] }), ...cases];
}

function casesInSources({ uses }: CompiledFiles): readonly Sample[] {
  return uses.flatMap(({ name, stored }) =>
    [...(stored?.files ?? [])]
      .filter(([path]) => isTestName(path))
      .flatMap(([path, text]) => {
        const parsed = parseTestFile(text, fileInSource(name, path));
        return parsed.ok ? caseSamples(parsed.testFile) : [];
      }),
  );
}

/** The cases of tests that can be read; policy test reports the others. */
function casesAt(name: string, cwd: string): readonly Sample[] {
  const folder = kindOf(resolve(cwd, name)) === 'folder' ? name : join(name, '..');
  return findSuites([folder], cwd).flatMap(({ testFiles }) =>
    testFiles.flatMap(({ path, file }) => {
      const read = readPolicyFile(path, undefined);
      const parsed = read.ok ? parseTestFile(read.text, file) : undefined;
      return parsed?.ok === true ? caseSamples(parsed.testFile) : [];
    }),
  );
}

/** Decides by a set of policies. */
export function deciderOf({ compiled }: PolicySide): Decider {
  const engine = createEngine(compiled.program);
  return deciderFor(() => engine);
}

/** Decides each call by the policies that count for it. */
export function deciderFor(engineOf: (call: KnownCall) => ReturnType<typeof createEngine>): Decider {
  return (call) => call.sample && decideSample(call.sample, engineOf(call))?.verdict;
}

/**
 * Takes the decision in the log.
 *
 * @throws UsageError for a call that was never decided
 */
export function asLogged(call: KnownCall): ReturnType<Decider> {
  if (call.record !== undefined) return loggedVerdict(call);
  const hint = call.host === undefined ? '' : '; policy scan shows what would have been refused in sessions';
  throw new UsageError(
    `Cannot compare "${call.label}" with earlier decisions: none is known; name OLD and NEW${hint}`,
  );
}

/** Prints the errors that keep sets of policies from being used; true if there are any. */
export function reportSetErrors(sides: readonly PolicySide[], io: Io): boolean {
  const wrong = sides.filter(({ compiled }) => printErrors(compiled, io).length > 0);
  return wrong.length > 0;
}
