import { expect, test } from 'bun:test';
import { keepCall } from '../../src/hook/keep-call.ts';
import type { Remembering } from '../../src/hook/remembering.ts';
import type { Arrived, ResponderOptions } from '../../src/hook/responder-options.ts';
import { StateError } from '../../src/hook/state/state-error.ts';
import { bareOutcome, type Judged, type Verdict } from '../../src/hook/verdict.ts';
import { gemini } from '../../src/hosts/gemini/gemini.ts';
import type { Action } from '../../src/model/action.ts';
import { decide, noOpinion } from '../../src/model/decision.ts';
import { program } from '../support/builders.ts';

const OPTIONS = {
  limit: () => () => false,
  ask: async () => [],
} as unknown as ResponderOptions;

const DECODED = gemini.decode(
  gemini.compose({ on: 'before_tool', tool: 'shell', arguments: { command: 'ls' } }),
);
if (DECODED.type !== 'event') throw new Error('no event');
const ARRIVED: Arrived = { event: DECODED.event, message: {}, text: '{}', arrivedMs: 0, startMs: 0 };

/**
 * Keeps a call in a store that answers so, and judges it again so.
 *
 * @param kept what `keep` answers, one time after the other
 */
async function keeping(
  kept: readonly (boolean | Error)[],
  again: () => Action | 'asks a model',
  grant?: string,
) {
  const steps: string[] = [];
  const answers = [...kept];
  const remembering: Remembering = {
    history: () => {
      throw new Error('not asked');
    },
    keep: (decision, stands) => {
      steps.push(`keep ${decision.action}${stands ? ', whatever has changed' : ''}`);
      const answer = answers.shift() ?? false;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    exclusively: (action) => {
      steps.push('lock');
      const result = action();
      steps.push('unlock');
      return result;
    },
    begin: () => {},
    end: () => {},
    isCarried: () => false,
    problem: () => undefined,
  };
  const verdictOf = (action: Action): Verdict => ({
    outcome: bareOutcome(action === 'continue' ? noOpinion() : decide({ action, reason: 'no' })),
    digest: undefined,
    failed: undefined,
    again: { program: program([]), past },
    remembering,
    ...(grant === undefined ? {} : { grant: { allowed: grant } }),
  });
  function past(): Judged {
    const judged = again();
    if (judged !== 'asks a model') return verdictOf(judged);
    return {
      pending: {
        questions: [],
        conclude: () => {
          steps.push('the model has answered');
          return verdictOf('continue').outcome;
        },
      },
      digest: '',
      broken: undefined,
      onErrorContinue: false,
      again: { program: program([]), past },
      remembering,
    } as unknown as Judged;
  }
  const ports = { past: (verdict: Verdict) => verdict, fit: <T>(decision: T) => decision };
  const { outcome, failed } = await keepCall(OPTIONS, ARRIVED, verdictOf('continue'), ports);
  return { action: outcome.decision.action, failed, steps };
}

test('a call is kept without a lock as long as nothing has changed', async () => {
  expect(await keeping([true], () => 'deny')).toEqual({
    action: 'continue',
    failed: undefined,
    steps: ['keep continue'],
  });
});

test('a call that others have got in the way of is judged again while they wait', async () => {
  expect((await keeping([false, true], () => 'continue')).steps).toEqual([
    'keep continue',
    'lock',
    'keep continue',
    'unlock',
  ]);
  const refused = await keeping([false, true], () => 'deny');
  expect([refused.action, ...refused.steps]).toEqual([
    'deny',
    'keep continue',
    'lock',
    'unlock',
    'keep deny',
  ]);
});

test('nobody waits while a model is asked, and a call that others always get in the way of is refused', async () => {
  const once = await keeping([false, true], () => 'asks a model');
  expect([once.action, ...once.steps]).toEqual([
    'continue',
    'keep continue',
    'lock',
    'unlock',
    'the model has answered',
    'keep continue',
  ]);
  const never = await keeping([], () => 'asks a model');
  expect([never.action, never.failed]).toEqual(['deny', 'other calls come in between all the time']);
});

test('a call that a person let pass is kept whatever has changed', async () => {
  expect((await keeping([true], () => 'deny', 'K7Q2M9')).steps).toEqual([
    'keep continue, whatever has changed',
  ]);
});

test('a call that cannot be kept because others hold the store is refused', async () => {
  const { action, failed } = await keeping([new StateError('the store is locked')], () => 'continue');
  expect([action, failed]).toEqual(['deny', 'the store is locked']);
});
