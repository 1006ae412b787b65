import type { AndOr, PipelineNode, SyntaxNode } from 'unbash';
import { boundedWord, isExhausted, LIMITS } from '../../reading/bounds.ts';
import { EMPTY_WORD, joinWords, mixedWord, type Word } from '../../reading/word.ts';
import { childrenOf } from '../parse/syntax.ts';
import { either, enter, type KnownSuccesses, setOutcome } from '../scope/flow.ts';
import type { Frame } from '../scope/interpreter.ts';
import { mergeBranches } from '../scope/merge-scopes.ts';
import { hideStatus, ignoringErrexit, type RunCertainty } from '../scope/run-certainty.ts';
import { cwdOf, newScope, type Scope } from '../scope/scope.ts';

/** Commands that answer a question: the command behind `&&` may well not run. */
const QUESTIONS = new Set(
  '[ test grep egrep fgrep rg which type command hash false diff cmp pgrep'.split(' '),
);

/**
 * A list of `&&` and `||`. A directory change or an assignment before `&&` is taken to succeed; a command after a question or
 * after `||` may or may not run, so that variables keep their other values too.
 */
export function readAndOr(node: AndOr, frame: Frame, read: (node: PipelineNode, frame: Frame) => Word): Word {
  let scope: Scope = frame.scope;
  let before = cwdOf(scope);
  let printed: Word = EMPTY_WORD;
  const { flow } = frame;
  let [yes, no]: [KnownSuccesses, KnownSuccesses] = [flow.known, 'never'];
  const standings = hidingReasonsIn(node, frame);
  const branches: Scope[] = [];
  let other: Scope | undefined;
  const merge = () => {
    // Behind `a && b || exit` both have run.
    const isOnlyWay = other?.left === true;
    for (let branch = branches.pop(); branch !== undefined; branch = branches.pop()) {
      mergeBranches(branch.parent ?? frame.scope, [branch], isOnlyWay);
    }
    if (other !== undefined) mergeBranches(frame.scope, [other], false);
    other = undefined;
    scope = frame.scope;
  };
  for (const [index, command] of node.commands.entries()) {
    if (isExhausted(frame.interpreter.budget)) break;
    const operator = node.operators[index - 1];
    const previous = node.commands[index - 1];
    // The command behind `a || b &&` comes behind both.
    if (node.operators[index - 2] === '||') merge();
    const asked =
      operator === '&&' &&
      previous !== undefined &&
      (isQuestion(previous) || changesNames([command])) &&
      branches.length < LIMITS.scriptDepth;
    if (operator === '||') {
      const tried = newScope('branch', frame.scope);
      mergeBranches(tried, branches, false);
      other = newScope('branch', tried);
      other.cwd = before;
      scope = other;
    } else if (asked) {
      scope = newScope('branch', scope);
      branches.push(scope);
    }
    before = cwdOf(scope);
    if (operator === '||') enter(flow, { succeeded: 'never', failed: no });
    else if (operator === '&&') enter(flow, { succeeded: yes, failed: 'never' });
    const output = read(command, {
      ...frame,
      scope,
      runCertainty: standings[index] ?? frame.runCertainty,
    });
    yes = operator === '||' ? either(yes, flow.succeeded) : flow.succeeded;
    no = operator === '||' ? flow.failed : either(no, flow.failed);
    // It may be unknown which of them ran last.
    if (index > 0) flow.stages = [];
    if (frame.captured)
      printed =
        operator === '||'
          ? output.length === 0 || printed.length === 0
            ? joinWords(printed, output)
            : mixedWord('the output of a command', [printed, output])
          : boundedWord(joinWords(printed, output));
  }
  merge();
  setOutcome(flow, yes, no);
  return printed;
}

/** The reasons that may hide the status of the commands of a list: in front of the last `||` another command's status counts. */
function hidingReasonsIn({ commands, operators }: AndOr, { runCertainty }: Frame): readonly RunCertainty[] {
  const or = operators.lastIndexOf('||');
  const last = commands.length - 1;
  return commands.map((_, index) => {
    const ran = index === 0 && runCertainty.ran;
    const found = or >= 0 && index <= or + 1 ? hideStatus(runCertainty, 'or', ran) : { ...runCertainty, ran };
    return index === last ? found : ignoringErrexit(found);
  });
}

/** True if something in statements gives a name to a function, or takes it away: where that is not run, it means the same as before. */
function changesNames(statements: readonly SyntaxNode[]): boolean {
  const pending = [...statements];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'Function') return true;
    if (node.type !== 'Command') pending.push(...(node.type === 'Word' ? [] : childrenOf(node)));
    else if (node.name?.value === 'unalias' || node.name?.value === 'unset') return true;
  }
  return false;
}

function isQuestion(node: PipelineNode): boolean {
  if (node.type === 'Pipeline') {
    const last = node.commands.at(-1);
    return (
      node.prefixes.some((prefix) => prefix.type === 'Negation') || (last !== undefined && isQuestion(last))
    );
  }
  if (node.type === 'Command') return QUESTIONS.has(node.name?.value ?? '');
  return node.type === 'TestCommand' || node.type === 'ArithmeticCommand';
}
