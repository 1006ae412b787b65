import { describe, expect, test } from 'bun:test';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { withinProcessorTime } from '../support/processor-time.ts';
import { ask, factsOf, shell } from './support.ts';

/** Do variables fit that are written into `.env`? */
function sets(spec: Json, call: string | JsonObject): unknown {
  const facts =
    typeof call === 'string' ? shell(call) : factsOf({ on: 'before_tool', tool: 'write', arguments: call });
  return ask('path', { match: '.env', sets: spec }, facts);
}

function written(content: string): JsonObject {
  return { path: '.env', content };
}

describe('path: sets', () => {
  test.each<[content: string, names: readonly string[]]>([
    ['A=1', ['A']],
    ['a=1\nexport B=2\r\n  C = 3', ['A', 'B', 'C']],
    ['A: 1\nB:1\nhttp://C=1', ['A']],
    ['A\n=1', ['A']],
    ['# A=1\nB=A=1', ['B']],
    ['A="x\nB=1\n"\nC=1', ['A', 'C']],
    ["A='x\nB=1\n' # and so on\nC=1", ['A', 'C']],
    ['A="x\nB=1', ['A', 'B']],
    ['A="x" y\nB=1\nC="', ['A', 'B', 'C']],
    ['A="x\\"\nB=1\n"', ['A']],
    ['spring.url=1', ['SPRING.URL']],
  ])('reads %j', (content, names) => {
    for (const name of ['A', 'B', 'C', 'SPRING.URL'])
      expect([name, sets(name, written(content))]).toEqual([name, names.includes(name)]);
  });

  test.each<[spec: Json, call: string | JsonObject, truth: boolean]>([
    [['A*', 'B'], 'echo AB=1 > .env', true],
    [['A*', 'B'], 'echo BA=1 > .env', false],
    [{ any: 'A*', except: 'AB' }, 'echo AB=1 > .env', false],
    [{ any: 'A' }, './a.sh > .env', false],
    [{ unless: 'A' }, './a.sh > .env', true],
    [{ unless: ['*', '!B*'] }, 'echo A=1 > .env', false],
    [{ unless: ['*', '!B*'] }, 'echo BC=1 > .env', true],
    [{ unless: ['!B*', '*'] }, 'echo bc=1 > .env', true],
    [{ unless: ['*', '!B*'] }, './a.sh > .env', true],
    [{ any: ['A*', '!AB'] }, 'echo AB=1 > .env', false],
    [{ any: ['A*', '!AB'] }, 'echo AC=1 > .env', true],
    [{ unless: 'A' }, 'echo A=$X > .env', false],
    [{ unless: 'A' }, 'echo $X=1 > .env', true],
    [{ unless: 'A' }, 'echo "A=$X" | tee .env', false],
    [{ unless: 'A' }, 'cp a.env .env', true],
    [{ unless: 'A', from: '*.env' }, 'cp a.env .env', false],
    [{ unless: 'A', from: { set: 'environment' } }, 'cat a.env env.sample > .env', false],
    [{ unless: 'A', from: '*.env' }, 'cp a.env b; cp b .env', false],
    [{ unless: 'A', from: '*.env' }, 'cp a b.env; cp b.env .env', true],
    [{ unless: 'A', from: '*.env' }, 'cat a.env b > .env', true],
    [{ unless: 'A', from: '*.env' }, 'curl https://example.com/a.env > .env', true],
    [{ unless: 'A' }, 'chmod 600 .env; touch .env; > .env', false],
    [{ unless: 'A' }, 'cat .env', false],
  ])('%j of %j is %p', (spec, call, truth) => {
    expect(sets(spec, call)).toBe(truth);
  });

  test('says nothing of other files, and does not know where it is not known which file it is', () => {
    expect(sets('A', 'echo A=1 > a')).toBe(false);
    expect(sets('A', 'echo A=1 > "$F"')).toBe('unknown');
    expect(sets('A', 'echo B=1 > "$F"')).toBe(false);
  });

  test.each([
    ['many settings', 'A=1\n'.repeat(250_000)],
    ['quotes that nothing closes', 'A="\nB=\'\nC=`\n'.repeat(70_000)],
    ['one quote around everything', `A="${'B=1\n'.repeat(250_000)}"`],
    ['quotes with more behind them', 'A="x" y\n'.repeat(120_000)],
    ['blank lines', `${'\n'.repeat(1_000_000)}A=1`],
    ['one long word', 'A'.repeat(1_000_000)],
    ['spaces', `A${' '.repeat(1_000_000)}B=1`],
    ['escaped quotes', `A="${'\\"'.repeat(500_000)}`],
  ])('takes linear time for %s', (_what, content) => {
    withinProcessorTime(2_000, () => sets({ any: 'X', unless: ['A', 'B', 'C'] }, written(content)));
  });

  test('takes bounded time for many files that are written in turn', () => {
    const turns = Array.from({ length: 600 }, (_, index) => `cp f${index} f${index + 1}; cp f${index} .env`);
    withinProcessorTime(4_000, () => expect(sets({ unless: 'A' }, turns.join('\n'))).toBe(true));
  });
});
