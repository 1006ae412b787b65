import { isJsonObject, type Json } from '../lib/json.ts';
import type { Facts } from '../model/facts.ts';
import type { CallNeeds } from '../model/policy.ts';
import { or, type Truth } from '../model/truth.ts';
import type { Reading } from '../reading/reading.ts';
import { areMet } from './call-needs.ts';
import { needsOf } from './command-needs.ts';
import {
  COMMAND_DEFINITIONS,
  COMMAND_SCHEMA,
  commandTestProblems,
  compileCommandTest,
  testsIn,
} from './command-spec.ts';
import type { CommandTest } from './command-test.ts';
import type { Matcher } from './matcher.ts';
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
  // What can be read has nothing that cannot.
  needs: (spec) => (isJsonObject(spec) && spec['unreadable'] !== undefined ? [] : testsIn(spec).map(needsOf)),
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
  return ({ summary, reading }, facts) => {
    // What cannot be read could be any command. One whose program is not known is listed, with what is known of it.
    let truth: Truth = summary.hasGaps ? 'unknown' : false;
    for (const alternative of alternatives) {
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
  readonly needs: CallNeeds;
  /** Compiled when a command comes that it could be about. */
  test: CommandTest | undefined;
}

function anyPasses(test: CommandTest, reading: Reading, facts: Facts): Truth {
  let truth: Truth = false;
  for (const command of reading.commands) {
    truth = or(truth, test(command, reading, facts.surroundings));
    if (truth === true) return true;
  }
  return truth;
}
