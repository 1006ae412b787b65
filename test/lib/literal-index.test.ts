import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { buildLiteralIndex, type LiteralEntry } from '../../src/lib/literal-index.ts';
import { OutOfTime, withTimeLimit } from '../../src/lib/time-limit.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

function findAll<T>(entries: readonly LiteralEntry<T>[], text: string): readonly T[] {
  const found: T[] = [];
  buildLiteralIndex(entries).find(text, (item) => found.push(item));
  return found;
}

describe('buildLiteralIndex', () => {
  const entries: readonly LiteralEntry<string>[] = [
    { literals: ['git push', 'git pull'], fold: false, item: 'git' },
    { literals: ['push'], fold: false, item: 'push' },
    { literals: ['drop table'], fold: true, item: 'drop' },
    { literals: ['é+é'], fold: false, item: 'accents' },
  ];

  test.each<[string, readonly string[]]>([
    ['git push --force', ['git', 'push']],
    ['git push git pull git push', ['git', 'push']],
    ['GIT PUSH', []],
    ['Drop TABLE x', ['drop']],
    ['DROP TABLES', ['drop']],
    ['pus', []],
    ['', []],
    ['é+é', ['drop', 'accents']],
    ['ｐush', ['drop']],
  ])('finds in %p', (text, expected) => {
    expect([...findAll(entries, text)].sort()).toEqual([...expected].sort());
  });

  test('tells characters that may become ASCII from others, where it is given them', () => {
    const index = buildLiteralIndex(entries, /\u212a/);
    const found = (text: string) => {
      const items: string[] = [];
      index.find(text, (item) => items.push(item));
      return items;
    };
    expect([found('→ 你好'), found('\u212a'), found('→ Drop table')]).toEqual([[], ['drop'], ['drop']]);
  });

  test('ends where the time is over, however many literals meet in one place', () => {
    const alike = Array.from({ length: 5_000 }, (_, item) => ({ literals: ['aaa'], fold: false, item }));
    const index = buildLiteralIndex(alike);
    const find = () => index.find('a'.repeat(5_000), () => {});
    expect(() => withTimeLimit(() => true, find)).toThrow(OutOfTime);
    expect(find).not.toThrow();
  });

  test('reports an entry once a call, and again in the next', () => {
    const index = buildLiteralIndex(entries);
    const counts: number[] = [];
    for (let i = 0; i < 3; i++) {
      let count = 0;
      index.find('push push push', () => {
        count += 1;
      });
      counts.push(count);
    }
    expect(counts).toEqual([1, 1, 1]);
  });

  test('refuses literals that are too short to be keyed', () => {
    expect(() => buildLiteralIndex([{ literals: ['ab'], fold: false, item: 1 }])).toThrow('shorter than 3');
  });

  test('finds nothing when there is nothing to find', () => {
    expect(findAll([], 'abc')).toEqual([]);
    expect(findAll([{ literals: [], fold: false, item: 1 }], 'abc')).toEqual([]);
  });

  test('finds what a search for each literal finds', () => {
    const unit = fc.constantFrom('a', 'b', 'A', 'B', 'é', '\u212a', '!', 'á', '\u0161');
    const word = fc.array(unit, { minLength: 3, maxLength: 5 }).map((units) => units.join(''));
    const entry = fc.record({ literals: fc.array(word, { maxLength: 3 }), fold: fc.boolean() });
    const text = fc.array(fc.oneof(unit, word), { maxLength: 12 }).map((units) => units.join(''));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), text, (list, subject) => {
        const all = list.map(({ literals, fold }, item) => ({
          literals: fold ? literals.map((literal) => literal.toLowerCase()) : literals,
          fold,
          item,
        }));
        const isAscii = [...subject].every((char) => char < '\u0080');
        const expected = all.filter(({ literals, fold }) => {
          if (!fold) return literals.some((literal) => subject.includes(literal));
          return !isAscii || literals.some((literal) => subject.toLowerCase().includes(literal));
        });
        expect([...findAll(all, subject)].sort((a, b) => a - b)).toEqual(expected.map(({ item }) => item));
      }),
      { numRuns: 500 },
    );
  });

  test('passes a megabyte over 10,000 literals without delay', () => {
    const many = Array.from({ length: 10_000 }, (_, item) => ({
      literals: [`git push origin branch-${item.toString(36)}`, `${item.toString(36)}-token`],
      fold: item % 2 === 0,
      item,
    }));
    const index = buildLiteralIndex(many);
    const text = 'git push origin main && git pull --token # '.repeat(25_000);
    withinProcessorTime(1_000, () => index.find(text, () => expect.unreachable()));
  });
});
