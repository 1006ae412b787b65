import type { Certainty, HidingReason } from '../../../model/history.ts';
import type { Via } from '../../reading/reading.ts';
import type { Scope } from './scope.ts';

/** The facts that are certain of a command by its place in a script. */
export interface Standing extends Pick<Certainty, 'ran' | 'hiddenBy'> {
  /** `set -e` counts here: not in front of `&&`, `||` or in a condition. */
  readonly stops: boolean;
}

/** That of a command on its own. */
export const CERTAIN: Standing = { ran: true, stops: true };

/** The same if the status of the script need not be that of the command, with the reason that may hide it. */
export function hidden(
  { ran: before, stops, hiddenBy: outer }: Standing,
  hiddenBy: HidingReason,
  ran: boolean = before,
): Standing {
  return { ran, stops, hiddenBy: outer ?? hiddenBy };
}

/** The same where `set -e` does not count. */
export function unstopped(standing: Standing): Standing {
  return standing.stops ? { ...standing, stops: false } : standing;
}

const HANDS_ON: ReadonlySet<Via['kind']> = new Set(['wrapper', 'shell', 'eval', 'source', 'function']);

/** The standing of a command: nothing is certain below one that may not run it, or has a status of its own. */
export function certaintyIn({
  standing,
  via,
  scope,
}: {
  readonly standing: Standing;
  readonly via: readonly Via[];
  readonly scope: Scope;
}): Standing {
  if (via.some(({ kind }) => !HANDS_ON.has(kind))) return hidden(standing, 'wrapper', false);
  const ended = endOf(scope);
  if (ended === undefined) return standing;
  return ended === 'any' ? hidden(standing, 'exit', false) : { ...standing, ran: false };
}

/** An option of the shell that a scope is in. */
export type ShellOption = 'errexit' | 'pipefail';

/** Sets an option or takes it away, if that is run. */
export function setOption(
  scope: Scope,
  option: ShellOption,
  isSet: boolean,
  { ran }: Pick<Standing, 'ran'>,
): void {
  const isSame = ran || optionOf(scope, option) === isSet;
  const shell = shellOf(scope);
  shell.options = { ...optionsOf(scope), [option]: isSame ? isSet : 'unknown' };
}

/** The value of an option; `unknown` if nobody knows. */
export function optionOf(scope: Scope, option: ShellOption): boolean | 'unknown' {
  return optionsOf(scope)[option] ?? false;
}

/** Notes that the shell may have ended before the next command; `failed` if only with a status that is none of success. */
export function noteEnd(scope: Scope, how: 'failed' | 'any'): void {
  const shell = shellOf(scope);
  if (shell.mayHaveEnded !== 'any') shell.mayHaveEnded = how;
}

function endOf(scope: Scope): Scope['mayHaveEnded'] {
  let found: Scope['mayHaveEnded'];
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent)
    if (layer.mayHaveEnded === 'any') return 'any';
    else found ??= layer.mayHaveEnded;
  return found;
}

function optionsOf(scope: Scope): NonNullable<Scope['options']> {
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent) {
    if (layer.options !== undefined) return layer.options;
    if (layer.kind === 'process') return {};
  }
  return {};
}

/** The layer of the shell itself, which functions and branches are parts of. */
function shellOf(scope: Scope): Scope {
  let layer = scope;
  while ((layer.kind === 'function' || layer.kind === 'branch') && layer.parent !== undefined)
    layer = layer.parent;
  return layer;
}
