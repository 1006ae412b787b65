import { describe, expect, test } from 'bun:test';
import { summaryOf } from '../../src/language/keys/call/reading-summary.ts';
import { compileCommandTest } from '../../src/language/keys/command/spec.ts';
import { NO_SURROUNDINGS } from '../../src/model/surroundings.ts';
import { anyTruth } from '../../src/model/truth.ts';
import { readCommand } from '../../src/reader/commands/read-command.ts';

const fits = (spec: Parameters<typeof compileCommandTest>[0], text: string) => {
  const reading = readCommand(text, { home: '/home/me', cwd: '/work' });
  const compiled = compileCommandTest(spec);
  return anyTruth(reading.commands, (command) => compiled(command, reading, NO_SURROUNDINGS));
};

describe('subcommands', () => {
  test.each([
    ['npm', 'npm t'],
    ['npm', 'npm tst -- --watch'],
    ['npm', 'npm run test'],
    ['npm', 'npm run-script -w api test'],
    ['pnpm', 'pnpm -C api t'],
    ['pnpm', 'pnpm run -C api test'],
    ['yarn', 'yarn run test'],
  ])('of %s test are all that run it: %s', (name, text) => {
    expect(fits({ subcommand: [name, 'test'] }, text)).toBe(true);
    expect(fits({ subcommand: [name, 'run', 'test'] }, text)).toBe(true);
    expect(summaryOf(readCommand(text, {})).words).toContain('test');
  });

  test.each(['npm run tst', 'npm run test:e2e', 'npm install t', 'yarn t', 'bun run test'])(
    'are no others: %s',
    (text) => {
      expect(fits({ subcommand: [['npm', 'yarn', 'bun'], 'test'] }, text)).toBe(false);
    },
  );

  test.each([
    ['npm', 'npm run -w a deploy'],
    ['npm', 'npm run --prefix a deploy'],
    ['pnpm', 'pnpm run -C a deploy'],
    ['pnpm', 'pnpm run --filter a deploy'],
    ['yarn', 'yarn run --cwd a deploy'],
    ['bun', 'bun run --filter a deploy'],
  ])('stand behind values: %s, %s', (name, text) => {
    expect(fits({ subcommand: [name, 'run', 'deploy'] }, text)).toBe(true);
    expect(fits({ subcommand: [name, 'run', 'a'] }, text)).toBe(false);
  });

  test.each(['cargo +nightly publish', 'cargo +1.80.0 --color never publish'])(
    'stand behind a toolchain: %s',
    (text) => {
      expect(fits({ subcommand: ['cargo', 'publish'] }, text)).toBe(true);
    },
  );
});

describe('flags', () => {
  test.each([
    ['git -C api commit -m a', '-C', false],
    ['git -C api commit -C HEAD', '-C', true],
    ['git commit -C HEAD', '--reuse-message', true],
    ['git -c a.b=c commit -m a', '-c', false],
    ['git -C api commit --no-verify -m a', '--no-verify', true],
  ])('count at their place: %s has %s: %p', (text, flag, expected) => {
    expect(fits({ subcommand: ['git', 'commit'], flags: { any: [flag] } }, text)).toBe(expected);
  });

  test.each([
    [{ run: 'git', flags: { any: ['-C'] } }, 'git -C api commit -m a'],
    [{ subcommand: ['git', 'push'], flags: { any: ['-C'] } }, 'git -C api push'],
    [{ subcommand: ['gh', 'pr', 'merge'], flags: { any: ['-R'] } }, 'gh -R ada/app pr merge 1'],
  ])('of the program count where the subcommand has no other: %j, %s', (spec, text) => {
    expect(fits(spec, text)).toBe(true);
  });
});
