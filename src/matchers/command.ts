import { isJsonObject, type Json } from '../lib/json.ts';
import type { Facts } from '../model/facts.ts';
import { or, type Truth } from '../model/truth.ts';
import type { Reading } from '../reading/reading.ts';
import { areMet, type CommandNeeds, needsOf, plainNames } from './command-needs.ts';
import {
  COMMAND_DEFINITIONS,
  COMMAND_SCHEMA,
  type CommandTest,
  commandTestProblems,
  compileCommandTest,
  testsIn,
} from './command-spec.ts';
import type { Matcher } from './matcher.ts';
import { unionOfPrograms } from './programs.ts';
import type { ReadingSummary } from './reading-summary.ts';
import { type ShellText, shellTexts } from './shell-reading.ts';
import { TOOL_EVENTS } from './tool-events.ts';

/** What the shell commands of a call would run, however they are spelled. */
export const command = {
  key: 'command',
  summary: 'One of the commands that the call would run fits, however it is spelled',
  schema: COMMAND_SCHEMA,
  definitions: COMMAND_DEFINITIONS,
  events: TOOL_EVENTS,
  check: commandTestProblems,
  programs: (spec) => {
    if (isJsonObject(spec) && spec['unreadable'] !== undefined) return undefined;
    return unionOfPrograms(testsIn(spec).map((test) => plainNames(needsOf(test))));
  },
  compile: (spec) => {
    const judge = compileTextTest(spec);
    return (facts) => {
      const found = shellTexts(facts);
      if (found === undefined) return false;
      let truth: Truth = found.complete ? false : 'unknown';
      for (const text of found.texts) {
        truth = or(truth, judge(text, facts));
        if (truth === true) return true;
      }
      return truth;
    };
  },
} as const satisfies Matcher;

type TextTest = (text: ShellText, facts: Facts) => Truth;

function compileTextTest(spec: Json): TextTest {
  const unreadable = isJsonObject(spec) ? spec['unreadable'] : undefined;
  if (unreadable !== undefined) {
    const reasons = new Set<unknown>(Array.isArray(unreadable) ? unreadable : [unreadable]);
    return ({ summary, reading }) =>
      (summary.hasGaps || summary.hasUnknownName) && reading().gaps.some(({ reason }) => reasons.has(reason));
  }
  const alternatives: Alternative[] = testsIn(spec).map((each) => ({
    spec: each,
    needs: needsOf(each),
    test: undefined,
  }));
  const candidates = candidatesOf(alternatives);
  return ({ summary, reading }, facts) => {
    // What cannot be read could be any command. One whose program is not known is listed, with what is known of it.
    let truth: Truth = summary.hasGaps ? 'unknown' : false;
    for (const alternative of candidates(summary)) {
      if (!areMet(alternative.needs, summary)) continue;
      alternative.test ??= compileCommandTest(alternative.spec);
      truth = or(truth, anyPasses(alternative.test, reading(), facts));
      if (truth === true) return true;
    }
    return truth;
  };
}

interface Alternative {
  readonly spec: Json;
  readonly needs: CommandNeeds;
  /** Compiled when a command comes that it could be about. */
  test: CommandTest | undefined;
}

/** How often a policy is asked before its programs are looked up: a process that judges one call has no use for that. */
const ASKED_BEFORE_LOOKUP = 32;

/** The alternatives that a reading with these programs could fit: nearly always none. */
function candidatesOf(all: readonly Alternative[]): (summary: ReadingSummary) => readonly Alternative[] {
  let asked = 0;
  let named: ReadonlySet<string> | undefined;
  let others: readonly Alternative[] = [];
  return ({ names, hasUnknownName }) => {
    if (hasUnknownName || ++asked <= ASKED_BEFORE_LOOKUP) return all;
    if (named === undefined) {
      const plain = all.map(({ needs }) => plainNames(needs));
      others = all.filter((_, index) => plain[index] === undefined);
      named = new Set(plain.flatMap((each) => [...(each ?? [])]));
    }
    for (const name of names) if (named.has(name)) return all;
    return others;
  };
}

function anyPasses(test: CommandTest, reading: Reading, facts: Facts): Truth {
  let truth: Truth = false;
  for (const command of reading.commands) {
    truth = or(truth, test(command, reading, facts.surroundings));
    if (truth === true) return true;
  }
  return truth;
}
