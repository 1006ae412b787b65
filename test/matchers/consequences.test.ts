import { describe, expect, test } from 'bun:test';
import { surroundingsOf } from '../../src/language/calls/answer-call.ts';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import { NOTHING_TRUSTED, optionsIn, placeIn } from '../policy/support.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROGRAMS = `version: 1
programs:
  acmectl:
    flags: [--context=]
    subcommands:
      server: {subcommands: {list: {}, delete: {destroys: infrastructure, dry_run: [--dry-run]}}}
      db: {subcommands: {drop: {destroys: {database: {flags: {any: [--force]}, except: {args: {first: test}}}}}}}
  onbox: {flags: [-n=], runs: {skip: 1, remote: true}}
`;
const POLICIES = `version: 1
policies:
  - {id: infrastructure, command: {destroys: infrastructure}, action: deny}
  - {id: database, command: {destroys: [database, disk], except: {privileged: true}}, action: deny}
  - {id: words, command: {subcommand: [acmectl, server, delete]}, when_unknown: skip, action: deny}
  - {id: mentioned, path: {match: '**/.env', uses: [mention]}, action: deny}
`;

/** How the policies take a command: `how` by the policy's id. */
function hits(files: Readonly<Record<string, string>>, command: string): Readonly<Record<string, string>> {
  const folder = temporaryFolder({ 'project/.git/HEAD': '', ...files });
  const place = placeIn(folder);
  const { program, diagnostics } = compileFiles({ ...optionsIn(folder), place, trust: NOTHING_TRUSTED });
  expect(diagnostics).toEqual([]);
  const event = bareEvent({ on: 'before_tool', tool: 'shell', arguments: { command } });
  const outcome = evaluate(createEngine(program), event, { memory: NO_MEMORY, surroundings: surroundingsOf });
  const own = outcome.hits.filter(({ rule }) => rule.id.startsWith('rules/'));
  return Object.fromEntries(own.map(({ rule, how }) => [rule.id.slice('rules/'.length), how]));
}

const USERS = { 'config/policy/programs.yaml': PROGRAMS, 'config/policy/rules.yaml': POLICIES };
const PROJECTS = { 'project/.policy/programs.yaml': PROGRAMS, 'config/policy/rules.yaml': POLICIES };

describe('what follows from a command', () => {
  test.each([
    ['acmectl server delete a', { infrastructure: 'matched', words: 'matched' }],
    ['acmectl --context prod server delete a', { infrastructure: 'matched', words: 'matched' }],
    ['sudo bash -c "acmectl server delete a"', { infrastructure: 'matched', words: 'matched' }],
    ['acmectl server list', {}],
    ['acmectl server delete --dry-run a', { words: 'matched' }],
    ['acmectl --context "$C" server list', {}],
    ['acmectl server "$X" a', { infrastructure: 'unknown' }],
    ['acmectl $X', { infrastructure: 'unknown', database: 'unknown' }],
    ['acmectl server $X', { infrastructure: 'unknown' }],
    ['acmectl db drop --force shop', { database: 'matched' }],
    ['acmectl db drop --force test', {}],
    ['acmectl db drop shop', {}],
    ['acmectl db drop shop $FLAGS', { database: 'unknown' }],
    ['sudo acmectl db drop --force shop', {}],
    ['onbox -n 1 web acmectl server delete a', { infrastructure: 'matched', words: 'matched' }],
    ['echo acmectl server delete a', {}],
    ['acmectl .env', {}],
  ])('%p', (command, expected) => {
    expect(hits(USERS, command)).toEqual(expected);
  });

  test.each([
    ['acmectl --context prod server delete a', { infrastructure: 'matched', words: 'matched' }],
    ['acmectl server list', {}],
    // Without the row the program may do anything with the file, and the row takes nothing away.
    ['acmectl .env', { mentioned: 'matched' }],
  ])('%p, if only a project knows the program', (command, expected) => {
    expect(hits(PROJECTS, command)).toEqual(expected);
  });

  test('a row of a project hides no subcommand', () => {
    const hiding = 'version: 1\nprograms: {acmectl: {flags: [server=, -q=], subcommands: {list: {}}}}\n';
    const files = { 'project/.policy/programs.yaml': hiding, 'config/policy/rules.yaml': POLICIES };
    expect(hits(files, 'acmectl server delete a')).toEqual({ words: 'matched' });
  });
});
