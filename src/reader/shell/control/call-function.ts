import { type Origin, originsOf, showWord, unknownWord, type Word } from '../../reading/word.ts';
import { either, setOutcome } from '../scope/flow.ts';
import type { Arg, Frame, FunctionCall, Interpreter } from '../scope/interpreter.ts';
import { mergeReturns } from '../scope/merge-scopes.ts';
import {
  cwdOf,
  directoriesOf,
  filesOf,
  fromEnvironment,
  functionsOf,
  newScope,
  type Scope,
  type ShellFunction,
  setLocal,
  UNSET,
  type Variable,
} from '../scope/scope.ts';
import { forksAtOnce } from './endless-loop.ts';

/** Runs a function with its arguments. Returns its output. */
export function callFunction(name: string, found: ShellFunction, argv: readonly Arg[], frame: Frame): Word {
  const { interpreter, flow } = frame;
  const { known } = flow;
  setOutcome(flow, known, known);
  const span = argv[0]?.span ?? { start: 0, end: 0 };
  const output = unknownWord(`the output of ${name}`);
  const around = frame.calls.filter((call) => call.name === name);
  const [outer] = around;
  if (outer !== undefined && isForked(frame, outer)) {
    interpreter.gap('too_deep', span, `The function "${name}" starts several copies of itself`);
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
  for (const each of frame.environment) setLocal(scope, each.name, fromEnvironment(each));
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
  // The text behind the call was read as if the call had changed nothing.
  if (call.repeats && start !== stateOf(args, frame))
    interpreter.gap('too_deep', span, `The function "${name}" calls itself, and changes what it starts from`);
  return printed;
}

/** How many calls within each other are read as they are, before arguments that change from call to call are given up. */
const MAX_ROUNDS = 4;
/** Stands for all that a text may become from call to call. */
const ANYTHING = unknownWord('{what changes from call to call}');

/** True if a call starts several copies of itself, as in `f | f &`, so that there may be more and more of it. */
export function isForked(frame: Frame, around: FunctionCall): boolean {
  let processes = 0;
  for (let layer: Scope | undefined = frame.scope; layer !== around.scope; layer = layer.parent) {
    if (layer === undefined) return true;
    if (layer.kind === 'subshell') processes++;
  }
  return processes > frame.substitutions - around.substitutions;
}

/** The arguments of a recursive call; from the fourth call on, partly unknown words that change are unknown. */
export function widened(
  args: readonly Word[],
  around: readonly FunctionCall[],
  { contents }: Interpreter,
): readonly Word[] {
  const before = around.at(-1)?.args;
  if (around.length < MAX_ROUNDS || before?.length !== args.length) return args;
  const mayVary = (word: Word) =>
    word.length > 1 && originsOf(word).length === 0 && word.every((part) => !contents.has(part));
  return args.map((word, index) => (mayVary(word) && keyOf(word) !== keyOf(before[index]) ? ANYTHING : word));
}

/** Writes everything that a function depends on as a text. Two calls from one state do the same, so one is enough. */
export function stateOf(args: readonly Word[], frame: Frame): string {
  const { scope, input, environment, captured, interpreter } = frame;
  const variables = new Map<string, Variable>();
  const functions = new Set<string>();
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent) {
    for (const [name, variable] of layer.variables) if (!variables.has(name)) variables.set(name, variable);
    for (const name of layer.functions?.keys() ?? []) functions.add(name);
  }
  const { contents, trees } = filesOf(scope);
  const state = keyOf([
    [args, cwdOf(scope), directoriesOf(scope), input ?? null, environment, captured],
    [...variables].sort(([a], [b]) => (a < b ? -1 : 1)),
    [...functions].map((name) =>
      functionsOf(scope, name).map(({ node, source }) => source.text.slice(node.pos, node.end)),
    ),
    [...contents],
    [...trees],
  ]);
  interpreter.budget.readChars -= state.length >> 2;
  return state;
}

/** A text that is the same for values of which the same is known. */
function keyOf(value: unknown): string {
  return JSON.stringify(value, (name, each) => {
    if (name === 'printer' || name === 'texts' || name === 'status') return undefined;
    // An unset value is compared by identity.
    if (each === UNSET) return null;
    if (name !== 'origins') return each;
    return (each as readonly Origin[]).map(({ type, source }) => `${type} ${showWord(source)}`);
  });
}
