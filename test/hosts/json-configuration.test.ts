import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { changeConfiguration, parseConfiguration } from '../../src/hosts/json-configuration.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { ORDER } from './order.ts';

const COMMENTS = { comments: true };
const MACHINE = { env: {}, home: '/home/me', project: '/project' };

/** Values as they are in settings: the hooks of others too. */
const OTHERS = fc.oneof(
  fc.record({ ui: fc.record({ theme: fc.string() }), list: fc.array(fc.integer(), { maxLength: 3 }) }),
  fc.record({
    hooks: fc.record({
      BeforeTool: fc.array(
        fc.record({ hooks: fc.constant([{ type: 'command', command: '/opt/other hook --host none' }]) }),
        { maxLength: 2 },
      ),
      processes: fc.record({ other: fc.constant({ enabled: true, command: ['/opt/other'] }) }),
    }),
  }),
  fc.constant({}),
);
/** Settings in every layout that people leave behind. */
const SETTINGS = fc
  .record({
    value: OTHERS,
    indentation: fc.constantFrom('', ' ', '  ', '    ', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    end: fc.constantFrom('', '\n', '\r\n', '\n\n  '),
    comment: fc.constantFrom('', '// mine', '/* mine */'),
  })
  .map(({ value, indentation, eol, end, comment }) => {
    const text = JSON.stringify(value, null, indentation).replaceAll('\n', eol);
    return { value, text: `${comment}${comment === '' ? '' : eol}${text}${end}`, comment };
  });

describe('changeConfiguration', () => {
  test.each([
    ['{\n  "a": 1 // one\n}', ['b'], 2, '{\n  "a": 1,\n  "b": 2 // one\n}'],
    ['{"a":1}', ['b', 'c'], 2, '{"a":1,"b": {"c":2}}'],
    ['{\n}\n', ['b'], [], '{\n  "b": []\n}\n'],
    ['{\r\n\t"a": []\r\n}', ['a', -1], {}, '{\r\n\t"a": [\r\n\t\t{}\r\n\t]\r\n}'],
    ['{"a":[1,2]}', ['a', 1], undefined, '{"a":[1]}'],
    ['{"a":[1,2]}', ['a', 0], undefined, '{"a":[2]}'],
    ['{"a": false}', ['a'], true, '{"a": true}'],
    ['', ['a'], 1, '{\n  "a": 1\n}\n'],
  ])('of %j at %j makes %j %j', (text, path, value, expected) => {
    expect(changeConfiguration(text, [{ path, value }], COMMENTS)).toBe(expected);
  });
});

describe.each(
  HOSTS.map(({ name }) => name).filter((name) => !['jcli', 'opencode', 'kiro', 'cline'].includes(name)),
)('the installation of %s', (name) => {
  const host = HOSTS.find((each) => each.name === name);

  test('adds its hook to what is there, and takes out nothing else', async () => {
    const installation = await host?.installation();
    if (installation === undefined) throw new Error(`no host ${name}`);
    fc.assert(
      fc.property(SETTINGS, ({ value, text, comment }) => {
        fc.pre(name === 'gemini' || comment === '');
        const edited = installation.edit(text, text, ORDER, MACHINE);
        expect(edited).toContain('/usr/local/bin/policy');
        expect(installation.edit(installation.strip(edited), edited, ORDER, MACHINE)).toBe(edited);
        const stripped = parseConfiguration(installation.strip(edited), COMMENTS);
        // Cursor wants its version beside hooks, whoever has put them there.
        const kept = name === 'cursor' ? { version: 1 } : {};
        expect(withoutEmpty(stripped)).toEqual(withoutEmpty({ ...kept, ...value }));
        expect(installation.strip(edited)).toStartWith(comment);
      }),
      { numRuns: 30 },
    );
  });
});

test('the installation of Kiro adds its hook to a list, and takes out nothing else', async () => {
  const installation = await HOSTS.find(({ name }) => name === 'kiro')?.installation();
  if (installation === undefined) throw new Error('no host kiro');
  const other = {
    name: 'lint',
    trigger: 'PostFileSave',
    action: { type: 'command', command: 'npm run lint' },
  };
  const before = JSON.stringify({ version: 'v1', hooks: [other] });
  const edited = installation.edit(before, before, ORDER, MACHINE);
  const [first, ...ours] = JSON.parse(edited).hooks;
  expect(first).toEqual(other);
  expect(ours.map(({ trigger }: { trigger: string }) => trigger)).toContain('PreToolUse');
  expect(installation.edit(installation.strip(edited), edited, ORDER, MACHINE)).toBe(edited);
  expect(JSON.parse(installation.strip(edited) ?? '')).toEqual(JSON.parse(before));
  expect(installation.strip(installation.edit(undefined, undefined, ORDER, MACHINE))).toBeUndefined();
  const wrong = JSON.stringify({ hooks: {} });
  expect(() => installation.edit(wrong, wrong, ORDER, MACHINE)).toThrow('"hooks"');
});

/** Lists and objects that hold nothing say nothing to a host. */
function withoutEmpty(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, inside: unknown) =>
    typeof inside === 'object' && inside !== null && Object.keys(inside).length === 0 ? undefined : inside,
  );
}
