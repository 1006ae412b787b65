import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { applyEdits } from '../../../src/language/actions/rewrite/texts.ts';
import type { Json } from '../../../src/lib/json.ts';
import type { ReadCommand } from '../../../src/reader/reading/reading.ts';
import { showWord } from '../../../src/reader/reading/word.ts';
import { isRefused, readHere, rewritten } from './command.ts';

const PROGRAMS = [
  'old',
  '/bin/old',
  '"old"',
  "o'l'd",
  'new',
  'git push',
  'git -C x push',
  '"git" push',
  'git',
  '$X',
];
const WORDS = [
  ...['-f', '-uf', '-fu', '-ff', '--force', '--force=x', '"-f"', '--no-force', '-n', '--dry-run'],
  '--no-dry-run',
  '-o y',
  '-fo y',
  '-fo"$Y"',
  '{-f,-u}',
  '--',
  'origin',
  '$Y',
  'old',
  '>f',
  '🙂',
  '"a  b"',
];
const GAPS = [' ', ' ', ' ', '  ', '\t', ' \\\n '];
/** What may be around a command, which takes the place of `%`. */
const AROUND = [
  ...['%', '%; %', '% && %', '% | %', '%\n%', 'sudo %', 'xargs %', 'A=old %', '% # old -f', 'echo "$(%)"'],
  'f() { %; }; f; f',
  'for f in a b; do %; done',
  'if %; then %; fi',
  "sh -c '%'",
  'bash -c "%"',
  'eval %',
  "eval '%'",
  'cat <<E\n$(%)\nE',
  "cat <<'E'\n%\nE",
  'bash <<E\n%\nE',
  "sh <<'E'\n%\nE\n%",
  "cat <<'E' | sh\n%\nE",
  "sh <<< '%'",
  '`%`',
  'alias a=old; %',
  "%'",
];

const simple = fc
  .tuple(
    fc.constantFrom(...PROGRAMS),
    fc.array(fc.tuple(fc.constantFrom(...GAPS), fc.constantFrom(...WORDS)), { maxLength: 5 }),
  )
  .map(([program, words]) => program + words.flat().join(''));
const around = fc.constantFrom(...AROUND);
const commands = fc
  .tuple(fc.array(around, { maxLength: 2 }), fc.array(simple, { minLength: 4, maxLength: 4 }))
  .map(([outer, inner]) => {
    const shape = outer.reduce((text, each) => each.replaceAll('%', () => text), '%');
    return shape.split('%').reduce((text, piece, index) => text + (inner[(index - 1) % 4] ?? '') + piece);
  });

/** Checks what becomes of commands where something does, and sees to it that the test is about something. */
function checkRewritten(form: string, spec: Json, check: (before: string, after: string) => void): void {
  let count = 0;
  fc.assert(
    fc.property(commands, (before) => {
      const after = rewritten(form, spec, before);
      if (isRefused(after) || after === before) return;
      count++;
      check(before, after);
    }),
    { numRuns: 150 },
  );
  expect(count).toBeGreaterThan(15);
}

function names(text: string): readonly (string | undefined)[] {
  return readHere(text).commands.map(({ name }) => name);
}

function pushes(text: string): readonly ReadCommand[] {
  return readHere(text).commands.filter(
    ({ name, operands }) => name === 'git' && showWord(operands[0] ?? []) === 'push',
  );
}

function operandsOf(text: string): readonly string[] {
  return pushes(text).map(({ operands }) => operands.map(showWord).join(' '));
}

/** True if a text can be made of another by leaving characters out. */
function isWithin(part: string, whole: string): boolean {
  let from = 0;
  for (const character of part) {
    const at = whole.indexOf(character, from);
    if (at < 0) return false;
    from = at + character.length;
  }
  return true;
}

describe('program', () => {
  const spec = { old: 'new' };

  test('changes the names where they stand and no other character', () => {
    checkRewritten('program', spec, (before, after) => {
      const spans = readHere(before).commands.flatMap(({ name, programSpan }) =>
        name === 'old' && programSpan !== undefined ? [programSpan] : [],
      );
      const places = new Map(spans.map((span) => [span.start, span.end]));
      let expected = before;
      for (const [start, end] of [...places].toSorted(([a], [b]) => b - a))
        expected = `${expected.slice(0, start)}new${expected.slice(end)}`;
      expect(after).toBe(expected);
    });
  });

  test('runs the new program in place of the old one, and otherwise the same', () => {
    checkRewritten('program', spec, (before, after) => {
      expect(names(after)).toEqual(names(before).map((name) => (name === 'old' ? 'new' : name)));
    });
  });

  test('has nothing left to do afterwards, with several words as with one', () => {
    for (const words of ['new', 'new x', 'sudo old', 'old -f'])
      checkRewritten('program', { old: words }, (_, after) => {
        expect(rewritten('program', { old: words }, after)).toBe(after);
      });
  });
});

describe('subcommand', () => {
  const spec = { 'git push *': 'git fetch' };

  test('runs another subcommand with the same flags and operands, and has nothing left to do', () => {
    checkRewritten('subcommand', spec, (before, after) => {
      expect(names(after)).toEqual(names(before));
      expect(pushes(after)).toEqual([]);
      expect(after.replaceAll('fetch', 'push').replaceAll(/["']/g, '')).toBe(before.replaceAll(/["']/g, ''));
      expect(rewritten('subcommand', spec, after)).toBe(after);
    });
  });
});

describe('flags', () => {
  const push = { subcommand: ['git', 'push'] };

  test('takes out what is to go, and no character besides', () => {
    checkRewritten('flags', [{ ...push, remove: ['--force'] }], (before, after) => {
      expect(isWithin(after, before)).toBe(true);
      for (const { flags } of pushes(after)) {
        expect(flags.filter(({ name }) => name === '-f' || name === '--force')).toEqual([]);
      }
    });
  });

  test('puts in what has to be there, and changes no other character', () => {
    checkRewritten('flags', [{ ...push, add: ['--dry-run'] }], (before, after) => {
      expect(after.replaceAll(' --dry-run', '')).toBe(before.replaceAll(' --dry-run', ''));
      for (const { flags } of pushes(after)) {
        const last = flags.findLast(({ name }) => /^(?:-n|--(?:no-)?dry-run)$/.test(name));
        expect(last?.name).toMatch(/^(?:-n|--dry-run)$/);
      }
    });
  });

  test('runs the same programs with the same operands, and has nothing left to do', () => {
    const spec = [{ ...push, remove: ['-o'], rename: { '-f': '--force-with-lease' }, add: ['--dry-run'] }];
    checkRewritten('flags', spec, (before, after) => {
      expect(names(after)).toEqual(names(before));
      expect(operandsOf(after)).toEqual(operandsOf(before));
      expect(rewritten('flags', spec, after)).toBe(after);
    });
  });
});

describe('applyEdits', () => {
  test('replaces pieces of a text, each once, in any order', () => {
    const edits = [
      { start: 4, end: 5, text: 'E' },
      { start: 0, end: 2, text: '' },
      { start: 4, end: 5, text: 'E' },
      { start: 2, end: 2, text: '-' },
    ];
    expect(applyEdits('abcdef', edits)).toBe('-cdEf');
  });

  test('leaves out what is inside a piece that goes', () => {
    const edits = [
      { start: 2, end: 3, text: 'C' },
      { start: 1, end: 5, text: '' },
    ];
    expect(applyEdits('abcdef', edits)).toBe('af');
  });

  test.each([
    [
      { start: 0, end: 3, text: '' },
      { start: 2, end: 4, text: '' },
    ],
    [
      { start: 0, end: 3, text: 'x' },
      { start: 0, end: 3, text: 'y' },
    ],
    [
      { start: 2, end: 2, text: 'x' },
      { start: 2, end: 2, text: 'y' },
    ],
  ])('refuses edits that disagree: %j, %j', (one, other) => {
    expect(() => applyEdits('abcdef', [one, other])).toThrow('Cannot rewrite the command');
  });
});
