import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { DecisionRecord } from '../../src/hook/audit/record.ts';
import type { PastCall } from '../../src/hosts/sessions.ts';
import { prove } from '../../src/tools/compare/proof.ts';

function made(id: string | undefined, parts: Partial<PastCall> = {}): PastCall {
  const time = '2026-11-20T09:38:00.000Z';
  return { tool: 'Bash', arguments: {}, session: 's', cwd: '/w', time, id, ran: true, ...parts };
}

function decided(call: PastCall, event: DecisionRecord['event'] = 'before_tool'): DecisionRecord {
  return {
    version: 1,
    decision_id: `d-${call.id}`,
    time: '2026-11-20T09:38:00.000Z',
    host: 'claude',
    ...(event === undefined ? {} : { event }),
    tool: call.tool,
    ...(call.id === undefined ? {} : { call_id: call.id }),
    session: call.session,
    action: 'continue',
    policies: [],
    skipped: [],
    duration_us: 1,
  };
}

const NAMED = ['a', 'b', 'c', 'd'].map((id) => made(id));
const [A, B, C] = NAMED as [PastCall, PastCall, PastCall];
const causes = (calls: readonly PastCall[], records: readonly DecisionRecord[]) =>
  prove(calls, records).bypasses.map(
    ({ cause, calls: count, first }) => `${count} ${cause}: ${first.id ?? first.tool}`,
  );

describe('prove', () => {
  test('finds a decision for every call by its id', () => {
    expect(
      prove(
        NAMED,
        NAMED.map((call) => decided(call)),
      ),
    ).toEqual({
      sessions: 1,
      calls: 4,
      judged: 4,
      byCall: true,
      bypasses: [],
    });
  });

  test.each<readonly [string, readonly PastCall[], readonly DecisionRecord[], readonly string[]]>([
    ['no decision at all', NAMED, [], ['4 no decision in the session: a']],
    [
      'a session without one',
      [A, made('x', { session: 't' })],
      [decided(A)],
      ['1 no decision in the session: x'],
    ],
    ['a call in the middle', [A, B, C], [decided(A), decided(C)], ['1 some calls: b']],
    ['the last calls', NAMED, [decided(A), decided(B)], ['2 some calls: c']],
    ['the first calls', NAMED, [decided(C)], ['3 some calls: a']],
    ['subagents', [A, made('x', { bySubagent: true })], [decided(A)], ['1 subagent: x']],
    [
      'one call of a subagent',
      [A, made('x', { bySubagent: true }), made('y', { bySubagent: true })],
      [decided(A), decided(made('x'))],
      ['1 some calls: y'],
    ],
    ['a server', [A, made('x', { tool: 'mcp__notes__add' })], [decided(A)], ['1 server: x']],
    ['a result alone', [A, B], [decided(A), decided(B, 'after_tool')], ['1 some calls: b']],
    [
      'two causes',
      [A, made('x', { session: 't' }), made('y', { bySubagent: true })],
      [decided(A)],
      ['1 no decision in the session: x', '1 subagent: y'],
    ],
  ])('names what went past the hook: %s', (_, calls, records, expected) => {
    expect(causes(calls, records)).toEqual([...expected]);
  });

  test('takes the second question about a call for its decision', () => {
    expect(causes([A], [decided(A, 'approve_tool')])).toEqual([]);
  });

  test('leaves out what did not run, or is not known to have', () => {
    const calls = [A, made('x', { ran: false }), made('y', { ran: undefined }), made(undefined)];
    expect(prove(calls, [decided(A)])).toMatchObject({ calls: 1, judged: 1, bypasses: [] });
  });

  test('compares numbers where a host does not name its calls', () => {
    const nameless = (tool: string) => made(undefined, { tool, ran: undefined });
    const calls = [nameless('exec'), nameless('exec'), nameless('read_file')];
    const records = calls.map((call) => decided(call));
    expect(prove(calls, records)).toMatchObject({ calls: 3, judged: 3, byCall: false, bypasses: [] });
    expect(causes(calls, records.slice(1))).toEqual(['1 some calls: exec']);
    expect(causes(calls, records.slice(0, 2))).toEqual(['1 some calls: read_file']);
    expect(prove(calls, [...records, ...records]).bypasses).toEqual([]);
  });

  test('reports nothing in sound sessions, in whatever order', () => {
    const call = fc.record({
      id: fc.uuid(),
      tool: fc.constantFrom('Bash', 'Read', 'mcp__a__b'),
      session: fc.constantFrom('s', 't', 'u'),
      bySubagent: fc.constantFrom(undefined, true as const),
      ran: fc.constantFrom(true, false, undefined),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), fc.boolean(), (parts, named) => {
        const calls = parts.map(({ bySubagent, id, ...rest }) =>
          made(named ? id : undefined, { ...rest, ...(bySubagent === undefined ? {} : { bySubagent }) }),
        );
        const records = calls.map((each) => decided(each)).reverse();
        expect(prove(calls, records).bypasses).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
