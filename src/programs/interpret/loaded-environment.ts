import { knownText } from '../../reading/word.ts';
import type { Scope } from '../../shell/scope/scope.ts';
import type { Call, Walker } from '../../shell/scope/walker.ts';

/** Programs that print the whole environment if they are given nothing but such words. */
const PRINTERS: Readonly<Record<string, RegExp>> = {
  env: /^(?:-[0v]|--null|[A-Za-z_]\w*=.*)$/s,
  printenv: /^(?:-0|--null)$/,
  set: /^$/,
  export: /^-p$/,
  declare: /^-[px]$/,
  typeset: /^-[px]$/,
};

/** How many files are remembered. */
const MAX_LOADED = 32;

/** Remembers that what a file sets is in the environment from now on. */
export function noteLoaded(call: Call, walker: Walker): void {
  const file = call.parsed.operands[0]?.word;
  if (walker.loaded.length >= MAX_LOADED)
    walker.gap('too_many_steps', call.span, 'Too many files are loaded into the environment');
  else if (file !== undefined)
    walker.loaded.push({ file: walker.resolve(file, call.command), shell: shellOf(call.place.scope) });
}

/** The shell that a scope belongs to: what it loads is gone when it ends. */
function shellOf(scope: Scope): Scope {
  let shell = scope;
  while (shell.parent !== undefined && shell.kind !== 'subshell' && shell.kind !== 'process')
    shell = shell.parent;
  return shell;
}

function isWithin(scope: Scope, shell: Scope): boolean {
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent)
    if (layer === shell) return true;
  return false;
}

/** Who prints the environment shows what was loaded into it. */
export function addLoadedReads({ command, args, place, span }: Call, walker: Walker): void {
  const { name = '' } = command;
  const how = Object.hasOwn(PRINTERS, name) ? PRINTERS[name] : undefined;
  if (walker.loaded.length === 0 || how === undefined) return;
  if (!args.every(({ word }) => how.test(knownText(word) ?? '\0'))) return;
  for (const { file, shell } of walker.loaded)
    if (isWithin(place.scope, shell)) walker.path(command, 'read', file, { span });
}
