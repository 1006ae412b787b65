import { EMPTY_WORD, joinList, knownText, showWord } from '../../reading/word.ts';
import { withVariables } from '../../shell/expand/assign.ts';
import { runFileText, runShellText } from '../../shell/run/shell-text.ts';
import { type BranchOutcome, either, newFlow, passOn, setOutcome, statusIn } from '../../shell/scope/flow.ts';
import type { Call, Frame, ProgramReader } from '../../shell/scope/interpreter.ts';
import { noteEnd } from '../../shell/scope/run-certainty.ts';
import { leave, leaveFunction, newScope } from '../../shell/scope/scope.ts';
import { hasFlag } from '../interpret/flags.ts';
import { writtenContent } from '../interpret/input-text.ts';
import { noteLoaded, noteUnknown } from '../interpret/loaded-environment.ts';

const evaluate: ProgramReader = (call) => {
  const words = knownText(call.args[0]?.word ?? EMPTY_WORD) === '--' ? call.args.slice(1) : call.args;
  const [only] = words;
  if (only === undefined) return EMPTY_WORD;
  call.command.wrapper = true;
  const script =
    words.length === 1 ? only : { word: joinList(words.map((arg) => arg.word)), span: call.span };
  noteUnknown(call, script.word);
  const frame: Frame = {
    ...withVariables(call.frame),
    flow: passOn(call.command, call.frame.flow, true),
    via: [...call.frame.via, { kind: 'eval', name: 'eval' }],
    parent: call.index,
  };
  return runShellText(call, script, frame, 'the script of eval');
};

/** `source file`: its text is read if the script itself wrote it, or `<( )` prints it. */
const source: ProgramReader = (call) => {
  const file = call.parsed.operands[0]?.word;
  if (file === undefined) return undefined;
  const isInput = knownText(file) === '/dev/stdin';
  const content = isInput ? call.frame.input : writtenContent(file, call);
  if (content === undefined) {
    noteLoaded(call, call.interpreter.resolve(file, call.command));
    return undefined;
  }
  noteUnknown(call, content);
  call.command.wrapper = true;
  const around = withVariables(call.frame);
  const given = call.parsed.operands.slice(1).map(({ word }) => word);
  // Its arguments are the positional parameters for as long as it runs.
  const scope = given.length === 0 ? around.scope : newScope('function', around.scope);
  if (given.length > 0) scope.positional = given;
  const frame: Frame = {
    ...around,
    scope,
    flow: passOn(call.command, call.frame.flow, true),
    via: [...call.frame.via, { kind: 'source', name: showWord(file) }],
    parent: call.index,
  };
  return runFileText(call, { word: file, span: call.span }, content, frame, 'the file that is sourced');
};

/** exit leaves the branch it is in. */
const exit: ProgramReader = (call) => {
  const { flow, scope } = call.frame;
  if (isCertain(call)) leave(scope);
  flow.ended = either(flow.ended, noteExit(call).succeeded);
  return EMPTY_WORD;
};

/** return does so inside a function. */
const returns: ProgramReader = (call) => {
  const around = call.frame.calls.at(-1);
  if (around === undefined) {
    // Outside of a function, a shell may refuse it and go on.
    noteEnd(call.frame.scope, 'any');
    call.frame.flow.ended = either(call.frame.flow.ended, call.frame.flow.known);
    return EMPTY_WORD;
  }
  const { flow } = call.frame;
  const { succeeded, failed } = noteExit(call);
  if (isCertain(call)) leaveFunction(call.frame.scope, succeeded === 'never');
  // A shell of its own in the function ends.
  if (flow !== around.flow) flow.ended = either(flow.ended, succeeded);
  around.left.succeeded = either(around.left.succeeded, succeeded);
  around.left.failed = either(around.left.failed, failed);
  return EMPTY_WORD;
};

/** Leaves a shell or a function, and returns the outcome. Without a number its status is that of the last command. */
function noteExit(call: Call): BranchOutcome {
  const {
    args: [status],
    frame: { scope, flow },
  } = call;
  const { known } = flow;
  const number = Number(knownText(status?.word ?? []) ?? Number.NaN);
  const isFailure = status !== undefined && number >= 1 && number <= 255;
  const outcome: BranchOutcome = isFailure
    ? { succeeded: 'never', failed: known }
    : status === undefined
      ? { succeeded: flow.succeeded, failed: flow.failed }
      : (statusIn(status.word, flow) ?? { succeeded: known, failed: known });
  noteEnd(scope, outcome.succeeded === 'never' ? 'failed' : 'any');
  if (isCertain(call)) {
    setOutcome(flow, 'never', 'never');
    call.command.inner = flow;
  }
  return outcome;
}

/** True if it cannot fail: with more words than it takes it may. */
function isCertain({ command, args }: Call): boolean {
  return args.length <= 1 && command.redirections.length === 0 && !command.openEnded;
}

/** The script of a trap is read at the end, with the meanings of its names by then. */
const trap: ProgramReader = (call) => {
  const [script, signal] = call.parsed.operands;
  const arg = script === undefined ? undefined : call.args[script.arg];
  if (arg === undefined || hasFlag(call.parsed, '-p', '-l')) return undefined;
  if (signal === undefined || knownText(arg.word) === '-') return EMPTY_WORD;
  const via: Frame['via'] = [...call.frame.via, { kind: 'trap', name: showWord(signal.word) }];
  call.interpreter.traps.push(() => {
    const scope = newScope('branch', call.frame.scope);
    const frame: Frame = {
      ...call.frame,
      flow: newFlow(undefined),
      scope,
      via,
      parent: call.index,
      captured: false,
    };
    runShellText(call, arg, frame, 'the script of trap');
  });
  return EMPTY_WORD;
};

/** Builtins that run a text in the shell itself, or leave it. */
export const CONTROL_BUILTIN_READERS: Readonly<Record<string, ProgramReader>> = {
  trap,
  eval: evaluate,
  source,
  '.': source,
  exit,
  return: returns,
};
