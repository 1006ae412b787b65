import { unknownWord, type Word } from '../../reading/word.ts';
import { either, setOutcome } from '../scope/flow.ts';
import type { Arg, Frame, FunctionCall } from '../scope/interpreter.ts';
import { cwdOf, mergeReturns, newScope, type ShellFunction, setLocal, single } from '../scope/scope.ts';
import { forksAtOnce } from './endless-loop.ts';
import { isForked, stateOf, widened } from './recursion.ts';

/** Runs a function with what it is called with. Returns what it prints. */
export function callFunction(name: string, found: ShellFunction, argv: readonly Arg[], frame: Frame): Word {
  const { interpreter, flow } = frame;
  const { known } = flow;
  setOutcome(flow, known, known);
  const span = argv[0]?.span ?? { start: 0, end: 0 };
  const output = unknownWord(`the output of ${name}`);
  const around = frame.calls.filter((call) => call.name === name);
  const [outer] = around;
  if (outer !== undefined && isForked(frame, outer)) {
    interpreter.gap('too_deep', span, `The function "${name}" starts itself beside itself`);
    return output;
  }
  const given = argv.slice(1).map((arg) => arg.word);
  const args = widened(given, around, interpreter);
  const start = outer === undefined ? undefined : stateOf(args, frame);
  const same = around.find((call) => start !== undefined && call.start === start);
  if (same !== undefined) {
    same.repeats = true;
    if (forksAtOnce([found.node.body], frame))
      interpreter.gap(
        'too_deep',
        span,
        `The function "${name}" calls itself, and starts more programs each time`,
      );
    return output;
  }
  if (!interpreter.enter(frame, span, 0)) return output;
  const scope = newScope('function', frame.scope);
  scope.positional = args;
  for (const { name: variable, value } of frame.environment) setLocal(scope, variable, single(value, true));
  const { substitutions } = frame;
  const call: FunctionCall = {
    name,
    scope,
    substitutions,
    args,
    start,
    repeats: false,
    left: { succeeded: 'never', failed: 'never' },
    flow,
  };
  const before = cwdOf(frame.scope);
  interpreter.seen.add(found.node);
  const printed = interpreter.runBody(found.node.body, {
    ...frame,
    source: found.source,
    scope,
    via: [...frame.via, { kind: 'function', name }],
    calls: [...frame.calls, call],
    depth: frame.depth + 1,
    scriptDepth: frame.scriptDepth + 1,
  });
  mergeReturns(scope, before);
  if (call.repeats) setOutcome(flow, known, known);
  else setOutcome(flow, either(flow.succeeded, call.left.succeeded), either(flow.failed, call.left.failed));
  // What follows such a call was read as if the call had changed nothing.
  if (call.repeats && start !== stateOf(args, frame))
    interpreter.gap('too_deep', span, `The function "${name}" calls itself, and changes what it starts from`);
  return printed;
}
