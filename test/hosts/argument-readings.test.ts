import { describe, expect, test } from 'bun:test';
import type { Host } from '../../src/hosts/host.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { answerMessage } from '../../src/language/calls/answer-call.ts';
import { surroundingsAt } from '../../src/language/calls/bare-event.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { BUILTIN_PACKS } from '../../src/language/policy/compile/packs.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import { optionsIn, placeIn } from '../policy/support.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { type Call, SPELLINGS } from './spellings.ts';
import { settingOf } from './transcripts.ts';

const PROJECT = '/work';

/** The policies of a file, or of a pack. */
function policies(source: string) {
  const folder = sharedFolder({ 'p.yaml': source });
  const named = source.startsWith('builtin:') ? source : `${folder}/p.yaml`;
  const { program, diagnostics } = compileFiles(
    optionsIn(folder, { place: placeIn(folder, { named: [named] }), packs: BUILTIN_PACKS }),
  );
  expect(diagnostics).toEqual([]);
  return createEngine(program);
}

const GUARDED = policies('builtin:self-protection');

/** A path that is not known counts as a match. */
const PRIVATE = policies(`version: 1
policies:
  - {id: private, path: 'private/**', action: deny, reason: private}
`);

/** Approves what is not guarded, and refuses the rest. */
const APPROVED = policies(`version: 1
defaults: {unmatched: deny}
policies:
  - {id: documents, path: {match: '**', except: ['**/{.policy,.gemini,.qwen}/**']}, action: approve}
`);

/** The calls that a host runs under some policies. */
function running(host: Host, engine: ReturnType<typeof policies>, calls: readonly Call[]): readonly string[] {
  const session = { engine, memory: NO_MEMORY, surroundings: () => surroundingsAt(PROJECT) };
  return calls.flatMap((call) => {
    const [tool, args] = JSON.parse(JSON.stringify(call).replaceAll('PROJECT', PROJECT)) as Call;
    const message = host.compose({ on: 'before_tool', tool, arguments: args, context: { cwd: PROJECT } });
    // What cannot be read is refused.
    if (host.decode(message, settingOf()).type === 'malformed') return [];
    const { decision } = answerMessage(message, host, settingOf(), session);
    return ['continue', 'approve'].includes(decision.action) ? [JSON.stringify(call)] : [];
  });
}

/** Calls that read a folder `private` if the host takes several globs, or a backslash, out of a text. */
const PRIVATE_GLOBS: readonly (readonly [host: string, refused: readonly Call[], passes: readonly Call[]])[] =
  [
    [
      'claude',
      ['private/a,*.x', '*.x private/a', '*.{x,y}\tprivate/**', ',private/a'].map((glob) => [
        'Grep',
        { pattern: 'a', glob },
      ]),
      ['docs/a,*.x', '*.x docs/a', '*.{x,private/a}'].map((glob) => [
        'Grep',
        { pattern: 'a', path: 'docs', glob },
      ]),
    ],
    [
      'gemini',
      ['private\\a', '@private/a', 'private/a\0'].map((glob) => [
        'read_many_files',
        { include: ['a', glob] },
      ]),
      ['docs\\a', '@docs/a', 'docs/a\0'].map((glob) => ['read_many_files', { include: ['a', glob] }]),
    ],
  ];

function shown(calls: readonly Call[]): readonly string[] {
  return calls.map((call) => JSON.stringify(call));
}

describe.each(HOSTS.map((host) => [host.name, host] as const))('%s', (name, host) => {
  const { reach, miss, unread = [] } = SPELLINGS[name] ?? { reach: [], miss: [] };

  test('has its ways to read arguments written down', () => {
    expect(reach.length * miss.length).toBeGreaterThan(0);
  });

  test('is refused a guarded path in every spelling that it reads as one', () => {
    expect(running(host, GUARDED, reach)).toEqual([]);
  });

  test('may do the same to other files', () => {
    expect(running(host, GUARDED, miss)).toEqual(shown(miss));
    expect(running(host, PRIVATE, miss)).toEqual(shown(miss));
  });

  test('is refused what nobody can tell the file of', () => {
    expect(running(host, PRIVATE, unread)).toEqual([]);
  });

  test('is approved a call only if it is to be approved in every way to read it', () => {
    const calls = reach.filter(([, args]) => !Object.hasOwn(args, 'cmd'));
    expect(running(host, APPROVED, calls)).toEqual([]);
  });
});

describe.each(PRIVATE_GLOBS)('globs of %s', (name, refused, passes) => {
  const host = HOSTS.find((each) => each.name === name) as Host;

  test('are read as the host takes them apart', () => {
    expect(running(host, PRIVATE, refused)).toEqual([]);
    expect(running(host, PRIVATE, passes)).toEqual(shown(passes));
  });
});

describe('JSON in arguments of a server', () => {
  const claude = HOSTS.find(({ name }) => name === 'claude') as Host;
  const call = (texts: readonly string[]): Call => ['mcp__fs__save', { files: texts }];
  const text = JSON.stringify({ path: 'docs/a', input: '{}' });

  test('is read in up to three hundred texts; more are unknown', () => {
    const [few, many] = [call(Array(100).fill(text)), call(Array(20_000).fill(text))];
    expect(running(claude, PRIVATE, [few])).toEqual(shown([few]));
    const start = process.cpuUsage();
    expect(running(claude, PRIVATE, [many])).toEqual([]);
    expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
  });

  test('is none in lines that only begin as it does', () => {
    const lines = call(Array(5_000).fill('[info] {started}: at 10'));
    expect(running(claude, PRIVATE, [lines])).toEqual(shown([lines]));
  });
});
