import { describe, expect, test } from 'bun:test';
import { guardedGlobs, notedGlobs } from '../../src/hosts/guards.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { globProblem } from '../../src/lib/glob.ts';
import { PATH_SETS } from '../../src/matchers/path-sets.ts';

describe('guards', () => {
  test.each(HOSTS)('of $name are in the set that self-protection asks for', ({ guards }) => {
    expect(guards.paths.length).toBeGreaterThan(0);
    const sets: Readonly<Record<string, readonly string[]>> = PATH_SETS;
    for (const glob of guards.paths) expect(sets['guarded']).toContain(glob);
    for (const glob of guards.notes ?? []) expect(sets['agent_notes']).toContain(glob);
  });

  test.each(HOSTS)('of $name are globs, and variables that stand for usual places', ({ guards }) => {
    for (const glob of [...guardedGlobs(guards), ...notedGlobs(guards)])
      expect(globProblem(glob)).toBeUndefined();
    for (const [place, usual] of Object.entries(guards.moved ?? {})) {
      expect(place).toMatch(/^\$[A-Z_]+(?:\/|$)/);
      expect(usual).toMatch(/^[~/]/);
    }
  });
});

test('guardedGlobs adds what is guarded where a variable puts it', () => {
  const guards = {
    paths: ['~/.a/**', '**/.a/b', '~/.ab'],
    notes: ['~/.a/notes/**'],
    moved: { '$A/x': '~/.a', $B: '/etc/b' },
  };
  expect(guardedGlobs(guards)).toEqual(['~/.a/**', '**/.a/b', '~/.ab', '$A/x/**', '$B']);
  expect(notedGlobs(guards)).toEqual(['~/.a/notes/**', '$A/x/notes/**']);
});
