import type { Call, Walker } from './walker.ts';
import { knownText } from './word.ts';

/** Programs that print the whole environment if they are given nothing but such flags. */
const PRINTERS: ReadonlySet<string> = new Set(['env', 'printenv', 'set', 'export', 'declare', 'typeset']);
const HOW = /^-(?:[0px]|-null)$/;

/** How many files are remembered. */
const MAX_LOADED = 32;

/** Remembers that what a file sets is in the environment from now on. */
export function noteLoaded(call: Call, walker: Walker): void {
  const file = call.parsed.operands[0]?.word;
  if (file !== undefined && walker.loaded.length < MAX_LOADED)
    walker.loaded.push(walker.resolve(file, call.command));
}

/** Who prints the environment shows what was loaded into it. */
export function addLoadedReads({ command, args, span }: Call, walker: Walker): void {
  if (walker.loaded.length === 0 || !PRINTERS.has(command.name ?? '')) return;
  if (!args.every(({ word }) => HOW.test(knownText(word) ?? ''))) return;
  for (const file of walker.loaded) walker.path(command, 'read', file, { span });
}
