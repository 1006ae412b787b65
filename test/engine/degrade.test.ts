import { describe, expect, test } from 'bun:test';
import type { Support } from '../../src/hosts/host.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { degrade } from '../../src/language/engine/degrade.ts';
import { ACTIONS, type Action, rankOf } from '../../src/model/action.ts';
import { decide } from '../../src/model/decision.ts';
import { EVENT_KINDS } from '../../src/model/event.ts';
import { llmEvent, toolEvent } from '../support/builders.ts';

const call = toolEvent('tool', { command: 'ls' });
const alone = { interactive: false };

function support(parts: Partial<Support>): Support {
  return { actions: [], rewrites: [], beside: [], context: [], model: 'never', ...parts };
}

function fitted(action: Action, parts: Partial<Support>, interactive = false): Action {
  return degrade(decide({ action }), call, support(parts), { interactive }).action;
}

describe('degrade', () => {
  test('leaves alone what the host can do', () => {
    for (const action of ACTIONS) expect(fitted(action, { actions: [action] }, true)).toBe(action);
  });

  test('asks only where a person is there', () => {
    expect(fitted('ask', { actions: ['ask', 'deny'] }, true)).toBe('ask');
    expect(fitted('ask', { actions: ['ask', 'deny'] }, false)).toBe('deny');
  });

  test('never makes a refusal weaker than one the host has', () => {
    for (const action of ACTIONS.filter((each) => rankOf(each) <= rankOf('modify'))) {
      for (const refusing of ['deny', 'abort_turn', 'hard_abort'] as const) {
        expect(rankOf(fitted(action, { actions: ['approve', refusing] }))).toBeLessThanOrEqual(
          rankOf('deny'),
        );
      }
    }
  });

  test('every host can prevent what happens on tool, prompt and model events', () => {
    for (const host of HOSTS) {
      for (const version of [undefined, ...host.versions]) {
        const table = host.supports(version);
        for (const kind of EVENT_KINDS) {
          const can = table[kind];
          if (
            can === undefined ||
            !/^(before_tool|approve_tool|before_prompt|before_llm|tool_choice)$/.test(kind)
          )
            continue;
          const answer = degrade(decide({ action: 'deny', reason: 'no' }), call, can, alone);
          expect([host.name, version, kind, answer.action]).not.toContain('continue');
        }
      }
    }
  });

  test('logs only where a refusal could only do harm', () => {
    expect(fitted('deny', { actions: ['continue'] })).toBe('continue');
  });

  test('refuses a rewrite that the host cannot carry out, and says so', () => {
    const rewrite = decide({ action: 'modify', policyId: 'a/b', subject: call.subject, rewrites: ['set'] });
    const answer = degrade(
      rewrite,
      call,
      support({ actions: ['modify', 'deny'], rewrites: ['remove'] }),
      alone,
    );
    expect(answer.action).toBe('deny');
    expect(answer.reason).toContain('a/b');
  });

  test('says in the refusal of a rewrite what its policy is for', () => {
    const parts = { policyId: 'a/b', rewrites: ['set'], denial: 'Refused by a/b: keeps x inside.' };
    const answer = degrade(
      decide({ action: 'modify', ...parts }),
      call,
      support({ actions: ['deny'] }),
      alone,
    );
    expect(answer.reason).toBe(
      'Refused by a/b: keeps x inside. This agent cannot carry out the rewrite (set).',
    );
  });

  test('lets on_unsupported: continue pass what the host cannot do', () => {
    const rewrite = decide({ action: 'modify', rewrites: ['set'], onUnsupported: 'continue' });
    expect(degrade(rewrite, call, support({ actions: ['deny'] }), alone).action).toBe('continue');
  });

  test('leaves out an offer of tools that the host cannot take, and keeps the rest of the rewrite', () => {
    const offer = decide({ action: 'modify', rewrites: ['add_tools'] });
    expect(degrade(offer, call, support({ actions: ['deny'] }), alone).action).toBe('continue');
    const both = decide({ action: 'modify', rewrites: ['add_tools', 'model'] });
    expect(
      degrade(both, call, support({ actions: ['modify'], rewrites: ['model'] }), alone).rewrites,
    ).toEqual(['model']);
    expect(degrade(both, call, support({ actions: ['deny'] }), alone).action).toBe('deny');
  });

  test('turns feedback and canned answers into the reason of the refusal', () => {
    const feedback = decide({ action: 'retry_feedback', feedback: 'run the tests' });
    expect(degrade(feedback, call, support({ actions: ['deny'] }), alone).reason).toBe('run the tests');
    const answer = decide({ action: 'respond', result: { for_llm: 'sunny' } });
    expect(degrade(answer, call, support({ actions: ['deny'] }), alone).reason).toBe('sunny');
  });

  test('keeps beside the action only what the host shows', () => {
    const decision = decide({ action: 'deny', messages: ['m'], contexts: ['c'], suppressOutput: true });
    const answer = degrade(decision, call, support({ actions: ['deny'], beside: ['message'] }), alone);
    expect([answer.messages, answer.contexts, answer.suppressOutput]).toEqual([['m'], [], false]);
  });

  test('has nothing to say on an event that the host does not have', () => {
    expect(degrade(decide({ action: 'deny' }), llmEvent([]), undefined, alone).action).toBe('continue');
  });
});
