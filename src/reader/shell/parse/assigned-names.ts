import type { Command, Statement, SyntaxNode } from 'unbash';
import { childrenOf } from './syntax.ts';

/** Builtins that set the variables they are given as arguments. */
const SETTERS = new Set('read mapfile readarray getopts export declare local typeset printf let'.split(' '));

/**
 * The variables that statements may set, without looking into words. Directory changes count as `PWD`. Used for loops,
 * where a variable may have a value of an earlier round. Iterative: the statements may be nested deeply.
 */
export function assignedNames(statements: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: SyntaxNode[] = [...statements];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'Command') addNames(node, names);
    else if (node.type !== 'Word' && node.type !== 'Function') {
      if (node.type === 'For' || node.type === 'Select') names.add(node.name.value);
      pending.push(...childrenOf(node));
    }
  }
  return names;
}

function addNames({ name: program, prefix, suffix }: Command, names: Set<string>): void {
  for (const item of prefix) if (item.type === 'Assignment' && program === undefined) names.add(item.name);
  const name = program?.value ?? '';
  if (name === 'cd' || name === 'pushd' || name === 'popd') names.add('PWD');
  if (!SETTERS.has(name)) return;
  for (const item of suffix) {
    if (item.type === 'Assignment') names.add(item.name);
    else if (item.type === 'Word' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(item.value)) names.add(item.value);
  }
}
