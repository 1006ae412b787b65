import { dirname, join } from 'node:path';
import type { JsonObject } from '../../../lib/json.ts';
import type { Position } from '../../../model/diagnostic.ts';
import { type EventKind, TOOL_EVENTS } from '../../../model/event.ts';
import { kindOf, MODULES } from '../files/folders.ts';
import type { RuleDraft } from '../parse/file-draft.ts';
import { normalisePolicy } from '../parse/normalise-policy.ts';

/** The commands that bring the packages, by the lock file beside them; the first lock file that is there counts. */
const INSTALLERS = [
  ['pnpm-lock.yaml', 'pnpm install'],
  ['yarn.lock', 'yarn install'],
  ['bun.lock', 'bun install'],
] as const;

/** The command that brings a file of a package. */
export function installCommand(path: string): string {
  const folder = dirname(path.slice(0, path.indexOf(MODULES) + MODULES.length));
  const found = INSTALLERS.find(([lock]) => kindOf(join(folder, lock)) === 'file');
  return found?.[1] ?? 'npm ci';
}

/** Nothing but one of the commands above, with flags that make it stricter: a longer script could do anything beside it. */
const ONLY_INSTALLS =
  '^ *(npm (ci|install|i)|pnpm (install|i)|yarn( install)?|bun (install|i))( --(frozen-lockfile|immutable|ignore-scripts))* *$';

/** Events at which policies refuse something beside calls of tools. */
const OTHER_EVENTS: readonly EventKind[] = ['before_prompt', 'before_llm', 'tool_choice', 'after_llm'];

/**
 * The policies instead of those that a missing file has. Nobody knows which decisions they would make, so everything is
 * refused that policies can refuse, except for the command alone that brings the file.
 *
 * @param name of the file that extends it
 */
export function missingModuleRules(
  name: string,
  extended: string,
  path: string,
  position: Position,
): readonly RuleDraft[] {
  const install = installCommand(path);
  const shared: JsonObject = {
    action: 'deny',
    reason: `the policies of this project extend ${extended}, which is not installed`,
    instead: `run \`${install}\` and nothing else in that command`,
  };
  const onTools: JsonObject = {
    ...shared,
    id: `extends:${extended}`,
    on: TOOL_EVENTS,
    not: { tool: 'shell', not: { tool: 'mcp' }, arguments: { command: ONLY_INSTALLS } },
  };
  const onOthers: JsonObject = { ...shared, id: `extends:${extended}:texts`, on: OTHER_EVENTS };
  return [onTools, onOthers].map((policy) =>
    normalisePolicy(policy, { name, mode: 'enforce' }, () => position),
  );
}
