import type { Certainty, HidingReason } from '../../../model/history.ts';
import type { Via } from '../../reading/reading.ts';
import type { Scope } from './scope.ts';

/** What is certain of a command by where it is in a script. */
export interface Standing extends Pick<Certainty, 'ran' | 'own' | 'hiddenBy'> {
  /** `set -e` counts here: not in front of `&&`, `||` or in a condition. */
  readonly stops: boolean;
  /** It runs only if something before it has failed. */
  readonly isAfterFailure?: true;
}

/** That of a command on its own. */
export const CERTAIN: Standing = { ran: true, own: true, stops: true };

/** The same where the status of the script is not that of the command. */
export function hidden(standing: Standing, hiddenBy: HidingReason, ran: boolean = standing.ran): Standing {
  return { ran, own: false, stops: false, hiddenBy: standing.hiddenBy ?? hiddenBy };
}

/** The same behind an operator: it may not run, but does if the script succeeds. */
export function conditional(standing: Standing, stops: boolean): Standing {
  return { ...standing, ran: false, stops: standing.stops && stops };
}

const HANDS_ON: ReadonlySet<Via['kind']> = new Set(['wrapper', 'shell', 'eval', 'source', 'function']);

/** What is certain of a command: nothing is where something runs it that may not, or has a status of its own. */
export function certaintyIn({
  standing,
  via,
  scope,
}: {
  readonly standing: Standing;
  readonly via: readonly Via[];
  readonly scope: Scope;
}): Pick<Certainty, 'ran' | 'own' | 'hiddenBy'> {
  if (via.some(({ kind }) => !HANDS_ON.has(kind))) return hidden(standing, 'wrapper', false);
  const ended = endOf(scope);
  if (ended === undefined) return standing;
  return ended === 'any' ? hidden(standing, 'exit', false) : { ...standing, ran: false };
}

/** An option of the shell that a scope is in. */
export type ShellOption = 'errexit' | 'pipefail';

/** Sets an option for certain, or takes it away. */
export function setOption(scope: Scope, option: ShellOption, isSet: boolean, { ran }: Standing): void {
  if (isSet && !ran) return;
  const shell = shellOf(scope);
  shell.options = { ...optionsOf(scope), [option]: isSet };
}

/** True if an option is set for certain. */
export function hasOption(scope: Scope, option: ShellOption): boolean {
  return optionsOf(scope)[option] === true;
}

/** Notes that the shell may have ended before what follows; `failed` if only with a status that is none of success. */
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
