import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { type CodeFile, codeFileSchema, rowsByName } from '../../scripts/code-rows.ts';
import { parseYaml } from '../../src/language/policy/yaml/yaml.ts';
import { does, gapsIn, runs } from './reads.ts';

const FOLDER = join(import.meta.dir, '../../programs/code');
const STARTS: Readonly<Record<string, string>> = {
  python: 'python3 -c',
  javascript: 'node -e',
  ruby: 'ruby -e',
  perl: 'perl -e',
  php: 'php -r',
  lua: 'lua -e',
  r: 'Rscript -e',
};

const FILES = readdirSync(FOLDER).map((name) => {
  const { document } = parseYaml(readFileSync(join(FOLDER, name), 'utf8'), name);
  return document?.value as unknown as CodeFile;
});

describe('rows of calls', () => {
  test.each(
    FILES.flatMap(({ language, examples }) =>
      Object.entries(examples).map(([code, effect]) => [language, code, effect] as const),
    ),
  )('%s: %p %s', (language, code, effect) => {
    const command = `${STARTS[language]} '${code.replaceAll("'", "'\\''")}'`;
    expect([...does(command), ...runs(command)]).toContain(effect);
    expect(gapsIn(command)).toEqual([]);
  });

  test('are there for each language', () => {
    expect(FILES.map(({ language }) => language).sort()).toEqual(Object.keys(STARTS).sort());
  });

  test('are two for one name only in a list', () => {
    const [LUA] = FILES.filter(({ language }) => language === 'lua');
    if (LUA === undefined) throw new Error('Cannot find the rows of Lua');
    const file: CodeFile = {
      language: 'lua',
      syntax: LUA.syntax,
      calls: { 'a | b': { alone: true }, b: { reads: 'path' } },
      examples: {},
    };
    expect(() => rowsByName(file)).toThrow('Cannot use call "b" of lua: it has two rows');
    expect(
      rowsByName({ ...file, calls: { b: [{ of: ['a'], reads: 'path' }, { runs: 'shell' }] } })['b'],
    ).toHaveLength(2);
  });

  test.each([
    [{ deletes: 'tree' }, true],
    [{ delets: 'tree' }, false],
    [{ reads: 'tree' }, false],
    [{ gives: 'nothing' }, false],
    [{ like: 'rm -rf' }, false],
    [{}, false],
  ])('%j is a row: %p', (row, isRow) => {
    const validate = new Ajv2020({ strict: false }).compile(codeFileSchema());
    expect(
      validate({
        version: 1,
        language: 'lua',
        syntax: FILES[0]?.syntax,
        calls: { f: row },
        examples: { 'f()': 'ls' },
      }),
    ).toBe(isRow);
  });
});
