import { describe, expect, test } from 'bun:test';
import { COMMANDS } from '../../src/tools/cli/table.ts';
import { expectGolden } from '../support/golden.ts';
import { HOST_NAMES, runCli } from './test-io.ts';

const NAMES = COMMANDS.map(({ name }) => name);
/** Commands whose help has all that help can have: goldens show how it is laid out. */
const LAID_OUT = ['hook', 'lock', 'bundle'];

describe('help', () => {
  test('of the program lists what people need, and with --all every command', async () => {
    const { exitCode, stdout, stderr } = await runCli(['--help']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expectGolden(import.meta.dir, 'help/policy.txt', stdout);
    const all = await runCli(['--help', '--all']);
    expectGolden(import.meta.dir, 'help/all.txt', all.stdout);
    expect((await runCli(['help', '--all'])).stdout).toBe(all.stdout);
    const isListed = (name: string, summary: string, text: string) =>
      new RegExp(`^  ${name} +${summary}$`, 'm').test(text);
    for (const { name, group, summary } of COMMANDS) {
      expect([name, isListed(name, summary, stdout)]).toEqual([name, group !== 'programs']);
      expect([name, isListed(name, summary, all.stdout)]).toEqual([name, true]);
    }
    expect(COMMANDS.filter(({ group }) => group !== 'programs').length).toBeLessThanOrEqual(20);
  });

  test('what other programs call otherwise is answered, too', async () => {
    expect((await runCli(['version'])).stdout).toBe((await runCli(['--version'])).stdout);
    const { exitCode, stdout } = await runCli(['show', 'builtin:baseline']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('\nname: baseline\n')]);
    expect((await runCli(['show', 'baseline'])).stdout).toContain('builtin:baseline');
  });

  test.each(NAMES)('of %s has usage, options, what is to be known and a worked example', async (name) => {
    const { exitCode, stdout, stderr } = await runCli([name, '--help']);
    expect([exitCode, stderr]).toEqual([0, '']);
    if (LAID_OUT.includes(name)) expectGolden(import.meta.dir, `help/${name}.txt`, stdout);
    const row = COMMANDS.find((each) => each.name === name);
    const command = await row?.load();
    expect(stdout).toStartWith(`${row?.summary}\n\nUsage\n  policy ${name}`);
    for (const { name: option, summary } of command?.options ?? []) {
      expect(stdout.slice(0, stdout.indexOf('Options'))).toContain(`[--${option}`);
      expect(stdout).toMatch(
        new RegExp(`^ {2}(-.,|   ) --${option}\\b.* {2}${RegExp.escape(summary)}$`, 'm'),
      );
    }
    for (const paragraph of command?.details ?? []) expect(stdout).toContain(`\n\n${paragraph}\n\n`);
    const example = command?.example.map((line) => `  ${line}`.trimEnd()).join('\n');
    expect(stdout).toEndWith(`\n\nExample\n${example}\n`);
    expect(example).toMatch(/^ {2}\$ .*policy /m);
  });

  test.each([
    [['help']],
    [['-h']],
    [['help', 'check']],
    [['check', '-h']],
    [['check', '--help', 'x']],
    [['hook', '--help', '--all']],
  ])('is shown by %j', async (args) => {
    const { exitCode, stdout } = await runCli(args);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage');
  });

  test.each(NAMES)('of %s fits a terminal of 120 columns, but for examples', async (name) => {
    const { stdout } = await runCli([name, '--help']);
    const [text = ''] = stdout.split('\nExample\n');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });

  test('is what a call without a command gets, on stderr', async () => {
    const { exitCode, stdout, stderr } = await runCli([]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Watch agents');
  });
});

test('--version names version, commit and target', async () => {
  const { exitCode, stdout } = await runCli(['--version']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^policy \d+\.\d+\.\d+ \([0-9a-z]+, [a-z0-9-]+\)\n$/);
});

describe('a usage error', () => {
  test.each([
    [['chek'], 'policy: Cannot use command "chek": did you mean "check"?\nTry policy --help\n'],
    [['lint'], 'policy: Cannot use command "lint": did you mean "check"?\nTry policy --help\n'],
    [['playground'], 'policy: Cannot use command "playground": did you mean "docs"?\nTry policy --help\n'],
    [['--versio'], 'policy: Cannot use option "--versio": did you mean "--version"?\nTry policy --help\n'],
    [
      ['frobnicate'],
      'policy: Cannot use command "frobnicate": there is no such command\nTry policy --help\n',
    ],
    [['help', 'chek'], 'policy: Cannot use command "chek": did you mean "check"?\nTry policy --help\n'],
    [
      ['check', '--jsn'],
      'policy check: Cannot use option "--jsn": did you mean "--json"?\nTry policy check --help\n',
    ],
    [
      ['check', '--host', 'gemin'],
      'policy check: Cannot use agent "gemin": did you mean "gemini"?\nTry policy check --help\n',
    ],
    [
      ['doctor', '--host', 'gemini-cli'],
      'policy doctor: Cannot use agent "gemini-cli": did you mean "gemini"?\nTry policy doctor --help\n',
    ],
    [
      ['install', 'claude'],
      'policy install: Cannot use "claude": "policy install" takes options only, such as --host claude\nTry policy install --help\n',
    ],
    [
      ['check', '--format', 'xml'],
      'policy check: Cannot use --format "xml": give one of text, json, github, sarif\nTry policy check --help\n',
    ],
    [
      ['report', 'x'],
      'policy report: Cannot use "x": "policy report" takes options only\nTry policy report --help\n',
    ],
    [
      ['report', '--html', 'x.html', '--json'],
      'policy report: Cannot write a page and JSON: choose one\nTry policy report --help\n',
    ],
    [['lock', '--yes'], 'policy lock: Cannot use --yes without --update\nTry policy lock --help\n'],
    [
      ['allow', 'list', '--notify'],
      'policy allow: Cannot use --notify with "list": it is for the live list\nTry policy allow --help\n',
    ],
    [
      ['report', '--since', 'never'],
      'policy report: Cannot use --since "never": give a span such as 24h or 7d, or a date\nTry policy report --help\n',
    ],
    [
      ['docs', 'hosts', 'nobody'],
      `policy docs: Cannot use agent "nobody": it is not one of ${HOST_NAMES}\nTry policy docs --help\n`,
    ],
    [
      ['docs', 'hosts', '--host-version', '1'],
      'policy docs: Cannot use --host-version without an agent: name it as well\nTry policy docs --help\n',
    ],
    [
      ['docs', 'schema', 'cat'],
      /^policy docs: Cannot print the schema of "cat": .*\nTry policy docs --help\n$/,
    ],
  ])('%j ends with 2 and says what to do', async (args, expected) => {
    const { exitCode, stdout, stderr } = await runCli(args, { env: { HOME: '/nonexistent' } });
    expect([exitCode, stdout]).toEqual([2, '']);
    if (typeof expected === 'string') expect(stderr).toBe(expected);
    else expect(stderr).toMatch(expected);
  });
});

test('state that cannot be used ends with 4 and a message without a stack', async () => {
  const { exitCode, stderr } = await runCli(['report'], { env: {} });
  expect(exitCode).toBe(4);
  expect(stderr).toBe(
    'policy report: Cannot find the state folder: set HOME or XDG_STATE_HOME to an absolute path\n',
  );
});
