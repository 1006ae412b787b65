import type { ArithmeticFor, SyntaxNode, While } from 'unbash';
import { childrenOf } from '../parse/syntax.ts';
import type { Frame } from '../scope/interpreter.ts';
import { functionsOf } from '../scope/scope.ts';

/** Commands that are over at once: a loop does not wait for them. */
const QUICK = new Set(
  ': true false [ test echo printf let declare typeset local export readonly unset shift set cd pushd popd trap jobs disown'.split(
    ' ',
  ),
);

/** Conditions that always hold. */
const ALWAYS =
  /^(?::|(?:\/\S+\/)?true|! *false|\(\( *[1-9]\d* *\)\)|\[\[? +(?:-n +)?["']?\w+["']? +\]\]?|test +\w+)$/;
/** Conditions that never hold. */
const NEVER = /^(?:(?:\/\S+\/)?false|! *(?:true|:)|\(\( *0 *\)\))$/;

/** True if a loop without an end starts programs in the background, with nothing in it that it waits for. */
export function isForkingLoop(node: While | ArithmeticFor, frame: Frame): boolean {
  const textOf = (part: SyntaxNode | undefined) =>
    part === undefined ? '' : frame.source.text.slice(part.pos, part.end).trim();
  if (node.type === 'ArithmeticFor')
    return /^(?:[1-9]\d*)?$/.test(textOf(node.test)) && forksAtOnce(node.body.commands, frame);
  const { clause, body, kind } = node;
  const isEndless = (kind === 'while' ? ALWAYS : NEVER).test(textOf(clause.commands.at(-1)));
  return isEndless && forksAtOnce([...clause.commands, ...body.commands], frame);
}

/** True if statements start something in the background, with nothing among them that takes time, or leaves them. */
export function forksAtOnce(statements: readonly SyntaxNode[], { scope }: Frame): boolean {
  const pending: SyntaxNode[] = [...statements];
  const called = new Set<SyntaxNode>();
  let forks = false;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'Statement' && node.background === true) forks = true;
    else if (node.type === 'Command') {
      const name = node.name?.value ?? ':';
      const functions = functionsOf(scope, name);
      if (functions.length === 0 && !QUICK.has(name)) return false;
      for (const { node: found } of functions) {
        if (!called.has(found)) pending.push(found.body);
        called.add(found);
      }
    } else if (node.type !== 'Word' && node.type !== 'Function') pending.push(...childrenOf(node));
  }
  return forks;
}
