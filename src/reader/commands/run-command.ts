import { LIMITS, takeStep } from '../reading/bounds.ts';
import { EMPTY_WORD, knownText, mixedWord, unknownWord, type Word } from '../reading/word.ts';
import { callFunction } from '../shell/control/call-function.ts';
import { either, type KnownSuccesses, setOutcome } from '../shell/scope/flow.ts';
import type { Arg, Call, CommandExtras, Frame } from '../shell/scope/interpreter.ts';
import { mergeBranches } from '../shell/scope/merge-scopes.ts';
import { hideStatus } from '../shell/scope/run-certainty.ts';
import { functionsOf, newScope, type Scope, type ShellFunction } from '../shell/scope/scope.ts';
import { interpretProgram } from './interpret-program.ts';

/** Reads words as a command: its program, its effects, the commands that it runs in turn. Returns its output. */
export function runCommand(argv: readonly Arg[], frame: Frame, extras: CommandExtras | undefined): Word {
  const { interpreter } = frame;
  const [head] = argv;
  if (head === undefined) return EMPTY_WORD;
  const span = extras?.span ?? spanOf(argv);
  const { budget } = interpreter;
  budget.steps -= argv.length >> 2;
  if (!takeStep(budget) || --budget.commands < 0) return unknownWord('the output of a command');
  if (frame.via.length > LIMITS.wrapperDepth) {
    interpreter.gap('too_deep', span, 'Too many programs run each other');
    return unknownWord('the output of a command');
  }
  const known = knownText(head.word);
  // Only some shells expand them, and their text goes on with the words behind.
  if (extras?.direct === true && known !== undefined && interpreter.aliases.has(known))
    interpreter.gap('unknown_script', span, `Cannot tell what the alias "${known}" stands for`);
  const defined = extras?.direct === true && known !== undefined ? bodiesOf(frame.scope, known) : [];
  if (known !== undefined && defined.length > 0) {
    // Only so many meanings of a name are followed.
    if (defined.length >= LIMITS.alternatives)
      interpreter.gap('too_many_steps', span, `The command "${known}" has too many possible meanings`);
    const isCertain = defined.length === 1 && defined[0]?.maybe !== true;
    const inner = isCertain
      ? frame
      : { ...frame, runCertainty: hideStatus(frame.runCertainty, 'condition', false) };
    const { flow } = frame;
    const { known: here } = flow;
    let [yes, no]: [KnownSuccesses, KnownSuccesses] = ['never', 'never'];
    const printed = defined.map((each) => {
      flow.known = here;
      const output = callFunction(known, each, argv, inner);
      yes = either(yes, flow.succeeded);
      no = either(no, flow.failed);
      return output;
    });
    if (defined.every(({ maybe }) => maybe !== true)) setOutcome(flow, yes, no);
    else {
      flow.known = here;
      const scope = newScope('branch', frame.scope);
      printed.push(interpretProgram(head, argv, { ...inner, scope }, extras, span));
      mergeBranches(frame.scope, [scope], false);
      setOutcome(flow, here, here);
    }
    const [only] = printed;
    return only !== undefined && printed.length === 1
      ? only
      : mixedWord('the output of one of several functions', printed);
  }
  return interpretProgram(head, argv, frame, extras, span);
}

/** The functions that a name may mean, each body once, whether or not other shells know it. */
function bodiesOf(scope: Scope, name: string): readonly ShellFunction[] {
  return [...Map.groupBy(functionsOf(scope, name), ({ node }) => node).values()].flatMap(
    ([first, ...others]) =>
      first === undefined ? [] : [others.find(({ maybe }) => maybe === true) ?? first],
  );
}

/** From the first of several words to the end of the last. */
function spanOf(argv: readonly Arg[]): Call['span'] {
  const first = argv[0]?.span ?? { start: 0, end: 0 };
  return { start: first.start, end: Math.max(first.end, argv.at(-1)?.span.end ?? 0) };
}
