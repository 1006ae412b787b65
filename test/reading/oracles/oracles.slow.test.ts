import { describe, expect, test } from 'bun:test';
import { runInBash } from './bash.ts';
import { recipeOf, type Script, scriptOf } from './generator.ts';
import { classify, tryScripts } from './misses.ts';
import { BASH, SH_SYNTAX } from './oracle.ts';
import { commandStarts } from './sh-syntax.ts';

const SEED = 2_026;
/** `npm run fuzz` tries more. */
const SCRIPTS = 250;
/** Misses that are shrunk to be shown. */
const SHOWN = 20;

/** Five seconds are usual; a machine that does much else takes several. */
const LIMIT_MS = 300_000;

describe('readCommand on random scripts', () => {
  test(
    'finds each command that bash runs and mvdan/sh parses, or has a gap',
    async () => {
      const { ran, misses } = await tryScripts(SEED, 0, SCRIPTS);
      expect(ran.length).toBeGreaterThan(SCRIPTS / 2);
      const classes = await classify(misses.slice(0, SHOWN));
      expect(classes.map(({ name, example }) => `${name}\n${example}`)).toEqual([]);
      expect(misses).toHaveLength(0);
    },
    LIMIT_MS,
  );
});

describe('the generator of scripts', () => {
  test('makes the same script of the same seed and index', () => {
    for (let index = 0; index < 100; index++) {
      expect(scriptOf(recipeOf(SEED, index)).text).toBe(scriptOf(recipeOf(SEED, index)).text);
    }
    const texts = new Set(Array.from({ length: 100 }, (_, seed) => scriptOf(recipeOf(seed, 0)).text));
    expect(texts.size).toBeGreaterThan(90);
  });
});

describe('runInBash', () => {
  test('gives what scripts write to descriptor 9, and ends those that go on', async () => {
    const written = await runInBash([
      'echo a >&9; echo b; cd /; exit 3',
      'echo c >&9; while :; do :; done',
      'no-such-command; echo "$(echo d >&9)" | cat & exec bash -c "echo e >&9"',
      'if; echo f >&9',
      'ls; rm -f x; sleep 1000 || echo "$x g" >&9',
    ]);
    expect([...written].filter((word) => /^[a-z]/.test(word)).sort()).toEqual(['a', 'c', 'd', 'e']);
    expect(written.has(' g')).toBe(true);
  });
});

describe('commandStarts', () => {
  test('finds where mvdan/sh parses a command', async () => {
    const text =
      '# a b\né=1; x=2; b [$(c x)] "d${x#$(e)}" > f`g` <(h) \'$(i)\' && case $(j) in $(k)) l;; esac\n(m; ! n) <<E\n$(o) p\nE\n';
    const starts = await commandStarts(text);
    expect(starts?.map((start) => text[start]).join('')).toBe('ébceghjklmno');
  });

  test('says that a text is no script', async () => {
    expect(await commandStarts('if a; fi')).toBeUndefined();
  });
});

describe('the oracles', () => {
  const seen = (text: string, markers: readonly string[]): Script => ({
    recipe: { index: 0, chains: [], edits: [] },
    text,
    markers,
  });

  test('find no fault where every command is listed, nor where there is a gap', async () => {
    const scripts = [seen('echo a >&9', ['a']), seen('eval "$X"; echo b >&9', ['b'])];
    for (const oracle of [BASH, SH_SYNTAX]) {
      const verdicts = await oracle.judge(scripts);
      expect(verdicts).toEqual(scripts.map(() => ({ known: true, missed: undefined })));
    }
  });

  test('tell a command that is not listed', async () => {
    const printed = await BASH.judge([seen("printf 'a\\n' >&9", ['a'])]);
    expect(printed).toEqual([{ known: true, missed: 'a' }]);
    const parsed = await SH_SYNTAX.judge([seen('for i in; do (b c); done', [])]);
    expect(parsed).toEqual([{ known: true, missed: 'b' }]);
  });
});
