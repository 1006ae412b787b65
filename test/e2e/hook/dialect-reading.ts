import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../../../src/lib/json.ts';
import type { EventKind } from '../../../src/model/event.ts';
import type { Answer, Reading } from './host-reading.ts';

/** What a host that speaks the dialect of Claude Code makes of an answer, and what it would take for a broken hook. */
export interface DialectReading {
  /** Keys that an answer may have; with any other the host throws the answer away. */
  readonly keys?: (kind: EventKind) => readonly string[];
  /** Permission decisions before a call that keep it from running. */
  readonly prevents?: readonly string[];
  /** True if `updatedToolOutput` takes the place of a result, else a block does. */
  readonly replacesResults?: boolean;
  /** Given where only `continue: false` keeps a result back: whether it does so beside exit code 2. */
  readonly stopsResults?: 'always' | 'without an exit code';
  /** True if exit code 2 without a word on stderr is a hook that has failed. */
  readonly needsErrors?: boolean;
}

/** Exit code 2 refuses, but for results that only words replace; the words beside it must not say something else. */
export function readDialect(reading: DialectReading): (kind: EventKind, answer: Answer) => Reading {
  const { keys, needsErrors = false } = reading;
  return (kind, { stdout, stderr, exitCode }) => {
    if (exitCode !== 0 && exitCode !== 2) throw new Error(`exit code ${exitCode}`);
    if (exitCode === 2 && needsErrors && stderr.trim() === '')
      throw new Error('exit code 2 without a reason');
    if (exitCode === 0 && stderr !== '') throw new Error(`something on stderr: ${stderr}`);
    const wantsWords = reading.replacesResults === true || reading.stopsResults !== undefined;
    const refuses = exitCode === 2 && !(kind === 'after_tool' && wantsWords);
    if (kind === 'after_tool' && exitCode === 2 && reading.stopsResults === 'without an exit code')
      return 'happens';
    if (exitCode === 2 && stdout === '') return refuses ? 'prevented' : 'happens';
    const output = objectIn(stdout);
    const specific = ownObject(output, 'hookSpecificOutput') ?? {};
    const odd = Object.keys({ ...output, ...specific }).find((key) => keys?.(kind).includes(key) === false);
    if (odd !== undefined) throw new Error(`the key ${odd}, for which the host throws the answer away`);
    const isPrevented = isPreventedBy(kind, output, specific, reading);
    if (exitCode === 2 && !isPrevented && kind === 'before_tool')
      throw new Error('exit code 2 with other words');
    return isPrevented || refuses ? 'prevented' : 'happens';
  };
}

function isPreventedBy(
  kind: EventKind,
  output: JsonObject,
  specific: JsonObject,
  { prevents = ['deny', 'ask'], replacesResults = false, stopsResults }: DialectReading,
): boolean {
  const isBlocked = own(output, 'decision') === 'block' && isText(own(output, 'reason'));
  const isStopped = own(output, 'continue') === false;
  switch (kind) {
    case 'before_tool': {
      const decision = own(specific, 'permissionDecision');
      if (!prevents.includes(String(decision))) return false;
      if (!isText(own(specific, 'permissionDecisionReason'))) throw new Error('no reason');
      return true;
    }
    case 'approve_tool':
      return own(ownObject(specific, 'decision') ?? {}, 'behavior') === 'deny';
    case 'after_tool':
      if (stopsResults !== undefined) return isStopped;
      return isStopped || (replacesResults ? Object.hasOwn(specific, 'updatedToolOutput') : isBlocked);
    default:
      return isBlocked || isStopped;
  }
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function objectIn(text: string): JsonObject {
  const value = JSON.parse(text) as Json;
  if (!isJsonObject(value)) throw new Error(`no object: ${text.slice(0, 100)}`);
  return value;
}
