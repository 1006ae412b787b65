import { join } from 'node:path';
import { isJsonObject, ownObject } from '../../lib/json.ts';
import { compareDiagnostics, type Diagnostic } from '../../model/diagnostic.ts';
import type { CompiledFiles } from '../../policy/compile-files.ts';
import { problem, startOf } from '../../policy/problem.ts';
import { displayPath } from '../../policy/source.ts';
import { parseYaml } from '../../policy/yaml.ts';
import { sessionFolders } from '../../state/session-folders.ts';
import type { Io } from '../io.ts';
import { compileFor } from '../policy-place.ts';

/** What a file may have that only restricts, if its policies do. */
const RESTRICTING = [
  'version',
  'name',
  'description',
  'extends',
  'defaults',
  'applies_to',
  'parameters',
  'policies',
];
const HINT = 'sessions take policies with deny, ask, retry_feedback, abort_turn or hard_abort';

/**
 * What keeps a file out of the sessions in a directory: its own mistakes, what it has that does more than restrict, and
 * what does not go with the policies that are in force there.
 *
 * @param folder where the file stands alone
 * @param shown how the problems are to name it
 */
export function problemsOf(
  { folder, id, text, shown }: { folder: string; id: string; text: string; shown: string },
  directory: string,
  io: Io,
): readonly Diagnostic[] {
  const file = displayPath(join(folder, `${id}.yaml`), io.cwd);
  const compiled = compileFor(io, [], directory, undefined, (each) => [
    ...sessionFolders(io.env, each),
    folder,
  ]);
  const own = [
    ...otherKeys(text, file),
    ...otherActions(compiled, folder),
    ...(compiled.files.some((each) => each.file === file) ? [] : [notLoaded(file)]),
  ];
  const found = [...newErrors(compiled, directory, io), ...own];
  return found
    .map((each) =>
      each.position.file === file ? { ...each, position: { ...each.position, file: shown } } : each,
    )
    .sort(compareDiagnostics);
}

/** The errors that are not there without the file. */
function newErrors({ diagnostics }: CompiledFiles, directory: string, io: Io): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return [];
  const known = new Set(compileFor(io, [], directory).diagnostics.map((each) => JSON.stringify(each)));
  return errors.filter((each) => !known.has(JSON.stringify(each)));
}

function otherKeys(text: string, file: string): readonly Diagnostic[] {
  const { document } = parseYaml(text, file);
  if (document === undefined || !isJsonObject(document.value)) return [];
  const refused = (path: readonly string[]) =>
    problem(
      'trust',
      document.positionOf(path, 'key'),
      `Cannot add "${path.at(-1)}": it can do more than restrict`,
      HINT,
    );
  const keys = Object.keys(document.value).filter((key) => !RESTRICTING.includes(key));
  const defaults = ownObject(document.value, 'defaults') ?? {};
  const paths = keys.map((key) => [key]);
  return (Object.hasOwn(defaults, 'on_error') ? [...paths, ['defaults', 'on_error']] : paths).map(refused);
}

/** Of policies that would need trust, which nobody gives a session. */
function otherActions({ trustSets, program }: CompiledFiles, folder: string): readonly Diagnostic[] {
  const rules = trustSets.find(({ root }) => root === folder)?.rules ?? [];
  return rules.flatMap(({ index }) => {
    const rule = program.rules[index];
    if (rule === undefined) return [];
    const what = rule.judge === undefined ? `action "${rule.action}"` : 'a judge';
    const message = `Cannot add policy "${rule.id}": ${what} can do more than restrict`;
    return [problem('trust', rule.position, message, HINT)];
  });
}

function notLoaded(file: string): Diagnostic {
  const message = 'Cannot add the file: policies of sessions are not loaded here, because POLICY_PATH is set';
  return problem('file', startOf(file), message, 'add the policies to what POLICY_PATH names');
}
