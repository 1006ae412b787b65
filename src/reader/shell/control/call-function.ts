import { unknownWord, type Word } from '../../reading/word.ts';
import { cwdOf, mergeReturns, newScope, type ShellFunction, setLocal, single } from '../scope/scope.ts';
import type { Arg, FunctionCall, Place } from '../scope/walker.ts';
import { forksAtOnce } from './endless-loop.ts';
import { isForked, stateOf, widened } from './recursion.ts';

/** Runs a function with what it is called with. Returns what it prints. */
export function callFunction(name: string, found: ShellFunction, argv: readonly Arg[], place: Place): Word {
  const { walker } = place;
  const span = argv[0]?.span ?? { start: 0, end: 0 };
  const output = unknownWord(`the output of ${name}`);
  const around = place.calls.filter((call) => call.name === name);
  const [outer] = around;
  if (outer !== undefined && isForked(place, outer)) {
    walker.gap('too_deep', span, `The function "${name}" starts itself beside itself`);
    return output;
  }
  const given = argv.slice(1).map((arg) => arg.word);
  const args = widened(given, around, walker);
  const start = outer === undefined ? undefined : stateOf(args, place);
  const same = around.find((call) => start !== undefined && call.start === start);
  if (same !== undefined) {
    same.repeats = true;
    if (forksAtOnce([found.node.body], place))
      walker.gap('too_deep', span, `The function "${name}" calls itself, and starts more programs each time`);
    return output;
  }
  if (!walker.enter(place, span, 0)) return output;
  const scope = newScope('function', place.scope);
  scope.positional = args;
  for (const { name: variable, value } of place.environment) setLocal(scope, variable, single(value, true));
  const { substitutions } = place;
  const call: FunctionCall = { name, scope, substitutions, args, start, repeats: false };
  const before = cwdOf(place.scope);
  walker.seen.add(found.node);
  const printed = walker.runBody(found.node.body, {
    ...place,
    source: found.source,
    scope,
    via: [...place.via, { kind: 'function', name }],
    calls: [...place.calls, call],
    depth: place.depth + 1,
    scriptDepth: place.scriptDepth + 1,
  });
  mergeReturns(scope, before);
  // What follows such a call was read as if the call had changed nothing.
  if (call.repeats && start !== stateOf(args, place))
    walker.gap('too_deep', span, `The function "${name}" calls itself, and changes what it starts from`);
  return printed;
}
