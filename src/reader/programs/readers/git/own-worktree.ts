import { isSameWord, knownText } from '../../../reading/word.ts';
import type { Call, Draft, Walker } from '../../../shell/scope/walker.ts';

/** How far back a worktree is looked for that the script itself has made. */
const LOOKS_BACK = 256;

/** Does it remove a worktree that the same script has added? Nobody else has worked in that one. */
export function isOwnWorktree(call: Call, walker: Walker): boolean {
  const { command, index, parsed } = call;
  const [, verb, operand] = parsed.operands;
  if (knownText(verb?.word ?? []) !== 'remove' || operand === undefined) return false;
  const path = walker.resolve(operand.word, command);
  return walker.commands
    .slice(Math.max(0, index - LOOKS_BACK), index)
    .some(
      (other) => addsWorktree(other) && other.remote === command.remote && isSameWord(added(other), path),
    );

  function added(other: Draft) {
    return walker.resolve(other.operands[2] ?? [], other);
  }
}

function addsWorktree({ name, operands, flags }: Draft): boolean {
  const [first, second] = operands.map((word) => knownText(word));
  // With force it may take the place of one that was there.
  const isForced = flags.some(({ name: flag }) => flag === '-f' || flag === '--force');
  return name === 'git' && first === 'worktree' && second === 'add' && operands.length > 2 && !isForced;
}
