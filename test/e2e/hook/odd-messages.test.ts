import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { jcli } from '../../../src/hosts/jcli/jcli.ts';
import { DOCUMENT_HOSTS, type Reading, type TestedHost } from './host-reading.ts';
import { messageText } from './messages.ts';
import { type Workplace, workplace } from './workplace.ts';

const POLICIES = `
version: 1
policies:
  - {id: never, tool: shell, arguments: {command: 'git push'}, action: deny, reason: Pushing is for people}
`;
const MEGABYTE = 1024 * 1024;

/** A call of the shell as the host would send it, as text. */
function call(tested: TestedHost, command: string): string {
  return messageText(tested.host, { on: 'before_tool', tool: 'shell', arguments: { command } });
}

/** The text with something put in the place of the command. */
function withCommand(tested: TestedHost, json: string): string {
  const text = call(tested, 'COMMAND');
  // jcli's arguments are JSON inside JSON.
  return tested.host === jcli
    ? text.replace('\\"COMMAND\\"', JSON.stringify(json).slice(1, -1))
    : text.replace('"COMMAND"', json);
}

type Odd = readonly [title: string, input: (tested: TestedHost) => string | Uint8Array];

/** No message at all, so no host's own code reads it: all of it is refused. */
const UNREADABLE: readonly Odd[] = [
  ['nothing', () => ''],
  ['a line break', () => '\n'],
  ['a message that is cut', (tested) => call(tested, 'ls').slice(0, -1)],
  ['two messages', (tested) => call(tested, 'ls') + call(tested, 'ls')],
  ['a message with a NUL', (tested) => call(tested, 'ls').replace(':', ':\0')],
  ['a message in UTF-16', (tested) => Buffer.from(call(tested, 'ls'), 'utf16le')],
  ['bytes', () => Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256)],
  ['a byte that is no UTF-8', (tested) => Buffer.from(call(tested, 'ls \x80'), 'latin1')],
  ['100,000 lists in a list', () => '['.repeat(100_000) + ']'.repeat(100_000)],
  ['100,000 objects in an object', () => '{"a":'.repeat(100_000) + 1 + '}'.repeat(100_000)],
];

/** JSON that no host would send: all of it is refused. */
const ODD: readonly Odd[] = [
  ['null', () => 'null'],
  ['a list', () => '[]'],
  ['a text', () => '"x"'],
  ['a number', () => '1e999'],
  ['an empty object', () => '{}'],
  ['a command of 100,000 lists', (tested) => withCommand(tested, '['.repeat(100_000) + ']'.repeat(100_000))],
];

/** Calls that a policy refuses, in odd company. */
const REFUSED: readonly Odd[] = [
  ['a number that is no number', (tested) => withCommand(tested, '["git push",1e999]')],
  ['half of a surrogate pair', (tested) => withCommand(tested, '"git push \\ud83d"')],
  ['a NUL', (tested) => withCommand(tested, '"git push \\u0000"')],
  ['500 lists', (tested) => withCommand(tested, `${'['.repeat(500)}"git push"${']'.repeat(500)}`)],
];

/** Large texts that nobody reads to their end. */
const TOO_LARGE: readonly (readonly [...Odd, Reading])[] = [
  ['lists in lists without an end', () => '['.repeat(500_000), 'prevented'],
  ['more than 64 MiB', (tested) => call(tested, 'x'.repeat(64 * MEGABYTE)), 'prevented'],
];

/** Large texts, and what becomes of the call. */
const LARGE: readonly (readonly [...Odd, Reading])[] = [
  [
    '10 MB that a policy refuses',
    (tested) => call(tested, `${'x'.repeat(10 * MEGABYTE)}git push`),
    'prevented',
  ],
  [
    '60 MB with millions of keys',
    (tested) => withCommand(tested, `{${'"a key with a name":1,'.repeat(2_800_000)}"z":1}`),
    'prevented',
  ],
  [
    '60 MB with millions of lists',
    (tested) => withCommand(tested, `[${'[],'.repeat(20_000_000)}1]`),
    'prevented',
  ],
  ['10 MB that no policy refuses', (tested) => call(tested, 'x'.repeat(10 * MEGABYTE)), 'happens'],
];

/** Hosts whose calls are JSON, and one whose arguments are JSON in JSON: the others' messages go the way of the first. */
const FRAMINGS = DOCUMENT_HOSTS.filter((tested, index) => index === 0 || tested.host === jcli);

describe.each(FRAMINGS)('$title', (tested) => {
  async function ask(input: string | Uint8Array, place: Workplace = workplace()) {
    place.write({ 'house.yaml': POLICIES });
    const said = await place.run({
      args: ['hook', '--host', tested.host.name, '--policies', join(place.folder, 'house.yaml')],
      input,
    });
    if (said.exitCode === 0) expect(said.stderr).toBe('');
    expect(said.tookMs).toBeLessThan(3_000);
    return tested.read('before_tool', said);
  }

  test.each([...(tested === FRAMINGS[0] ? UNREADABLE : []), ...ODD])('refuses %s', async (_title, input) => {
    expect(await ask(input(tested))).toBe('prevented');
  });

  test.each(REFUSED)('refuses a call that a policy refuses, with %s', async (_title, input) => {
    expect(await ask(input(tested))).toBe('prevented');
  });

  test('judges and passes a call with 500 lists', async () => {
    expect(await ask(withCommand(tested, '['.repeat(500) + ']'.repeat(500)))).toBe('happens');
  });

  test.each([...(tested === FRAMINGS[0] ? TOO_LARGE : []), ...LARGE])(
    'answers a message of %s',
    async (_title, input, reading) => {
      expect(await ask(input(tested))).toBe(reading);
    },
  );
});
