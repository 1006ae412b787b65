import type { Redirection, Span } from '../reading/reading.ts';
import type { Argument } from './bind.ts';
import type { PsFrame, Value } from './state.ts';

export interface CallContext {
  readonly at: PsFrame;
  readonly piped: Value | undefined;
  readonly redirections: readonly Redirection[];
  readonly span: Span;
  readonly given: readonly Argument[];
}

export interface CmdletCall extends CallContext {
  readonly name: string;
  readonly head: Span;
}

export type Special = (call: CmdletCall) => Value;

/** Words by the starts of their parameters' names, and those without. */
export function wordsOf(
  { given }: CmdletCall,
  ...switches: readonly string[]
): { named: (name: string) => Value | undefined; values: readonly Value[] } {
  const named = new Map<string, Value>();
  const values: Value[] = [];
  for (let index = 0; index < given.length; index++) {
    const argument = given[index];
    const name = argument?.parameter?.slice(1).toLowerCase();
    if (argument === undefined) continue;
    if (name === undefined) values.push(argument.value);
    else if (argument.given !== undefined) named.set(name, argument.given);
    else if (switches.some((each) => each.startsWith(name))) named.set(name, []);
    else named.set(name, (given[index + 1]?.parameter === undefined && given[++index]?.value) || []);
  }
  const find = (name: string) => [...named].find(([written]) => name.startsWith(written))?.[1];
  return { named: find, values };
}
