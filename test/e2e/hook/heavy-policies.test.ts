import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { writeFiles } from '../../support/write-files.ts';
import { testedHost } from './host-reading.ts';
import { callText } from './messages.ts';
import { type Workplace, workplace } from './workplace.ts';

const { host, read } = testedHost('gemini');

const KIB = 1024;
const MIB = 1024 * KIB;
/** What any set of a project may take, loaded or refused, with a call judged. */
const MAX_PROCESSOR_MS = 3_000;
const MAX_RSS_BYTES = 256 * MIB;

interface Measured {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly processorMs: number;
  readonly maxRssBytes: number;
}

/** Lets the program judge a harmless call in the project. */
function ask(place: Workplace, env: Readonly<Record<string, string>> = {}): Measured {
  const runner = join(import.meta.dir, '../../support/run-measured.ts');
  const said = execFileSync(process.execPath, [runner, BINARY, 'hook', '--host', host.name], {
    input: callText(host, 'true', place.project),
    env: { ...place.env, ...env },
    cwd: place.project,
    encoding: 'utf8',
  });
  return JSON.parse(said) as Measured;
}

function expectWithinBounds({ processorMs, maxRssBytes }: Measured): void {
  expect(processorMs).toBeLessThan(MAX_PROCESSOR_MS);
  expect(maxRssBytes).toBeLessThan(MAX_RSS_BYTES);
}

function many(count: number, policy: (index: number) => string): string {
  return `version: 1\npolicies:\n${Array.from({ length: count }, (_, index) => `  - ${policy(index)}\n`).join('')}`;
}

const dearPattern = (index: number) =>
  `{id: p${index}, tool: shell, arguments: {command: 'x{1,990}y{1,990}z{1,990}7'}, action: deny}`;
const soundPolicy = (index: number) =>
  `{id: p${index}, tool: shell, arguments: {command: 'never-${index}-way[a-z]+'}, action: deny}`;

/** What is in the way, and what the refusal says of it. */
const REFUSED: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
  [
    '300 files of 4 MiB',
    (folder) => {
      mkdirSync(folder);
      const first = join(folder, 'f0.yaml');
      writeFileSync(first, `version: 1\npolicies: [{id: p, action: deny}]\n${'# filler\n'.repeat(466_000)}`);
      // Hard links: the same for whoever reads, and a gigabyte less to write.
      execFileSync('sh', ['-c', 'for i in $(seq 1 299); do ln f0.yaml "f$i.yaml"; done'], { cwd: folder });
    },
    /f0\.yaml:1:1 .*more than 512 KiB: leave some out, or move some to ~\/\.config\/policy/,
  ],
  [
    '7,000 patterns that repeat much',
    (folder) => writeFiles(folder, { 'x.yaml': many(7_000, dearPattern) }),
    /x\.yaml:1:1 .*more than 512 KiB/,
  ],
  [
    'as many of them as fit into the bytes',
    (folder) => writeFiles(folder, { 'x.yaml': many(5_000, dearPattern) }),
    /x\.yaml:\d+:5 .*more than 300000 steps to compile/,
  ],
  [
    'many small files',
    (folder) =>
      writeFiles(
        folder,
        Object.fromEntries(
          Array.from({ length: 2_001 }, (_, index) => [
            `f${index}.yaml`,
            `version: 1\npolicies: [{id: p, action: deny, tool: fetch}]\n`,
          ]),
        ),
      ),
    /\.yaml:1:1 .*more than 2000 files/,
  ],
  [
    'many empty lists',
    (folder) => writeFiles(folder, { 'x.yaml': `version: 1\npolicies: [${'[],'.repeat(170_000)}]\n` }),
    /x\.yaml:1:1 .*more than 100000 keys and values/,
  ],
  [
    'a long text that aliases repeat',
    (folder) =>
      writeFiles(folder, {
        'x.yaml': `version: 1\npolicies:\n  - {id: &x '${'y'.repeat(400 * KIB)}', action: deny}\n${'  - {id: *x, action: deny}\n'.repeat(900)}`,
      }),
    /x\.yaml:\d+:\d+ not valid YAML/,
  ],
  [
    'schemas, each of which is soon compiled',
    (folder) =>
      writeFiles(folder, {
        'x.yaml': many(
          4_000,
          (index) => `{id: p${index}, arguments_match: {required: [a${index}]}, action: deny}`,
        ),
      }),
    /x\.yaml:\d+:5 .*more than 300000 steps to compile/,
  ],
];

describe('a project with', () => {
  test.each(REFUSED)('%s is refused at once, and told why', (_what, write, says) => {
    const place = workplace();
    write(join(place.project, '.policy'));
    const measured = ask(place);
    expect(read('before_tool', measured)).toBe('prevented');
    expect(JSON.parse(measured.stdout).reason).toMatch(says);
    expectWithinBounds(measured);
  });

  test('files that extend others is bound by all of them together', () => {
    const place = workplace();
    const names = Array.from({ length: 6 }, (_, index) => `${index}.yaml`);
    writeFiles(join(place.project, '.policy'), {
      'x.yaml': `version: 1\nextends: [${names.map((name) => `../more/${name}`).join(', ')}]\n`,
    });
    const filler = '# filler\n'.repeat(11_000);
    writeFiles(
      join(place.project, 'more'),
      Object.fromEntries(
        names.map((name) => [name, `version: 1\npolicies: [{id: p, action: deny, tool: fetch}]\n${filler}`]),
      ),
    );
    const measured = ask(place);
    expect(JSON.parse(measured.stdout).reason).toMatch(/more\/5\.yaml:1:1 .*more than 512 KiB/);
    expectWithinBounds(measured);
  });

  test('all that it may have is loaded, and the call judged', () => {
    const place = workplace();
    writeFiles(join(place.project, '.policy'), { 'x.yaml': many(4_000, soundPolicy) });
    for (const _ of ['compiled', 'kept']) {
      const measured = ask(place);
      expect(read('before_tool', measured)).toBe('happens');
      expectWithinBounds(measured);
    }
    // As dear as they may be, and looked at for every call.
    writeFiles(join(place.project, '.policy'), { 'x.yaml': many(50, dearPattern) });
    const measured = ask(place);
    expect(read('before_tool', measured)).toBe('happens');
    expectWithinBounds(measured);
  });
});

describe('the user may have', () => {
  test('5,000 policies', () => {
    const place = workplace();
    writeFiles(join(place.home, '.config/policy'), { 'x.yaml': many(5_000, soundPolicy) });
    expect(read('before_tool', ask(place))).toBe('happens');
  });

  test('more and larger files than a project, and still refuses by them', () => {
    const place = workplace();
    const config = join(place.home, '.config/policy');
    writeFiles(config, {
      'large.yaml': `${many(10, soundPolicy)}${'# filler\n'.repeat(100_000)}`,
      'dear.yaml': many(100, dearPattern),
      'last.yaml':
        "version: 1\npolicies: [{id: p, tool: shell, arguments: {command: '^true$'}, action: deny}]\n",
    });
    expect(read('before_tool', ask(place))).toBe('prevented');
  });

  test('policies that stay in force when a project brings too many, if errors let pass', () => {
    const place = workplace();
    writeFiles(join(place.home, '.config/policy'), {
      'x.yaml': `version: 1\ndefaults: {on_error: continue}\npolicies: [{id: p, tool: shell, arguments: {command: '^true$'}, action: deny, reason: mine}]\n`,
    });
    writeFiles(join(place.project, '.policy'), { 'x.yaml': many(7_000, dearPattern) });
    const measured = ask(place);
    expect(JSON.parse(measured.stdout).reason).toContain('mine');
    expectWithinBounds(measured);
  });
});
