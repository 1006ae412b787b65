import type { Certainty, HidingReason } from '../../../model/history.ts';
import type { Via } from '../../reading/reading.ts';
import type { Scope } from './scope.ts';

/** The facts that are certain of a command by its place in a script. */
export interface RunCertainty extends Pick<Certainty, 'ran' | 'hiddenBy'> {
  /** `set -e` counts here: not in front of `&&`, `||` or in a condition. */
  readonly errexitApplies: boolean;
}

/** For a command on its own. */
export const CERTAIN: RunCertainty = { ran: true, errexitApplies: true };

/** The same where the status of the script need not be that of the command, and why. */
export function hideStatus(
  { ran: before, errexitApplies, hiddenBy: outer }: RunCertainty,
  hiddenBy: HidingReason,
  ran: boolean = before,
): RunCertainty {
  return { ran, errexitApplies, hiddenBy: outer ?? hiddenBy };
}

/** The same where `set -e` does not count. */
export function ignoringErrexit(runCertainty: RunCertainty): RunCertainty {
  return runCertainty.errexitApplies ? { ...runCertainty, errexitApplies: false } : runCertainty;
}

const HANDS_ON: ReadonlySet<Via['kind']> = new Set(['wrapper', 'shell', 'eval', 'source', 'function']);

/** Nothing is certain about a command below one that may not run it, or has a status of its own. */
export function runCertaintyIn({
  runCertainty,
  via,
  scope,
}: {
  readonly runCertainty: RunCertainty;
  readonly via: readonly Via[];
  readonly scope: Scope;
}): RunCertainty {
  if (via.some(({ kind }) => !HANDS_ON.has(kind))) return hideStatus(runCertainty, 'wrapper', false);
  const ended = endOf(scope);
  if (ended === undefined) return runCertainty;
  return ended === 'any' ? hideStatus(runCertainty, 'exit', false) : { ...runCertainty, ran: false };
}

export type ShellOption = 'errexit' | 'pipefail';

/** Sets an option or takes it away, if that is run. */
export function setOption(
  scope: Scope,
  option: ShellOption,
  isSet: boolean,
  { ran }: Pick<RunCertainty, 'ran'>,
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
