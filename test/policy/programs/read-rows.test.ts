import { describe, expect, test } from 'bun:test';
import { readRows } from '../../../src/language/policy/parse/read-rows.ts';
import { parseYaml } from '../../../src/language/policy/yaml/yaml.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';

/** The rows of a text, and what is wrong with them. */
function rowsOf(text: string) {
  const { document, diagnostics } = parseYaml(`version: 1\nprograms:\n${text}`, 'programs.yaml');
  if (document === undefined) throw new Error(JSON.stringify(diagnostics));
  const found: Diagnostic[] = [];
  const { rows } = readRows(document, found);
  return {
    rows: Object.fromEntries(rows.map(({ name, row }) => [name, row])),
    problems: found.map(({ position, message }) => `${position.line}:${position.column} ${message}`),
  };
}

describe('readRows', () => {
  test('gives rows as they are written, without their examples', () => {
    const { rows, problems } = rowsOf(
      "  x: {flags: ['-o,--output=write', -h], operands: [{role: text, unless: [-e]}, ...read], dry_run: [-n], examples: {x: {}}}",
    );
    expect(problems).toEqual([]);
    expect(rows).toEqual({
      x: {
        flags: ['-o,--output=write', '-h'],
        operands: [{ role: 'text', unless: ['-e'] }, '...read'],
        dry_run: ['-n'],
      },
    });
  });

  test('gives names that share a row the same one, programs and subcommands', () => {
    const { rows } = rowsOf('  a | b: {subcommands: {c | d: {recursive: true}}}');
    expect(Object.keys(rows)).toEqual(['a', 'b']);
    expect(rows['b']).toEqual({ subcommands: { c: { recursive: true }, d: { recursive: true } } });
  });

  test('puts subcommands of several words below their first word, beside what that has', () => {
    const { rows, problems } = rowsOf(
      '  x: {subcommands: {a: {subcommands: {b: {flags: [-n=]}}}, a b: {recursive: true}, a c d: {}}}',
    );
    expect(problems).toEqual([]);
    expect(rows['x']?.subcommands).toEqual({
      a: { subcommands: { b: { flags: ['-n='], recursive: true }, c: { subcommands: { d: {} } } } },
    });
  });

  test('keeps what follows with its tests', () => {
    const { rows } = rowsOf(
      '  x: {destroys: disk, grants: [access, privilege], stops: {machine: {flags: {any: -h}}}}',
    );
    expect(rows['x']).toEqual({
      destroys: { disk: true },
      stops: { machine: [{ flags: { any: '-h' } }] },
      grants: { access: true, privilege: true },
    });
  });

  test.each([
    ['  x: {flags: [-a, --b, -a=]}', '3:24 Cannot use flag "-a" twice in one list'],
    ['  x: {flags: [-a=wirte]}', '3:15 Cannot use role "wirte" of flag "-a=wirte": there is none'],
    ['  x: {flags: ["-a=b=c"]}', '3:15 Cannot read flag "-a=b=c"'],
    ['  x: {}\n  y | x: {}', '4:3 Cannot use the name "x" twice: it has a row already'],
    ['  x: {subcommands: {a: {}, b | a: {}}}', '3:28 Cannot use the name "a" twice: it has a row already'],
    ['  x: {runs: {subcommands: {a: {flags: [-a, -a]}}}}', '3:44 Cannot use flag "-a" twice in one list'],
  ])('refuses %p', (text, problem) => {
    expect(rowsOf(text).problems).toEqual([problem]);
  });
});
