import { createProcessMemory } from '../../hook/state/process-memory.ts';
import type { Host } from '../../hosts/host.ts';
import { hostNamed } from '../../hosts/registry.ts';
import type { Answer } from '../../language/calls/answer-call.ts';
import {
  answerBareCall,
  answerMessage,
  answerUnreadable,
  type Session,
  settingFor,
  surroundingsOf,
} from '../../language/calls/answer-call.ts';
import type { Engine } from '../../language/engine/engine.ts';
import type { EvaluateOptions } from '../../language/engine/evaluate.ts';
import { parseJson } from '../../lib/json.ts';
import type { RawMessage, TestCase } from './cases/test-case.ts';
import type { Difference, NamedCheck } from './expect/expect-key.ts';
import { verdictOf } from './expect/expect-keys.ts';
import { isHeld, type Step } from './steps/step.ts';

/** The parts that a case needs beside itself. */
export interface CaseSetting {
  readonly engine: Engine;
  readonly trace?: EvaluateOptions['trace'];
  /** The answers of judges at the time when verdicts were recorded. */
  readonly verdict?: Session['verdict'];
}

/** Every answer of a case: those to earlier calls, then the one that is tested. */
export interface CaseAnswers {
  readonly setting: CaseSetting;
  readonly earlier: readonly Answer[];
  readonly answer: Answer;
}

/** Judges a case with all that comes before it. */
export function answerCase(test: TestCase, setting: CaseSetting): CaseAnswers {
  return { setting, ...answersTo(test, setting) };
}

function answersTo(test: TestCase, { engine, trace, ...setting }: CaseSetting): Omit<CaseAnswers, 'setting'> {
  const { judge } = test;
  const verdict = judge === undefined ? setting.verdict : () => judge;
  const session: Session = {
    engine,
    memory: createProcessMemory(),
    ...(trace === undefined ? {} : { trace }),
    ...(verdict === undefined ? {} : { verdict }),
  };
  if (test.steps !== undefined) {
    const answers = loadSteps().answerSteps(test.steps, session);
    const last = answers.at(-1);
    if (last === undefined) throw new Error(`Cannot run case "${test.name}": it has no step`);
    return { earlier: answers.slice(0, -1), answer: last };
  }
  const host = test.host === undefined ? undefined : hostNamed(test.host);
  if (host === undefined) {
    const earlier = test.history.map((call) => answerBareCall(call, session));
    if (test.input.type === 'raw') throw new Error(`Cannot run case "${test.name}": it has no agent`);
    return { earlier, answer: answerBareCall(test.input.call, session) };
  }
  const hostSetting = settingFor(test.interactive);
  const earlier = test.history.map((call) => answerMessage(host.compose(call), host, hostSetting, session));
  if (test.input.type === 'call') {
    return { earlier, answer: answerMessage(host.compose(test.input.call), host, hostSetting, session) };
  }
  const answers = test.input.messages.flatMap((message) => answerRaw(message, host, hostSetting, session));
  const last = answers.at(-1);
  if (last === undefined) throw new Error(`Cannot run case "${test.name}": it has no message`);
  const replies = answers.flatMap((answer) => answer.replies);
  return { earlier: answers.slice(0, -1), answer: { ...last, replies } };
}

/** The known facts of the machine on which a case runs. */
export function surroundingsIn({ steps }: TestCase): NonNullable<Session['surroundings']> {
  return steps === undefined ? surroundingsOf : loadSteps().inRepository;
}

/** The differences from the expectation: verdicts that are not recorded, then the keys of `expect` in their order. */
export function differencesOf(test: TestCase, { earlier, answer }: CaseAnswers): readonly Difference[] {
  const answers = [...earlier, answer];
  const found = [
    ...answers.flatMap(unrecorded),
    ...unasked(test, answers),
    ...checked(test.checks, answer),
    ...inSteps(test, answers, ({ checks }, answer) => checked(checks, answer)),
  ];
  return found.length === 0 ? [] : [...inSteps(test, answers, held), ...found];
}

function inSteps(
  { steps = [] }: TestCase,
  answers: readonly Answer[],
  differencesIn: (step: Step, answer: Answer) => readonly Difference[],
): readonly Difference[] {
  return steps.flatMap((step, index) => {
    const answer = answers[index];
    const found = answer === undefined ? [] : differencesIn(step, answer);
    return found.map((difference) => ({ ...difference, step: { number: index + 1, call: step.label } }));
  });
}

/** A step that expects nothing and did not run: the policies judge those after it as if it had not been. */
function held({ checks }: Step, answer: Answer): readonly Difference[] {
  if (checks.length > 0 || !isHeld(answer.decision)) return [];
  return [{ key: 'action', expected: 'a call that runs', actual: verdictOf(answer) }];
}

/** A case that gives a judge's answer means a judge to be asked. */
function unasked({ judge }: TestCase, answers: readonly Answer[]): readonly Difference[] {
  const isAsked = answers.some(({ outcome }) =>
    (outcome?.judged ?? []).some(({ answer }) => answer.type !== 'unasked'),
  );
  return judge === undefined || isAsked
    ? []
    : [{ key: 'judge', expected: 'a judge to be asked', actual: 'none is' }];
}

/** A judge that nobody has recorded refuses, which must not pass for the expected refusal of a test. */
function unrecorded({ outcome }: Answer): readonly Difference[] {
  return (outcome?.judged ?? []).flatMap(({ ruleId, answer }) =>
    answer.type === 'failed' && answer.failure === 'no-recording'
      ? [
          {
            key: 'verdict',
            expected: `a recorded verdict of ${ruleId}`,
            actual: 'none; run policy judge record',
          },
        ]
      : [],
  );
}

function checked(checks: readonly NamedCheck[], answer: Answer): readonly Difference[] {
  return checks.flatMap(({ key, check }) => {
    const difference = check(answer);
    return difference === undefined ? [] : [{ key, ...difference }];
  });
}

/** Few cases have steps. */
function loadSteps(): typeof import('./steps/answer-steps.ts') {
  return require('./steps/answer-steps.ts') as typeof import('./steps/answer-steps.ts');
}

/** A host that talks in lines may send several in one text. */
function answerRaw(
  message: RawMessage,
  host: Host,
  setting: ReturnType<typeof settingFor>,
  session: Session,
): readonly Answer[] {
  if ('json' in message) return [answerMessage(message.json, host, setting, session)];
  const texts =
    host.framing === 'lines' ? message.text.split('\n').filter((line) => line.trim() !== '') : [message.text];
  return texts.map((text) => {
    const parsed = parseJson(text);
    return parsed === undefined
      ? answerUnreadable(host, setting)
      : answerMessage(parsed, host, setting, session);
  });
}
