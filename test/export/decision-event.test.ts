import { describe, expect, test } from 'bun:test';
import { CONTENT_ATTRIBUTES, DECISION_ATTRIBUTES, METRICS } from '../../src/fleet/export/attributes.ts';
import { decisionEvent, heartbeat, measurementsOf } from '../../src/fleet/export/decision-event.ts';
import type { DecisionRecord } from '../../src/hook/audit/record.ts';

/** A record with all that may have parts of a command. */
const FULL: DecisionRecord = {
  version: 1,
  decision_id: 'p-0',
  time: '2026-11-20T09:38:00.123Z',
  host: 'gemini',
  event: 'before_tool',
  tool: 'run_shell_command',
  session: 's1',
  cwd: '/home/user/COMMAND',
  action: 'deny',
  policy: 'git/no-push',
  policies: [
    { id: 'git/no-push', how: 'matched', action: 'deny' },
    { id: 'git/other', how: 'unknown', action: 'deny' },
    { id: 'git/later', how: 'monitored', action: 'deny' },
    { id: 'git/open', how: 'excepted', action: 'deny' },
    { id: 'git/kept', how: 'missed', action: 'respond' },
  ],
  skipped: ['git/skipped'],
  reason: 'Refused: COMMAND',
  failed: 'COMMAND cannot be read',
  code: 'abc',
  allowed: 'def',
  grant_problem: 'COMMAND',
  duration_us: 41_500,
  digest: 'd1',
  input: { tool_input: { command: 'COMMAND' } },
  setting: { cwd: '/COMMAND' },
};
const BARE: DecisionRecord = {
  version: 1,
  decision_id: 'p-1',
  time: 'never',
  host: 'jcli',
  action: 'continue',
  policies: [],
  skipped: [],
  duration_us: 0,
};

describe('decisionEvent', () => {
  test('sends names of the list, and nothing that may have a part of a command', () => {
    const event = decisionEvent({ record: FULL, repository: 'github.com/acme/shop' }, false);
    expect(Object.keys(event.attributes).sort()).toEqual(Object.keys(DECISION_ATTRIBUTES).sort());
    expect(JSON.stringify(event)).not.toContain('COMMAND');
    expect(event).toMatchObject({
      name: 'policy.decision',
      timeMs: Date.UTC(2026, 10, 20, 9, 38, 0, 123),
      severity: 'error',
      body: 'deny git/no-push',
      attributes: {
        'policy.decision.duration': 0.0415,
        'policy.decision.failed': true,
        'policy.decision.allowed': true,
        'security_rule.name': 'git/no-push',
        'security_rule.ruleset.name': 'git',
        'policy.matched': ['git/no-push', 'git/other'],
        'policy.monitored': ['git/later'],
        'policy.excepted': ['git/open'],
        'vcs.repository.url.full': 'https://github.com/acme/shop',
      },
    });
  });

  test('sends reasons and messages if it is told to', () => {
    const { attributes } = decisionEvent({ record: FULL, repository: undefined }, true);
    const content = Object.keys(CONTENT_ATTRIBUTES);
    expect(
      Object.keys(attributes)
        .filter((name) => content.includes(name))
        .sort(),
    ).toEqual(content.sort());
    expect(attributes['policy.input']).toBe('{"tool_input":{"command":"COMMAND"}}');
    // The directory is nobody's business.
    expect(JSON.stringify(attributes)).not.toContain('/home/user');
  });

  test('leaves out what is not known', () => {
    const event = decisionEvent({ record: BARE, repository: undefined }, true);
    expect(event).toEqual({
      name: 'policy.decision',
      timeMs: 0,
      severity: 'info',
      body: 'continue',
      attributes: {
        'policy.decision.id': 'p-1',
        'policy.decision.action': 'continue',
        'policy.decision.duration': 0,
        'policy.decision.failed': false,
        'policy.decision.allowed': false,
        'gen_ai.agent.name': 'jcli',
      },
    });
  });

  test.each([
    ['continue', undefined, 'info'],
    ['modify', undefined, 'info'],
    ['ask', undefined, 'warn'],
    ['deny', undefined, 'warn'],
    ['deny', 'late', 'error'],
  ] as const)('takes %s (%p) for %s', (action, failed, severity) => {
    const record = { ...BARE, action, ...(failed === undefined ? {} : { failed }) };
    expect(decisionEvent({ record, repository: undefined }, false).severity).toBe(severity);
  });
});

describe('measurementsOf', () => {
  test('measures what the list has, by the attributes of the list', () => {
    const measured = measurementsOf({ record: FULL, repository: 'github.com/acme/shop' });
    expect(new Set(measured.map(({ metric }) => metric))).toEqual(new Set(Object.keys(METRICS) as never));
    for (const { metric, attributes } of measured)
      expect(Object.keys(attributes).sort()).toEqual([...METRICS[metric].attributes].sort());
    expect(measured.filter(({ metric }) => metric === 'policy.matches')).toHaveLength(5);
    expect(JSON.stringify(measured)).not.toContain('COMMAND');
  });
});

test('a heartbeat says that the machine is there, and with which files of the organisation', () => {
  expect(heartbeat(5, undefined)).toEqual({
    name: 'policy.heartbeat',
    timeMs: 5,
    severity: 'info',
    body: 'heartbeat',
    attributes: {},
  });
  expect(heartbeat(5, 'd1').attributes).toEqual({ 'policy.organisation.digest': 'd1' });
});
