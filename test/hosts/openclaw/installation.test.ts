import { expect, test } from 'bun:test';
import { openclaw } from '../../../src/hosts/openclaw/openclaw.ts';
import { ORDER } from '../order.ts';

const MACHINE = { env: {}, home: '/home/me', project: '/repo' };
const installation = await openclaw.installation();

/** The file with our plugin in it, and what is left of it afterwards. */
function roundTrip(text: string): { readonly added: string; readonly left: string | undefined } {
  const added = installation.edit(text, text, ORDER, MACHINE) ?? '';
  return { added, left: installation.strip(added) };
}

test.each([
  ['commas behind the last entries', '{\n  "a": [1, 2,],\n  // mine\n  "b": {},\n}\n'],
  ['a byte order mark', '\uFEFF{\n  "a": 1\n}\n'],
  [
    'entries of others, with a comma behind the last',
    '{\n  "plugins": {\n    "entries": {\n      "x": {},\n    },\n  },\n}\n',
  ],
])('a file with %s gets the plugin, and is afterwards as it was', (_what, text) => {
  const { added, left } = roundTrip(text);
  expect(added).toContain('"policy-hook"');
  expect(left).toBe(text);
});

test('nothing that held only the plugin is left, whoever has put a comma behind it', () => {
  const { added } = roundTrip('{"a": 1}');
  expect(installation.strip(added.replace('{"a": 1', '{"a": 2'))).toBe('{"a": 2}');
  const alone = roundTrip('{}').added.replace(/\}\s*$/, ',}');
  expect(installation.strip(alone)).toBe('{}');
});

test('the file says where JSON5 is that cannot be read', () => {
  expect(() => roundTrip('{\n  a: 1\n}')).toThrow(
    'it is not JSON with comments at 2:3 (invalid symbol); put keys and texts in double quotes',
  );
});
