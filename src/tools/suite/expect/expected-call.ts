import type { Answer } from '../../../language/calls/answer-call.ts';
import { deepEqual } from '../../../lib/deep-equal.ts';
import { isJsonObject, type Json, type JsonObject, ownObject, ownString } from '../../../lib/json.ts';
import type { Check, Read } from './expect-key.ts';
import { partialMismatch } from './value-expectation.ts';

/** A call as expected; undefined parts do not matter. */
interface ExpectedCall {
  readonly tool: string | undefined;
  readonly arguments: JsonObject;
}

/** Reads the expected call: `tool`, `arguments`, any other key an argument; inside `exactly` all arguments there are. */
export function readExpectedCall(value: Json): Read<Check> {
  const call = isJsonObject(value) ? value : {};
  const exact = Object.keys(call).length === 1 ? ownObject(call, 'exactly') : undefined;
  const written = exact ?? call;
  const { tool: _tool, arguments: _arguments, ...inline } = written;
  const expected = { tool: ownString(written, 'tool'), arguments: ownObject(written, 'arguments') ?? inline };
  return { ok: true, value: exact === undefined ? atLeast(expected) : exactly(expected) };
}

function atLeast(expected: ExpectedCall): Check {
  return (answer) => {
    const actual = rewrittenCall(answer);
    if (actual === undefined) return noCall(answer);
    const mismatch = partialMismatch(inNames(expected, actual.aliases), actual.arguments);
    if (mismatch === undefined) return otherTool(expected, actual);
    const place = mismatch.path.join('.');
    return {
      expected: `call with ${place} ${JSON.stringify(mismatch.expected)}`,
      actual: `${place} ${mismatch.actual === undefined ? 'missing' : JSON.stringify(mismatch.actual)}`,
    };
  };
}

function exactly(expected: ExpectedCall): Check {
  return (answer) => {
    const actual = rewrittenCall(answer);
    if (actual === undefined) return noCall(answer);
    const wanted = inNames(expected, actual.aliases);
    if (deepEqual(wanted, actual.arguments)) return otherTool(expected, actual);
    return {
      expected: `call with exactly ${JSON.stringify(wanted)}`,
      actual: JSON.stringify(actual.arguments),
    };
  };
}

function otherTool({ tool }: ExpectedCall, actual: ActualCall): ReturnType<Check> {
  return tool === undefined || tool === actual.tool
    ? undefined
    : { expected: `call of ${tool}`, actual: `call of ${actual.tool}` };
}

interface ActualCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly aliases: Readonly<Record<string, string>>;
}

function rewrittenCall({ event, decision }: Answer): ActualCall | undefined {
  const shown =
    decision.action === 'respond'
      ? decision.call
      : decision.action === 'modify'
        ? decision.subject
        : undefined;
  if (event === undefined || shown === undefined) return undefined;
  return {
    tool: ownString(shown, 'tool') ?? event.tool?.name ?? '',
    arguments: ownObject(shown, 'arguments') ?? {},
    aliases: event.tool?.aliases ?? {},
  };
}

function noCall({ decision }: Answer): { expected: string; actual: string } {
  return { expected: 'a rewritten call', actual: `${decision.action}, which leaves none` };
}

/** The expected arguments by the names of the tool at hand, where they are given by portable ones. */
function inNames({ arguments: given }: ExpectedCall, aliases: ActualCall['aliases']): JsonObject {
  const entries = Object.entries(given).map(([name, value]): [string, Json] => {
    const native = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return [native === undefined || Object.hasOwn(given, native) ? name : native, value];
  });
  return Object.fromEntries(entries);
}
