import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { testedHost } from './host-reading.ts';
import { messageText } from './messages.ts';
import { type Said, type Start, type Workplace, workplace } from './workplace.ts';

/** Needs the state: a model that only an earlier event has named, and texts that were seen before. */
const POLICIES = `
version: 1
policies:
  - {id: never, tool: shell, arguments: {command: 'git push'}, action: deny, reason: Pushing is for people}
  - {id: weak-models-read, tool: write, model_prefix: weak-, action: deny, reason: This model does not write}
  - {id: no-keys, on: before_llm, content: 'key-[0-9]+', action: abort_turn, reason: Keys stay here}
`;

const jcli = testedHost('jcli');

function pushing(command: string): string {
  return messageText(jcli.host, { on: 'before_tool', tool: 'shell', arguments: { command } });
}
const WRITING = messageText(jcli.host, {
  on: 'before_tool',
  tool: 'write',
  arguments: { path: 'a.txt', content: 'x' },
  context: { session: 'writing' },
});
const PROMPT = messageText(jcli.host, {
  on: 'before_llm',
  model: 'strong-1',
  messages: [{ role: 'user', content: 'the key is key-17' }],
});

function ask(place: Workplace, input: string, more: Start = {}): Promise<Said> {
  place.write({ 'house.yaml': POLICIES });
  return place.run({
    args: ['hook', '--host', 'jcli', '--policies', join(place.folder, 'house.yaml'), ...(more.args ?? [])],
    input,
    ...(more.env === undefined ? {} : { env: more.env }),
    ...(more.user === undefined ? {} : { user: more.user }),
  });
}

/** What must hold in whatever state the state is. */
async function expectRightAnswers(place: Workplace, more: Start = {}): Promise<void> {
  const started = performance.now();
  const say = async (input: string) => {
    const said = await ask(place, input, more);
    expect(said.stderr).toBe('');
    return said;
  };
  expect(jcli.read('before_tool', await say(pushing('git push')))).toBe('prevented');
  expect(jcli.read('before_tool', await say(pushing('ls')))).toBe('happens');
  expect(jcli.read('before_llm', await say(PROMPT))).toBe('prevented');
  // The model is not known, so the policy decides as if it were the one it is about.
  expect(jcli.read('before_tool', await say(WRITING))).toBe('prevented');
  expect(performance.now() - started).toBeLessThan(10_000);
}

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };
const byOthers = test.skipIf(!isRoot || !mayRun(BINARY, NOBODY));

function mayRun(program: string, user: { uid: number; gid: number }): boolean {
  try {
    execFileSync(program, ['--version'], { ...user, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('the state folder', () => {
  test('is made for one user alone, and remembers', async () => {
    const place = workplace();
    const naming = (model: string) =>
      messageText(jcli.host, { on: 'before_llm', model, prompt: 'hello', context: { session: 'writing' } });
    expect(jcli.read('before_llm', await ask(place, naming('strong-1')))).toBe('happens');
    expect(jcli.read('before_tool', await ask(place, WRITING))).toBe('happens');
    expect(jcli.read('before_llm', await ask(place, naming('weak-1')))).toBe('happens');
    expect(jcli.read('before_tool', await ask(place, WRITING))).toBe('prevented');
    expect(statSync(place.state).mode & 0o777).toBe(0o700);
    for (const file of ['state.db', 'decisions.jsonl']) {
      expect(statSync(join(place.state, file)).mode & 0o777).toBe(0o600);
    }
  });

  test.each<[string, (place: Workplace) => void | Promise<void>]>([
    ['is a file', ({ state }) => writeFileSync(prepared(state), '')],
    ['may be written by everybody', ({ state }) => chmodSync(made(state), 0o777)],
    [
      'holds folders where files should be',
      ({ state }) => {
        for (const name of ['state.db', 'decisions.jsonl', 'decisions.lock', 'cache/x.json']) {
          mkdirSync(join(made(state), name), { recursive: true });
        }
      },
    ],
    [
      'holds files where folders should be',
      ({ state }) => {
        for (const name of ['cache', 'trust']) writeFileSync(join(made(state), name), 'x');
      },
    ],
    [
      'holds a damaged state file',
      ({ state }) => writeFileSync(join(made(state), 'state.db'), 'no database'),
    ],
    [
      'holds a state file that is cut',
      ({ state }) => {
        const path = join(made(state), 'state.db');
        const database = new Database(path);
        database.run('CREATE TABLE memory (a TEXT)');
        database.close();
        writeFileSync(path, readFileSync(path).subarray(0, 700));
      },
    ],
    [
      'holds the state file of another program',
      ({ state }) => {
        const database = new Database(join(made(state), 'state.db'));
        database.run('CREATE TABLE memory (a TEXT)');
        database.run('PRAGMA user_version = 1');
        database.close();
      },
    ],
    [
      'holds a state file of a later version',
      ({ state }) => {
        const database = new Database(join(made(state), 'state.db'));
        database.run('PRAGMA user_version = 999');
        database.close();
      },
    ],
    [
      'holds pipes',
      ({ state }) => {
        const names = ['state.db', 'decisions.jsonl', 'decisions.lock'];
        execFileSync(
          'mkfifo',
          names.map((name) => join(made(state), name)),
        );
      },
    ],
    [
      'holds pipes beside the state file',
      async (place) => {
        await ask(place, PROMPT);
        const names = ['state.db-wal', 'state.db-shm', 'state.db-journal'];
        for (const name of names) rmSync(join(place.state, name), { force: true });
        execFileSync(
          'mkfifo',
          names.map((name) => join(place.state, name)),
        );
      },
    ],
    ['cannot be found', ({ home }) => chmodSync(home, 0o000)],
  ])('that %s changes no answer', async (_what, spoil) => {
    const place = workplace();
    await spoil(place);
    await expectRightAnswers(place);
    chmodSync(place.home, 0o700);
  });

  test('in a home that is not known changes no answer', async () => {
    await expectRightAnswers(workplace(), { env: { HOME: undefined } });
    await expectRightAnswers(workplace(), { env: { HOME: 'relative' } });
  });

  test('whose cache is full of garbage changes no answer', async () => {
    const place = workplace();
    const cache = join(place.state, 'cache');
    await ask(place, pushing('ls'));
    const [name = ''] = [...new Bun.Glob('*.json').scanSync(cache)];
    expect(name).not.toBe('');
    const whole = readFileSync(join(cache, name), 'utf8');
    const [head = '', body = ''] = whole.split('\n');
    const garbage = [
      '',
      '{}',
      'null',
      whole.slice(0, -5),
      `${head}\n{}`,
      `${head}\n${body.replace('deny', 'continue')}`,
    ];
    for (const text of garbage) {
      writeFileSync(join(cache, name), text);
      expect(jcli.read('before_tool', await ask(place, pushing('git push')))).toBe('prevented');
    }
  });

  test('that another process keeps locked delays no answer', async () => {
    const place = workplace();
    await ask(place, PROMPT);
    const database = new Database(join(place.state, 'state.db'));
    database.run('PRAGMA locking_mode = EXCLUSIVE');
    database.run('BEGIN EXCLUSIVE');
    for (const [kind, input] of [
      ['before_tool', pushing('git push')],
      ['before_tool', WRITING],
      ['before_llm', PROMPT],
    ] as const) {
      const said = await ask(place, input, { args: ['--host-timeout', '4'] });
      expect(jcli.read(kind, said)).toBe('prevented');
      expect(said.tookMs).toBeLessThan(4_000);
    }
    database.close();
  });

  byOthers('of somebody else is not used', async () => {
    const place = workplace();
    chownSync(made(place.state), NOBODY.uid, NOBODY.gid);
    await expectRightAnswers(place);
    expect(existsSync(join(place.state, 'state.db'))).toBe(false);
  });

  byOthers('that cannot be written changes no answer', async () => {
    const place = workplace();
    chmodSync(place.home, 0o555);
    place.write({ 'house.yaml': POLICIES });
    await expectRightAnswers(place, { user: NOBODY });
  });
});

/** A folder's path with the folders above it made. */
function prepared(path: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  return path;
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
