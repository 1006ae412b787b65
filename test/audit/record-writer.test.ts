import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { DecisionEntry } from '../../src/hook/audit/record.ts';
import { createRecordWriter, MAX_RECORD_LINE_BYTES } from '../../src/hook/audit/record-writer.ts';
import type { Json } from '../../src/lib/json.ts';
import { decide, noOpinion } from '../../src/model/decision.ts';
import type { Hit, Outcome } from '../../src/model/outcome.ts';
import type { Rule } from '../../src/model/policy.ts';
import { parseRecord } from '../../src/tools/log/parse-record.ts';
import { rule, toolEvent } from '../support/builders.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 9, 38, 0, 123);
const SECRET = `ghp_${'a1B2'.repeat(9)}`;

function outcome(parts: Partial<Outcome> = {}): Outcome {
  return { decision: noOpinion(), hits: [], skipped: [], trace: [], ...parts };
}

function entry(parts: Partial<DecisionEntry> = {}): DecisionEntry {
  return {
    host: 'testhost',
    event: toolEvent('run_shell', { command: 'git push -f' }, { session: 's1' }),
    outcome: outcome(),
    digest: 'abc',
    durationUs: 41.4,
    failed: undefined,
    ...parts,
  };
}

function input(message: Json): NonNullable<DecisionEntry['input']> {
  return { message, version: undefined, interactive: false, cwd: '/w' };
}

function write(parts: Partial<DecisionEntry> = {}): string {
  return createRecordWriter('p')(entry(parts), NOW_MS);
}

function hit(id: string, how: Hit['how'] = 'matched'): Hit {
  return { rule: rule({ id, action: 'deny' }), how };
}

describe('createRecordWriter', () => {
  test('writes one JSON line with everything that is known', () => {
    const decision = decide({
      action: 'deny',
      policyId: 'git/no-force',
      reason: 'Refused by git/no-force: no.',
    });
    const line = write({
      outcome: outcome({ decision, hits: [hit('git/no-force'), hit('x/y', 'monitored')], skipped: ['a/b'] }),
      failed: 'the judge is away',
      cwd: '/work/shop',
    });
    expect(line.endsWith('}\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      version: 1,
      decision_id: 'p-0',
      time: '2026-11-20T09:38:00.123Z',
      host: 'testhost',
      event: 'before_tool',
      tool: 'run_shell',
      session: 's1',
      cwd: '/work/shop',
      action: 'deny',
      policy: 'git/no-force',
      policies: [
        { id: 'git/no-force', how: 'matched', action: 'deny' },
        { id: 'x/y', how: 'monitored', action: 'deny' },
      ],
      skipped: ['a/b'],
      reason: 'Refused by git/no-force: no.',
      failed: 'the judge is away',
      duration_us: 41,
      digest: 'abc',
    });
  });

  test('leaves out what is not known', () => {
    expect(JSON.parse(write({ event: undefined, digest: undefined }))).toEqual({
      version: 1,
      decision_id: 'p-0',
      time: '2026-11-20T09:38:00.123Z',
      host: 'testhost',
      action: 'continue',
      policies: [],
      skipped: [],
      duration_us: 41,
    });
  });

  test('tells the directory of each decision, without the secrets in its name', () => {
    const writeNext = createRecordWriter('p');
    const cwds = ['/a', '/a', `/work/${SECRET}`, undefined, '/a'].map(
      (cwd) => parseRecord(writeNext(entry({ cwd }), NOW_MS))?.cwd,
    );
    expect(cwds).toEqual(['/a', '/a', expect.not.stringContaining(SECRET), undefined, '/a']);
  });

  test('tells what policies took by themselves', () => {
    const times = [
      { rule: rule({ id: 'x/y', action: 'deny' }), durationUs: 41.4 },
      { rule: rule({ id: 'x/"z', action: 'deny' }), durationUs: -0.2 },
    ];
    expect(parseRecord(write({ outcome: outcome({ times }) }))?.times).toEqual([
      { id: 'x/y', own_us: 41 },
      { id: 'x/"z', own_us: 0 },
    ]);
    expect(JSON.parse(write({ outcome: outcome({ times: [] }) }))).not.toHaveProperty('times');
  });

  test('tells what judges said and why others said nothing', () => {
    const judged = [
      {
        ruleId: 'x/judged',
        answer: {
          type: 'verdict',
          verdict: 'deny',
          confidence: 0.8,
          reason: SECRET,
          doubt: null,
          cached: true,
        },
      },
      {
        ruleId: 'x/late',
        answer: { type: 'failed', failure: 'timeout', cause: 'it did not answer in time' },
      },
      { ruleId: 'x/spared', answer: { type: 'unasked' } },
    ] as const;
    const record = JSON.parse(write({ outcome: outcome({ judged }) }));
    expect(record.judges).toEqual([
      { id: 'x/judged', verdict: 'deny', confidence: 0.8, cached: true },
      { id: 'x/late', failure: 'timeout' },
    ]);
    expect(JSON.parse(write({ outcome: outcome({ judged: [] }) }))).not.toHaveProperty('judges');
  });

  test('shows no secret that is in the name of a session', () => {
    const line = write({ event: toolEvent('t', {}, { session: `s ${SECRET}` }) });
    expect(line).not.toContain(SECRET);
    expect(JSON.parse(line).session).toMatch(/^s \[redacted/);
  });

  test('shows no secret of any of its texts, of which all others are harmless', () => {
    const write = createRecordWriter('p', { keyed: () => 'd', command: true });
    const texts = { name: 'run_shell', command: 'git push', session: 's1', cwd: '/w', reason: 'No' };
    for (const place of Object.keys(texts)) {
      const changed: typeof texts = { ...texts, [place]: `a ${SECRET}` };
      const { name, command, session, cwd, reason } = changed;
      const line = write(
        entry({
          event: toolEvent(name, { command }, { session }),
          cwd,
          outcome: outcome({ decision: decide({ action: 'deny', policyId: 'a/b', reason }) }),
        }),
        NOW_MS,
      );
      expect(line).not.toContain(SECRET);
      expect(line).toContain('[redacted:github]');
      expect(write(entry({ cwd: '/w' }), NOW_MS)).toContain('"cwd":"/w"');
    }
  });

  test('gives every decision an id of its own and the time of its millisecond', () => {
    const writer = createRecordWriter('p');
    const records = [0, 0.4, 1].map((ms) => JSON.parse(writer(entry(), NOW_MS + ms)));
    expect(records.map((record) => record.decision_id)).toEqual(['p-0', 'p-1', 'p-2']);
    expect(records.map((record) => record.time.slice(-5))).toEqual([
      '.123Z'.slice(-5),
      '.123Z'.slice(-5),
      '.124Z'.slice(-5),
    ]);
  });

  test('names the same policy by how it took part each time', () => {
    const writer = createRecordWriter('p');
    const shared = rule({ id: 'x/y', action: 'deny' });
    const hows = (['matched', 'unknown', 'monitored', 'inactive'] as const).map((how) => {
      const line = writer(entry({ outcome: outcome({ hits: [{ rule: shared, how }] }) }), NOW_MS);
      return JSON.parse(line).policies[0].how;
    });
    expect(hows).toEqual(['matched', 'unknown', 'monitored', 'inactive']);
  });

  test('names no action for a judge that was not asked', () => {
    const judge = { name: 'default' } as NonNullable<Rule['judge']>;
    const asked = rule({ id: 'x/judged', action: 'deny', judge });
    const decided: Rule = {
      ...asked,
      action: 'ask',
      judged: { type: 'failed', failure: 'timeout', cause: 'late' },
    };
    const hits: readonly Hit[] = [
      { rule: asked, how: 'monitored' },
      { rule: decided, how: 'matched' },
    ];
    expect(JSON.parse(write({ outcome: outcome({ hits }) })).policies).toEqual([
      { id: 'x/judged', how: 'monitored' },
      { id: 'x/judged', how: 'matched', action: 'ask' },
    ]);
  });

  test('takes secrets out of reasons, causes and inputs', () => {
    const line = write({
      outcome: outcome({ decision: decide({ action: 'deny', reason: `Refused: ${SECRET}` }) }),
      failed: `Cannot read ${SECRET}`,
      input: input({ tool_input: { command: [`curl -H ${SECRET}`] } }),
    });
    expect(line).not.toContain(SECRET);
    expect(JSON.parse(line).input.tool_input.command[0]).toStartWith('curl -H ');
  });

  test('keeps the input only if asked', () => {
    const message = { a: [1, 'two', null] };
    expect(parseRecord(write({ input: input(message) }))).toMatchObject({
      input: message,
      setting: { cwd: '/w' },
    });
    expect(
      parseRecord(write({ input: { ...input(message), version: 'B', interactive: true } })),
    ).toMatchObject({ setting: { version: 'B', interactive: true, cwd: '/w' } });
    expect(JSON.parse(write())).not.toHaveProperty('input');
    expect(JSON.parse(write())).not.toHaveProperty('setting');
  });

  test.each([
    ['an input', { input: input({ text: 'x'.repeat(100_000) }) }],
    ['an input of wide characters', { input: input({ text: '策'.repeat(30_000) }) }],
    [
      'a list of policies',
      { outcome: outcome({ hits: Array.from({ length: 2_000 }, (_, i) => hit(`pack/policy-${i}`)) }) },
    ],
    [
      'a list of skipped policies',
      { outcome: outcome({ skipped: Array.from({ length: 9_000 }, (_, i) => `pack/p-${i}`) }) },
    ],
    [
      'very long names of policies',
      { outcome: outcome({ hits: Array.from({ length: 99 }, () => hit('x'.repeat(2_000))) }) },
    ],
  ])('shortens a line that %s makes too long, and says so', (_what, parts) => {
    const line = write(parts);
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(MAX_RECORD_LINE_BYTES);
    expect(parseRecord(line)).toMatchObject({ shortened: true, action: 'continue', digest: 'abc' });
  });

  test('leaves out an input that is nested too deeply to be written', () => {
    let deep = '[]';
    for (let i = 0; i < 17; i++) deep = deep.replace('[]', '['.repeat(2 ** i) + ']'.repeat(2 ** i));
    const record = parseRecord(write({ input: input({ deep: JSON.parse(deep) }) }));
    expect(record).toMatchObject({ shortened: true, input: null });
  });

  test('bounds names, reasons and causes', () => {
    const record = parseRecord(
      write({
        event: toolEvent('t'.repeat(10_000), {}, { session: 's'.repeat(10_000) }),
        outcome: outcome({ decision: decide({ action: 'deny', reason: 'r'.repeat(100_000) }) }),
        failed: 'f'.repeat(100_000),
      }),
    );
    expect(record?.tool).toHaveLength(257);
    expect(record?.session).toHaveLength(257);
    expect(record?.reason).toHaveLength(2_049);
    expect(record?.failed).toHaveLength(2_049);
  });

  test('writes one line of valid JSON for any names and texts', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, text, (tool, session, reason, id) => {
        const line = write({
          event: toolEvent(tool, {}, { session }),
          outcome: outcome({
            decision: decide({ action: 'deny', reason, policyId: id }),
            hits: [hit(id)],
            skipped: [id],
          }),
        });
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(parseRecord(line)).toMatchObject({ tool, session, policy: id, skipped: [id] });
      }),
    );
  });
});

describe('parseRecord', () => {
  test('reads what the writer writes', () => {
    expect(parseRecord(write())?.decision_id).toBe('p-0');
  });

  test.each([
    [''],
    ['null'],
    ['[]'],
    ['{}'],
    [write().slice(0, -10)],
    [write().replace('"version":1', '"version":2')],
    [write().replace('"policies":[]', '"policies":[{}]')],
    [write().replace('"skipped":[]', '"skipped":{}')],
    [write().replace('"skipped":[]', '"skipped":[],"times":[{"id":"x"}]')],
    [write().replace('"duration_us":41', '"duration_us":"41"')],
  ])('gives nothing for %j', (line) => {
    expect(parseRecord(line)).toBeUndefined();
  });
});
