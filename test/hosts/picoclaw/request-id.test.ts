import { expect, test } from 'bun:test';
import { picoclaw } from '../../../src/hosts/picoclaw/picoclaw.ts';
import { answer, MAX_LINE_BYTES, write } from '../../../src/hosts/picoclaw/wire.ts';
import type { Json } from '../../../src/lib/json.ts';
import { CALL, current } from './requests.ts';

/** The refusal of a call whose request has this id, as PicoClaw or an agent that speaks like it would read it. */
function refusalOf(id: Json): Json | undefined {
  const { stdout } = picoclaw.refuse({ ...current('hook.before_tool', CALL), id }, 'it is late');
  return stdout === '' ? undefined : (JSON.parse(stdout) as Json);
}

const OTHER_IDS = [
  0,
  -1,
  1.5,
  'a',
  '1',
  'before_tool-7b0e6ee2-5a4c-4b52-9a55-b7c1f5a3e2d0',
  '\u00e9'.repeat(1_022),
];

test.each([1, ...OTHER_IDS])('a request is refused under its own id (%#)', (id) => {
  expect(refusalOf(id)).toMatchObject({ jsonrpc: '2.0', id, result: { action: 'deny_tool' } });
});

test('an answer with the longest id fits the line', () => {
  const written = (room: number) => write('it', { text: 'x'.repeat(room) }, 'any');
  let room = MAX_LINE_BYTES;
  while ('cause' in written(room)) room -= 16;
  const fitting = written(room);
  const { stdout } = answer('\u20ac'.repeat(1_022), 'text' in fitting ? fitting.text : '');
  expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(MAX_LINE_BYTES + 1);
});

test('a request whose id JavaScript cannot keep is refused under its own digits', () => {
  const id = JSON.rawJSON('9007199254740993');
  const { stdout } = picoclaw.refuse({ ...current('hook.before_tool', CALL), id }, 'it is late');
  expect(stdout).toStartWith('{"jsonrpc":"2.0","id":9007199254740993,');
});

test.each<Json>([null, true, {}, [[1]], 2 ** 53, Number.POSITIVE_INFINITY, 'x'.repeat(1_000_000)])(
  'what cannot be an id gets no answer (%#)',
  (id) => {
    expect(refusalOf(id)).toBeUndefined();
  },
);

test.each([
  ['{"jsonrpc":"2.0","id":0,"method":"hook.before_tool","par', 0],
  ['{"jsonrpc":"2.0","id":"a-1","method":"hook.before_tool","par', 'a-1'],
  ['{"jsonrpc":"2.0","id":12,"method":"hook.before_tool","par', 12],
  ['{"jsonrpc":"2.0","id":-3,"method":"hook.before_tool","par', -3],
  [`{"jsonrpc":"2.0","id":"${'a'.repeat(64)}","method":"hook.before_tool","par`, 'a'.repeat(64)],
  [
    '{"jsonrpc":"2.0","id":18446744073709551615,"method":"hook.before_tool","par',
    JSON.rawJSON('18446744073709551615'),
  ],
])('the id of a broken line is read: %s', (line, id) => {
  expect(picoclaw.salvage(line)).toEqual({ id, method: 'hook.before_tool' });
});

test.each(['{"jsonrpc":"2.0","id":1', '{"jsonrpc":"2.0","id":"a', '{"jsonrpc":"2.0","id":007,"method":"x"'])(
  'an id that may go on is not read: %s',
  (line) => {
    expect(picoclaw.salvage(line)).toBeUndefined();
  },
);
