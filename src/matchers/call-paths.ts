import { stringsIn } from '../lib/json-path.ts';
import type { ToolCall, ToolClass } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import { resolvePath } from '../reading/path.ts';
import type { PathUse } from '../reading/reading.ts';
import { textWord } from '../reading/word.ts';
import { argumentValues } from './argument-values.ts';
import type { UsedPath } from './path-spec.ts';
import { shellReadings, workingDirectory } from './shell-reading.ts';

/** What a call does with a path. */
export interface CallPath extends UsedPath {
  readonly use: PathUse;
}

/** What tools of a class do with their path. */
const USE_BY_CLASS: Readonly<Partial<Record<ToolClass, PathUse>>> = {
  read: 'read',
  message: 'read',
  write: 'write',
  edit: 'write',
  list: 'list',
  search: 'read',
};
/** Tools that look at everything below their path. */
const RECURSIVE: ReadonlySet<ToolClass> = new Set(['search', 'list']);

/**
 * The paths that a call uses, in the arguments of file tools and in the commands of shell tools alike. `complete` is
 * false if there may be more.
 */
export function callPaths(facts: Facts): { readonly paths: readonly CallPath[]; readonly complete: boolean } {
  const call = facts.event.tool;
  if (call === undefined) return { paths: [], complete: true };
  const readings = shellReadings(facts);
  if (call.arguments === undefined || readings === 'unknown') return { paths: [], complete: false };
  const inCommands = (readings ?? []).flatMap(({ commands }) =>
    commands.flatMap(({ effects }) => effects.flatMap((effect) => (effect.type === 'path' ? [effect] : []))),
  );
  return {
    paths: [...argumentPaths(call, facts), ...inCommands],
    complete: (readings ?? []).every(({ complete }) => complete),
  };
}

function argumentPaths(call: ToolCall, facts: Facts): readonly CallPath[] {
  const cwd = workingDirectory(facts.event, facts.surroundings);
  const base = { cwd: cwd === undefined ? undefined : textWord(cwd), home: facts.surroundings.home };
  const written = argumentValues(call, ['path']).flatMap((value) =>
    typeof value === 'string' ? [value] : stringsIn(value),
  );
  return written.flatMap((path) => {
    const resolved = resolvePath(textWord(path), base);
    return usesOf(call).map(({ use, recursive }) => ({ use, path: resolved, recursive, only: undefined }));
  });
}

function usesOf(call: ToolCall): readonly { readonly use: PathUse; readonly recursive: boolean }[] {
  const uses = call.classes.flatMap((name) => {
    const use = USE_BY_CLASS[name];
    return use === undefined ? [] : [{ use, recursive: RECURSIVE.has(name) }];
  });
  return uses.length === 0 ? [{ use: 'mention', recursive: false }] : uses;
}
