import { createEngine, type Engine } from '../language/engine/engine.ts';
import { type LoadResult, loadProgram } from '../language/policy/compile/load.ts';
import type { PolicyPlace } from '../language/policy/files/place.ts';
import type { SourceStore } from '../language/policy/sources/source-store.ts';
import type { Steps } from '../lib/steps.ts';
import { hookMessage } from './hook-message.ts';
import type { HookIo, HookOptions } from './hook-options.ts';
import { createProgramCache } from './state/program-cache.ts';
import { StateError } from './state/state-error.ts';
import { createTrustStore } from './state/trust-store.ts';

/** The policies in force: ready to judge, or the reason why they cannot be used. */
export type PolicySet =
  | {
      readonly ok: true;
      readonly engine: Engine;
      /** Every file that the policies come from, without links. */
      readonly files?: ReadonlySet<string>;
      /** Why some of them are not in force, if those entitled to decide want the others to apply anyway. */
      readonly broken?: string | undefined;
    }
  | {
      readonly ok: false;
      /** Quotes positions and kinds of problems, never file contents. */
      readonly cause: string;
    };

export function* loadPolicySet(
  options: HookOptions,
  io: HookIo,
  sessionDirectory: string,
  startDirectory = sessionDirectory,
): Steps<PolicySet> {
  if (options.problem !== undefined) return { ok: false, cause: options.problem };
  const place: PolicyPlace = {
    named: options.policies,
    cwd: io.cwd,
    sessionDirectory,
    startDirectory,
    env: io.env,
    sources: sourcesIn(io.env),
  };
  const loaded = yield* load(place, io);
  if (!loaded.ok) return { ok: false, cause: hookMessage(loaded.diagnostics) };
  const { program, files, broken } = loaded;
  return {
    ok: true,
    engine: createEngine(program),
    files: new Set(files),
    broken: broken.length === 0 ? undefined : hookMessage(broken),
  };
}

/** Most sets have none, or are kept. */
function sourcesIn(env: HookIo['env']): SourceStore {
  return {
    open: (digest) => {
      const { createSourceStore } =
        require('./state/source-store.ts') as typeof import('./state/source-store.ts');
      return createSourceStore(env).open(digest);
    },
  };
}

/** An error of our own may quote a file. */
function* load(place: PolicyPlace, { env }: HookIo): Steps<LoadResult> {
  try {
    const cache = createProgramCache(env);
    return yield* loadProgram({ place, trust: createTrustStore(env), cache });
  } catch (error) {
    if (error instanceof StateError) throw error;
    const kind = error instanceof Error ? error.name : typeof error;
    throw new Error(`loading the policies failed (${kind}); run policy check`);
  }
}
