import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { DecisionRecord } from '../../src/hook/audit/record.ts';
import type { SessionCall } from '../../src/hosts/sessions.ts';
import { prove } from '../../src/tools/compare/proof.ts';

function made(id: string | undefined, parts: Partial<SessionCall> = {}): SessionCall {
  const time = '2026-11-20T09:38:00.000Z';
  return { tool: 'Bash', arguments: {}, session: 's', cwd: '/w', time, id, ran: true, ...parts };
}

function decided(call: SessionCall, event: DecisionRecord['event'] = 'before_tool'): DecisionRecord {
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
const [A, B, C] = NAMED as [SessionCall, SessionCall, SessionCall];
const causes = (calls: readonly SessionCall[], records: readonly DecisionRecord[]) =>
  prove(calls, records).bypasses.map(
    ({ cause, calls: count, first }) => `${count} ${cause}: ${first.id ?? first.tool}`,
  );

describe('prove', () => {
  const refusal = (call: SessionCall, action: DecisionRecord['action'] = 'deny') => ({
    ...decided(call),
    action,
    reason: 'Refused by a/b: nobody may do this here',
  });

  test.each<readonly [string, readonly SessionCall[], readonly DecisionRecord[], readonly string[]]>([
    ['that ran', [A], [refusal(A)], ['1 refused: a']],
    ['with an answer that ends the run', [A], [refusal(A, 'hard_abort')], ['1 refused: a']],
    ['that failed', [made('a', { result: { on: 'tool_failure', value: 'x' } })], [refusal(A)], []],
    [
      'of which a host without an error mark shows the refusal',
      [made('a', { result: { on: 'after_tool', value: 'x Refused by a/b: nobody may do this here' } })],
      [refusal(A)],
      [],
    ],
    ['that did not run', [made('a', { ran: false }), B], [refusal(A), decided(B)], []],
    ['that is not known to have run', [made('a', { ran: undefined }), B], [refusal(A), decided(B)], []],
    ['that was asked again and may run', [A], [refusal(A), decided(A)], []],
    [
      'whose id another call has',
      [made('call_1', { time: '2026-11-20T09:38:01.000Z' }), made('call_1')],
      [refusal(made('call_1')), decided(made('call_1'))],
      [],
    ],
  ])('holds a refused call against its session: one %s', (_, calls, records, expected) => {
    expect(causes(calls, records)).toEqual([...expected]);
  });

  test('takes the decision about another call with its id for none', () => {
    const [own, others] = [
      made('toolu_1', { arguments: { command: 'rm' } }),
      made('toolu_1', { session: 't' }),
    ];
    expect(causes([own, others], [decided(others)])).toEqual(['1 no decision in the session: toolu_1']);
    const write = made('toolu_1', { tool: 'Write' });
    expect(causes([write, made('toolu_2')], [decided(made('toolu_1')), decided(made('toolu_2'))])).toEqual([
      '1 tool: toolu_1',
    ]);
    // Some hosts have another name for a tool in their sessions.
    expect(causes([write], [decided(made('toolu_1'))])).toEqual([]);
    const numbered = made('functions.Bash:0', { time: '2026-11-20T09:39:00.000Z' });
    expect(causes([numbered, { ...numbered, session: 't' }], [decided(numbered)])).toEqual([]);
    expect(
      causes([made('functions.Bash:0'), { ...numbered, session: 't' }], [decided(made('functions.Bash:0'))]),
    ).toEqual(['1 no decision in the session: functions.Bash:0']);
  });

  test('takes equal calls of two sessions for one where one session goes on with the other', () => {
    const later = (id: string) => made(id, { session: 't', time: '2026-11-20T10:00:00.000Z' });
    const records = [decided(A), decided(B)];
    expect(causes([A, B, later('a'), later('b')], records)).toEqual([]);
    expect(causes([A, B, later('x'), later('b')], records)).toEqual(['2 no decision in the session: b']);
  });

  test('does not know whether a copy of a session that is gone was decided', () => {
    const copy = made('toolu_1');
    expect(prove([copy, B], [decided(B), decided({ ...copy, session: 'gone' })])).toMatchObject({
      bypasses: [],
      unknown: 1,
      elsewhere: 1,
    });
  });

  test('counts decisions without an id for the calls before the hook was told ids', () => {
    const nameless = decided({ ...A, id: undefined });
    expect(causes([A, B, C], [nameless, decided(B), decided(C)])).toEqual([]);
    expect(causes([A, B, C], [nameless, decided(C)])).toEqual(['1 some calls: b']);
    expect(causes([A, made('x', { tool: 'Write' }), C], [nameless, decided(C)])).toEqual(['1 tool: x']);
  });

  test('names the earliest call, and tells of each session without a decision', () => {
    const early = made('z', { time: '2026-11-20T08:00:00.000Z' });
    expect(causes([A, early], [decided(B)])).toEqual(['2 some calls: z']);
    const pending = made('x', { ran: undefined });
    expect(prove([pending], [], '', { tellsEnd: true })).toMatchObject({ bypasses: [], unknown: 1 });
    const failed = made(undefined, { session: 't', ran: undefined });
    const nameless = made(undefined);
    expect(prove([nameless, failed], [decided(nameless)])).toMatchObject({ bypasses: [], unknown: 1 });
    expect(causes([made(undefined, { session: 't' })], [])).toEqual(['1 no decision in the session: Bash']);
  });

  test('has a clock for each session', () => {
    const [hour, day] = ['2026-11-20T08:38:00.000Z', '2026-11-19T09:38:00.000Z'];
    const [late, old] = [made('a', { time: hour }), made('b', { session: 't', time: day })];
    const proof = prove([late, old], [decided(late)], '2026-11-20T09:00:00.000Z');
    expect(proof).toMatchObject({ calls: 1, judged: 1, aheadMs: -3_600_000 });
  });

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
      unknown: 0,
      aheadMs: 0,
      elsewhere: 0,
    });
  });

  test.each<readonly [string, readonly SessionCall[], readonly DecisionRecord[], readonly string[]]>([
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
    expect(causes(calls, records.slice(0, 2))).toEqual(['1 tool: read_file']);
    expect(prove(calls, [...records, ...records]).bypasses).toEqual([]);
  });

  test('compares numbers where only a part of the log names calls', () => {
    const old = [made('x', { session: 't' }), made('y', { session: 't' })];
    const nameless = old.map((call) => decided({ ...call, id: undefined }));
    expect(prove([A, ...old], [decided(A), ...nameless])).toMatchObject({
      judged: 3,
      byCall: false,
      bypasses: [],
    });
    expect(causes([A, ...old], [decided(A), ...nameless.slice(1)])).toEqual(['1 some calls: y']);
  });

  test('where only numbers are compared, leaves out calls that did not run, and their refusals', () => {
    const [ran, refused] = [made(undefined), made(undefined, { ran: false })];
    const refusal: DecisionRecord = { ...decided(refused), action: 'deny' };
    expect(prove([ran, refused], [decided(ran), refusal])).toMatchObject({
      calls: 1,
      judged: 1,
      bypasses: [],
    });
    expect(causes([ran, { ...ran }, refused], [decided(ran), refusal])).toEqual(['1 some calls: Bash']);
  });
});

const START = Date.parse('2026-11-20T09:00:00.000Z');
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
const uuid = fc.uuid().map((id) => `toolu_${id}`);

interface Home {
  readonly calls: readonly SessionCall[];
  readonly records: readonly DecisionRecord[];
}

/** A session as an agent and its hook write it down; the time of a call is its place. */
const soundSession = fc
  .record({
    session: fc.uuid(),
    numbered: fc.boolean(),
    named: fc.boolean(),
    asked: fc.constantFrom('once', 'twice', 'for approval'),
    clockMinutes: fc.constantFrom(0, 0, 0, -300, 45),
    startMs: fc.nat(50_000),
    calls: fc.array(
      fc.record({
        id: uuid,
        tool: fc.constantFrom('Bash', 'Read', 'mcp__a__b', 'plugin_tool'),
        bySubagent: fc.boolean(),
        ran: fc.constantFrom(true, true, false, undefined),
        action: fc.constantFrom('continue', 'deny', 'ask'),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    goneOn: fc.option(fc.uuid()),
  })
  .map(({ session, numbered, named, asked, clockMinutes, startMs, calls: parts, goneOn }): Home => {
    const home = parts.map(({ id, bySubagent, action, ...rest }, index) => {
      const call = made(numbered ? `call_${index % 2}` : id, {
        ...rest,
        session,
        time: at(index + clockMinutes + startMs / 60_000),
        ...(bySubagent ? { bySubagent } : {}),
        ...(action === 'deny' ? { ran: false } : {}),
      });
      const logged = named ? call : { ...call, id: undefined };
      const record = (event: DecisionRecord['event']): DecisionRecord => ({
        ...decided(logged, event),
        action: action as DecisionRecord['action'],
        time: at(index),
      });
      // Numbers are compared of the first question alone.
      const events: readonly DecisionRecord['event'][] =
        asked === 'twice'
          ? ['before_tool', 'approve_tool']
          : asked === 'once' || !named
            ? ['before_tool']
            : ['approve_tool'];
      return { call, records: events.map(record) };
    });
    const calls = home.map(({ call }) => call);
    // A session that is gone on with under another name has copies.
    const copies = goneOn === null ? [] : calls.map((call) => ({ ...call, session: goneOn }));
    return { calls: named ? [...calls, ...copies] : calls, records: home.flatMap(({ records }) => records) };
  });

describe('prove, over sound sessions', () => {
  const homes = fc.array(soundSession, { minLength: 1, maxLength: 4 }).map((list) => ({
    calls: list.flatMap(({ calls }) => calls),
    records: list.flatMap(({ records }) => records),
  }));

  test('reports no bypass in 1,000 homes, in whatever order', () => {
    fc.assert(
      fc.property(homes, fc.boolean(), ({ calls, records }, turned) => {
        const proof = prove(calls, turned ? records.toReversed() : records);
        expect(proof.bypasses).toEqual([]);
        expect(proof.judged).toBe(proof.calls);
      }),
      { numRuns: 1_000 },
    );
  });

  const first = made('toolu_first', { session: 'p', time: at(0) });
  const bypassed = made('toolu_bypassed', { session: 'p', time: at(1) });
  /** What is added to a sound home, and the bypass that is found. */
  const PLANTED: Readonly<Record<string, readonly [Home, string]>> = {
    'a hook that was switched off': [{ calls: [first, bypassed], records: [decided(first)] }, '1 some calls'],
    'a decision in the log of another home': [
      { calls: [bypassed], records: [] },
      '1 no decision in the session',
    ],
    'a subagent': [
      { calls: [first, { ...bypassed, bySubagent: true }], records: [decided(first)] },
      '1 subagent',
    ],
    'a subagent with a session of its own': [
      { calls: [first, { ...bypassed, session: 'p2', bySubagent: true }], records: [decided(first)] },
      '1 subagent',
    ],
    'a tool of a plugin': [
      { calls: [first, { ...bypassed, tool: 'deploy' }], records: [decided(first)] },
      '1 tool',
    ],
    'the shell of a skill': [
      { calls: [first, { ...bypassed, tool: 'SkillShell' }], records: [decided(first)] },
      '1 tool',
    ],
    'a session that is gone on with without the hook': [
      {
        calls: [first, { ...first, session: 'q' }, { ...bypassed, session: 'q' }],
        records: [decided(first)],
      },
      '1 no decision in the session',
    ],
    'two homes, of which one has no hook': [
      {
        calls: [first, { ...bypassed, session: 'r' }, made('toolu_more', { session: 's2' })],
        records: [decided(first)],
      },
      '2 no decision in the session',
    ],
    'a transcript that is cut in the middle': [
      { calls: [bypassed, { ...first, ran: undefined }], records: [decided(first)] },
      '1 some calls',
    ],
    'clocks that differ': [
      {
        calls: [
          ...['a', 'b', 'c'].map((id) => made(`toolu_${id}`, { session: 'p', time: at(-300) })),
          { ...bypassed, time: at(-299) },
        ],
        records: ['a', 'b', 'c'].map((id) => ({
          ...decided(made(`toolu_${id}`, { session: 'p' })),
          time: at(0),
        })),
      },
      '1 some calls',
    ],
    'a session without any decision': [
      { calls: [{ ...bypassed, session: 'r' }], records: [decided(first)] },
      '1 no decision in the session',
    ],
    'an id that another session has, too': [
      {
        calls: [made('call_1', { session: 'p', time: at(0) }), made('call_1', { session: 'r', time: at(1) })],
        records: [decided(made('call_1', { session: 'p' }))],
      },
      '1 no decision in the session',
    ],
    'a refused call that ran': [
      { calls: [first], records: [{ ...decided(first), action: 'deny' }] },
      '1 refused',
    ],
    'the id of a call of another session': [
      {
        calls: [first, { ...first, session: 'r', arguments: { command: 'rm' }, time: at(2) }],
        records: [decided(first)],
      },
      '1 no decision in the session',
    ],
    'an id that some models count': [
      {
        calls: [
          made('functions.Bash:0', { session: 'p' }),
          made('functions.Bash:0', { session: 'r', time: at(2) }),
        ],
        records: [decided(made('functions.Bash:0', { session: 'p' }))],
      },
      '1 no decision in the session',
    ],
    'an id that is given twice': [
      {
        calls: [made('call_1', { session: 'p', time: at(0) }), made('call_1', { session: 'p', time: at(1) })],
        records: [decided(made('call_1', { session: 'p' }))],
      },
      '1 some calls',
    ],
  };

  test.each(Object.entries(PLANTED))('finds %s', (_, [planted, expected]) => {
    fc.assert(
      fc.property(soundSession, (sound) => {
        const proof = prove([...sound.calls, ...planted.calls], [...sound.records, ...planted.records]);
        expect(proof.bypasses.map(({ cause, calls }) => `${calls} ${cause}`)).toEqual([expected]);
      }),
      { numRuns: 20 },
    );
  });

  test('counts by the clock of the log from when the hook was there', () => {
    const { calls = [], records = [] } = PLANTED['clocks that differ']?.[0] ?? {};
    const early = made('toolu_early', { session: 'o', time: at(-301) });
    const proof = prove([early, ...calls], records, at(0));
    expect(proof).toMatchObject({ calls: 4, judged: 3, aheadMs: -300 * 60_000 });
    expect(proof.bypasses).toMatchObject([{ first: { id: 'toolu_bypassed' } }]);
  });

  test('says how much it does not know', () => {
    const cut = made('toolu_cut', { session: 'p', ran: undefined });
    expect(prove([first, cut], [decided(first)])).toMatchObject({ calls: 1, bypasses: [], unknown: 1 });
    const other = decided(made('toolu_other', { session: 'elsewhere' }));
    expect(prove([first], [decided(first), other])).toMatchObject({ bypasses: [], elsewhere: 1 });
  });
});
