import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createEngine, type Engine } from '../../src/language/engine/engine.ts';
import { createFacts } from '../../src/language/engine/facts.ts';
import { GUARDED } from '../../src/language/generated/guards.ts';
import { requirementsOf } from '../../src/language/policy/parse/normalise-policy.ts';
import { child } from '../../src/lib/child.ts';
import type { Json } from '../../src/lib/json.ts';
import { foldPath } from '../../src/lib/path/fold-path.ts';
import type { Action } from '../../src/model/action.ts';
import type { Event } from '../../src/model/event.ts';
import { NO_SURROUNDINGS, type Surroundings } from '../../src/model/surroundings.ts';
import { program, rule, testMemory, toolEvent } from '../support/builders.ts';

const HOME = '/Users/Me';
const WORKSPACE = '/Users/Me/Work';

/** A machine of which all volumes fold names, or none. */
function machine(folds: boolean): Surroundings {
  return {
    ...NO_SURROUNDINGS,
    home: HOME,
    workspace: WORKSPACE,
    foldsNames: () => folds,
    knownAs: (path, _below, folded) =>
      (folded ? foldPath(path) : path) === (folded ? '/srv/team.yaml' : '/srv/Team.yaml')
        ? ['/.policy/team.yaml']
        : [],
  };
}

const engines = new Map<string, Engine>();

function engineOf(action: Action, when: Record<string, Json>): Engine {
  return child(engines, JSON.stringify([action, when]), () =>
    createEngine(program([rule({ action, when, ...requirementsOf(when) })])),
  );
}

/** Whether a policy is among those that match: looked up, and then asked. */
function fits(action: Action, when: Record<string, Json>, event: Event, folds: boolean): boolean {
  const { index } = engineOf(action, when);
  const facts = createFacts(event, testMemory(), () => machine(folds));
  return index
    .candidates(facts)
    .some((linked) => linked.fitsTool(facts) === true && linked.fitsCall(facts) === true);
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

const written = (path: string) => [
  toolEvent('save', { path, content: 'x' }, { classes: ['write'] }),
  toolEvent('exec', { command: `echo x > ${quoted(path)}` }),
  toolEvent('exec', { command: `rm -r ${quoted(path)}` }),
];

const SETS = { set: ['own_policies', 'own_state', 'own_program', 'guarded', 'secrets', 'vcs'] };

const guardedPath = fc.oneof(
  fc.constantFrom(
    '.policy/x.yaml',
    '.env',
    '.git/hooks/pre-commit',
    '.git',
    'CLAUDE.md',
    '/etc/policy/x.yaml',
    '/srv/Team.yaml',
    '/Users/Me/.config/policy/a.yaml',
    '/usr/local/bin/policy',
    '/Users/Me/.ssh/id_rsa',
    'a/b/.claude/settings.json',
  ),
  fc
    .constantFrom(...GUARDED.filter((glob) => !/[[{?$]/.test(glob)))
    .map((glob) => glob.replace(/^~/, HOME).replaceAll('**', 'a/b').replaceAll('*', 'c')),
);

/** The same path for a volume that folds names: in other cases, with what is passed over, and with what is taken off. */
const respelled = (path: string): fc.Arbitrary<string> => {
  const characters = [...path].map((char) =>
    fc
      .tuple(
        fc.constantFrom(char, char.toUpperCase(), char.toLowerCase()),
        fc.constantFrom('', '', '', '', '\u200c', '\ufeff', '\u00ad'),
      )
      // A sign at the end of a folder would part it from the slash for nobody.
      .map(([one, passed]) => one + (char === '/' ? '' : passed)),
  );
  return fc
    .tuple(fc.tuple(...characters), fc.constantFrom('', '', '.', '. ', ' .', '::$DATA', ':x:$DATA'))
    .map(([parts, tail]) => parts.join('') + tail);
};

describe('a volume that folds names', () => {
  test('every spelling of a guarded path is refused, and only its own where names are distinct', () => {
    const when = { path: { set: SETS.set } };
    fc.assert(
      fc.property(
        guardedPath.chain((path) => fc.tuple(fc.constant(path), respelled(path))),
        ([path, other]) => {
          const notes = { path: { match: ['./CLAUDE.md'] } };
          const asked = path === 'CLAUDE.md' ? notes : when;
          for (const event of written(path)) {
            expect(fits('deny', asked, event, true)).toBe(true);
            expect(fits('deny', asked, event, false)).toBe(true);
          }
          for (const event of written(other)) expect(fits('deny', asked, event, true)).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['.policy/x.yaml', '.POLICY/x.yaml'],
    ['.env', '.ENV'],
    ['.git/config', 'GIT~1/config'],
    ['/srv/Team.yaml', '/srv/team.yaml'],
  ])('%s is another file than %s elsewhere', (path, other) => {
    for (const event of written(path)) expect(fits('deny', { path: SETS }, event, false)).toBe(true);
    for (const event of written(other)) expect(fits('deny', { path: SETS }, event, false)).toBe(false);
  });

  const globs = fc.constantFrom(
    'src/**',
    '**/*.Key',
    './Docs/*',
    '~/.ssh/**',
    '**/[A-C]*',
    '**/[A-_]x',
    '**/.env',
    '**',
  );
  const test_ = fc.record(
    { match: globs, except: globs, unless: globs, outside: fc.constant('workspace') },
    { requiredKeys: ['match'] },
  );
  const when: fc.Arbitrary<Record<string, Json>> = fc.oneof(
    test_.map((path): Record<string, Json> => ({ path })),
    test_.map((path): Record<string, Json> => ({ not: { path } })),
    fc.tuple(test_, test_).map(([path, other]): Record<string, Json> => ({ path, not: { path: other } })),
  );
  const path = fc
    .constantFrom('src/a.key', 'Docs/b', '.env', 'Ax', '/Users/Me/.ssh/id', '/Users/Me/Work/src/x', '/tmp/y')
    .chain(respelled);

  test('gives no right that is not given where names are distinct, and drops no refusal', () => {
    fc.assert(
      fc.property(when, path, (test, used) => {
        for (const event of written(used)) {
          if (fits('approve', test, event, true)) expect(fits('approve', test, event, false)).toBe(true);
          if (fits('deny', test, event, false)) expect(fits('deny', test, event, true)).toBe(true);
        }
      }),
    );
  });
});

describe('foldPath', () => {
  test.each([
    ['.GIT', '.git'],
    ['.g\u200cit', '.git'],
    ['.git. .', '.git'],
    ['a./b ', 'a/b'],
    ['.git::$INDEX_ALLOCATION/x', '.git/x'],
    ['C:/x', 'c:/x'],
    ['../...', '../...'],
    ['e\u0301', '\u00e9'],
    ['\u212a\u017f', 'ks'],
    ['STRASSE', 'stra\u00dfe'],
    ['\u039f\u03a3', '\u03bf\u03c2'],
  ])('%j and %j are the same', (one, other) => {
    expect(foldPath(one)).toBe(foldPath(other));
  });

  test('keeps apart what no volume takes for the same', () => {
    const names = ['a', 'b', 'a.b', 'ab', '\u00e9', 'e', '.git', 'git', '..', '.'];
    expect(new Set(names.map(foldPath)).size).toBe(names.length);
  });
});
