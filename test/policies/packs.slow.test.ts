import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { createFacts } from '../../src/language/engine/facts.ts';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';
import { ownString } from '../../src/lib/json.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import { NO_SURROUNDINGS } from '../../src/model/surroundings.ts';
import { HOME, WORKSPACE } from '../matchers/support.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

const FOLDER = join(import.meta.dir, '../../policies');
const PACKS = readdirSync(FOLDER).sort();

function draftOf(pack: string) {
  const text = readFileSync(join(FOLDER, pack, 'policy.yaml'), 'utf8');
  const { draft } = parsePolicyFile(text, pack, pack);
  if (draft === undefined) throw new Error(`Cannot read pack "${pack}"`);
  return draft;
}

const DRAFTS = new Map(PACKS.map((pack) => [pack, draftOf(pack)]));
const RULES = PACKS.flatMap((pack) => DRAFTS.get(pack)?.rules ?? []);

const { program } = compileFiles({
  place: {
    named: ['baseline', 'self-protection', 'git-safety'].map((pack) => join(FOLDER, pack, 'policy.yaml')),
    cwd: FOLDER,
    sessionDirectory: FOLDER,
    env: {},
  },
  trust: { trusted: () => undefined },
});
const engine = createEngine(program);

function refusedBy(command: string): string | undefined {
  const event = bareEvent({ on: 'before_tool', tool: 'shell', arguments: { command } });
  const { decision } = evaluate(engine, event, {
    memory: NO_MEMORY,
    surroundings: () => ({ home: HOME, workspace: WORKSPACE, realPath: (path) => path }),
  });
  return decision.action === 'continue' ? undefined : decision.policyId;
}

/** Judges give their own reasons. */
const REFUSALS = RULES.filter(
  ({ action, on, judge }) => action === 'deny' && on.includes('before_tool') && judge === undefined,
);

describe('shipped packs', () => {
  test('have a test file each', () => {
    for (const pack of PACKS) expect(readdirSync(join(FOLDER, pack))).toContain('policy.test.yaml');
  });

  test('give a reason and a way out with every refusal', () => {
    const lacking = REFUSALS.filter(
      ({ params }) => ownString(params, 'reason') === undefined || ownString(params, 'instead') === undefined,
    );
    expect(lacking.map(({ id }) => id)).toEqual([]);
  });

  test('write reasons as the second half of a sentence', () => {
    const texts = REFUSALS.flatMap(({ params }) => [params['reason'], params['instead']]).map(String);
    expect(texts.filter((text) => /^[A-Z][a-z]|[.!]$/.test(text))).toEqual([]);
  });

  const suggested = REFUSALS.flatMap(({ id, params }) =>
    [...(ownString(params, 'instead') ?? '').matchAll(/`([^`]+)`/g)].map(
      ([, command = '']) => [command, id] as const,
    ),
  );

  test.each(suggested)('let through %s, which %s suggests', (command) => {
    expect(refusedBy(command)).toBeUndefined();
  });

  test('suggest something that can be tried', () => {
    expect(suggested.length).toBeGreaterThan(20);
  });

  test.each(['baseline', 'git-safety', 'self-protection'])(
    'show for every policy of %s what it does and does not match',
    (pack) => {
      const { rules = [], examples = [] } = DRAFTS.get(pack) ?? {};
      for (const { id } of rules) {
        const kinds = examples.filter(({ ruleId }) => ruleId === id).map(({ expect }) => expect);
        expect([id, kinds.includes('hit'), kinds.includes('miss')]).toEqual([id, true, true]);
      }
    },
  );
});

describe('commands that are too much', () => {
  const each = (count: number, part: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => part(index)).join(' ');

  test.each<[string, string]>([
    ['folders that nobody knows', `rm -rf ${each(4_000, (n) => `$d/some-folder/another-folder/f${n}`)}`],
    ['files of which only a part is known', `cp -r ${each(4_000, (n) => `~/some-folder/f*${n}`)} $d`],
    ['stages of a pipeline', `cat $f ${each(2_000, () => '| sh')}`],
  ])('%s are judged in no time', (_, command) => {
    expect(withinProcessorTime(4_000, () => refusedBy(command))).toBeDefined();
  });
});

test.each(['git status --short', 'npm test', 'docker ps'])(
  'no policy has to be asked about "%s"',
  (command) => {
    const event = bareEvent({ on: 'before_tool', tool: 'shell', arguments: { command } });
    const facts = createFacts(event, NO_MEMORY, () => NO_SURROUNDINGS);
    expect(createEngine(program).index.candidates(facts)).toEqual([]);
  },
);
