import { describe, expect, test } from 'bun:test';
import { globsOf, guardedGlobs } from '../../src/hosts/guards.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { PATH_SETS } from '../../src/language/keys/path/sets.ts';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { BUILTIN_PACKS } from '../../src/language/policy/compile/packs.ts';
import { globProblem } from '../../src/lib/glob/glob.ts';
import { optionsIn, placeIn } from '../policy/support.ts';
import { testMemory } from '../support/builders.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const SET_OF = {
  notes: 'agent_notes',
  instructions: 'agent_instructions',
  servers: 'agent_servers',
} as const;
const KINDS = ['notes', 'instructions', 'servers'] as const;

const folder = sharedFolder();
const { program } = compileFiles(
  optionsIn(folder, { place: placeIn(folder, { named: ['builtin:self-protection'] }), packs: BUILTIN_PACKS }),
);
const ENGINE = createEngine(program);

/** Files that some globs name. */
function filesOf(globs: readonly string[]): readonly string[] {
  return globs
    .filter((glob) => !glob.startsWith('$'))
    .flatMap((glob) => Bun.$.braces(glob))
    .map((glob) => glob.replace(/^\*\*\//, '').replaceAll(/\*+/g, 'x'));
}

/** What is decided where some text is written to a file. */
function decided(path: string, content: string): string {
  const event = bareEvent({ on: 'before_tool', tool: 'write', arguments: { path, content } });
  return evaluate(ENGINE, event, { memory: testMemory() }).decision.action;
}

describe('guards', () => {
  test.each(HOSTS)('of $name against hooks and servers in what it loads', ({ guards }) => {
    const { paths, instructions = [], servers = [] } = guards;
    for (const path of filesOf(paths)) expect([path, decided(path, '{}')]).toEqual([path, 'deny']);
    for (const path of filesOf(instructions)) {
      const [hooks, none] = path.endsWith('.toml')
        ? ['[mcp_servers.a]', 'a = 1']
        : ['---\nhooks: {}\n---\n', '---\nname: x\n---\nhooks: none'];
      expect([path, decided(path, hooks)]).toEqual([path, 'deny']);
      expect([path, decided(path, none)]).toEqual([path, 'continue']);
    }
    for (const path of filesOf(servers)) {
      expect([path, decided(path, '{"a": {"command": "x"}}')]).toEqual([path, 'deny']);
      expect([path, decided(path, '{"a": {"url": "https://example.com"}}')]).toEqual([path, 'continue']);
    }
  });

  test.each(HOSTS)('of $name are in the set that self-protection asks for', ({ guards }) => {
    expect(guards.paths.length).toBeGreaterThan(0);
    const sets: Readonly<Record<string, readonly string[]>> = PATH_SETS;
    for (const glob of guards.paths) expect(sets['guarded']).toContain(glob);
    for (const kind of KINDS)
      for (const glob of globsOf(guards, kind)) expect(sets[SET_OF[kind]]).toContain(glob);
  });

  test.each(HOSTS)('of $name are globs, and variables that stand for usual places', ({ guards }) => {
    const others = KINDS.flatMap((kind) => globsOf(guards, kind));
    for (const glob of [...guardedGlobs(guards), ...others]) expect(globProblem(glob)).toBeUndefined();
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
  expect(globsOf(guards, 'notes')).toEqual(['~/.a/notes/**', '$A/x/notes/**']);
});
