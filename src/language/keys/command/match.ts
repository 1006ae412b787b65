import { isJsonObject, type Json } from '../../../lib/json.ts';
import { TOOL_EVENTS } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import type { Miss, OnMiss } from '../../../model/miss.ts';
import type { CallNeeds } from '../../../model/policy.ts';
import { or, type Truth } from '../../../model/truth.ts';
import type { Reading } from '../../../reader/reading/reading.ts';
import { type ShellText, shellReadings, shellTexts } from '../call/shell-reading.ts';
import { needsAreMet } from '../call-needs.ts';
import type { Matcher } from '../matcher.ts';
import { shownCommand } from './names.ts';
import { needsOf, needsOfCall } from './needs.ts';
import {
  COMMAND_DEFINITIONS,
  COMMAND_SCHEMA,
  commandTestProblems,
  compileCommandTest,
  testsIn,
} from './spec.ts';
import type { CommandTest } from './test.ts';

/** Tests the shell commands that a call would run, however they are spelled. */
export const command = {
  key: 'command',
  summary: 'One of the commands that the call would run matches, however it is spelled',
  schema: COMMAND_SCHEMA,
  narrows: true,
  steady: true,
  definitions: COMMAND_DEFINITIONS,
  events: TOOL_EVENTS,
  check: commandTestProblems,
  // A command that can be read has no unreadable part, so `unreadable` needs nothing.
  needs: (spec) =>
    isJsonObject(spec) && spec['unreadable'] !== undefined ? [] : testsIn(spec).map(needsOfCall),
  compile: (spec) => {
    const judge = compileTextTest(spec);
    return (facts, missed?) => {
      const found = shellTexts(facts);
      if (found === undefined) return false;
      let truth: Truth = found.complete ? false : 'unknown';
      for (const text of found.texts) {
        truth = or(truth, judge(text, facts, missed));
        if (truth === true) return true;
      }
      return truth;
    };
  },
  seen: (facts, spec) => {
    const readings = shellReadings(facts) ?? [];
    const gaps = readings.flatMap((reading) => reading.gaps.map(({ reason }) => reason));
    return isJsonObject(spec) && spec['unreadable'] !== undefined
      ? gaps
      : [...readings.flatMap(({ commands }) => commands.map(shownCommand)), ...gaps];
  },
} as const satisfies Matcher;

type TextTest = (text: ShellText, facts: Facts, missed: OnMiss | undefined) => Truth;

function compileTextTest(spec: Json): TextTest {
  const unreadable = isJsonObject(spec) ? spec['unreadable'] : undefined;
  if (unreadable !== undefined) {
    const reasons = new Set<unknown>(Array.isArray(unreadable) ? unreadable : [unreadable]);
    return ({ summary, reading }) =>
      (summary.hasGaps || summary.hasUnknownName) && reading().gaps.some(({ reason }) => reasons.has(reason));
  }
  const tests = testsIn(spec);
  const alternatives: Alternative[] = tests.map((each, index) => ({
    spec: each,
    path: tests === spec ? [index] : [],
    needs: needsOf(each),
    test: undefined,
  }));
  return ({ summary, reading }, facts, missed) => {
    // An unreadable part could be any command. A command with an unknown program is listed, with all that is known of it.
    let truth: Truth = summary.hasGaps ? 'unknown' : false;
    for (const alternative of alternatives) {
      // To explain why a command does not match, the test itself must run.
      if (missed === undefined && !needsAreMet(alternative.needs, summary)) continue;
      truth = or(truth, anyPasses(alternative, reading(), facts, missed));
      if (truth === true) return true;
    }
    return truth;
  };
}

interface Alternative {
  readonly spec: Json;
  /** Leads from the key to it. */
  readonly path: Miss['path'];
  readonly needs: CallNeeds;
  /** Compiled when a command comes that it could be about. */
  test: CommandTest | undefined;
}

function anyPasses(
  alternative: Alternative,
  reading: Reading,
  { surroundings }: Facts,
  missed: OnMiss | undefined,
): Truth {
  alternative.test ??= compileCommandTest(alternative.spec);
  const { test, path } = alternative;
  const tell = missed && ((miss: Miss) => missed({ ...miss, path: [...path, ...miss.path] }));
  let truth: Truth = false;
  for (const command of reading.commands) {
    truth = or(truth, test(command, reading, surroundings, tell));
    if (truth === true) return true;
  }
  return truth;
}
