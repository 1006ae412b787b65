import { describe, expect, test } from 'bun:test';
import { summaryOf } from '../../src/language/keys/call/reading-summary.ts';
import { sameWords } from '../../src/language/keys/command/same-subcommand.ts';
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
    [['npm', 'install'], 'npm i left-pad'],
    [['npm', 'install'], 'npm -g add left-pad'],
    [['npm', 'add'], 'npm install left-pad'],
    [['bun', 'install'], 'bun a left-pad'],
    [['npm', 'install'], 'npm add'],
    [['pnpm', 'add'], 'pnpm i left-pad'],
    [['npm', 'install-test'], 'npm it left-pad'],
    [['npm', 't'], 'npm run test left-pad'],
    [['pnpm', 'run-script', 'test'], 'pnpm t left-pad'],
    [['helm', 'uninstall'], 'helm delete web'],
    [['docker', 'run'], 'docker container run -it alpine'],
    [['docker', 'container', 'run'], 'docker run -it alpine'],
    [['podman', 'rmi'], 'podman image rm alpine'],
  ])('have all names that their program has for them: %j, %s', (subcommand, text) => {
    expect(fits({ subcommand }, text)).toBe(true);
    expect(summaryOf(readCommand(text, {})).words).toContain(subcommand[1] ?? '');
    expect(sameWords([subcommand[0] ?? ''], text.split(' ').slice(1))).toContain(subcommand[1] ?? '');
  });

  test.each([
    [['npm', 'install'], 'npm ci'],
    [['npm', 'install'], 'npm run i'],
    [['yarn', 'install'], 'yarn add left-pad'],
    [['docker', 'rm'], 'docker image rm alpine'],
    [['docker', 'run'], 'docker compose run web'],
    [['cargo', 'run'], 'cargo rm serde'],
    [['npm', 'add'], 'npm install'],
    [['npm', 'add'], 'npm i --no-audit'],
    [['npm', 'add'], 'npm it'],
    [['pnpm', 'add'], 'pnpm install'],
    [['bun', 'add'], 'bun install --frozen-lockfile'],
    [['docker', 'container', 'inspect'], 'docker inspect web'],
    [['docker', 'inspect'], 'docker container inspect web'],
    [['podman', 'container', 'diff'], 'podman diff alpine'],
    [['docker', 'run'], 'docker container ls $X'],
    [['docker', 'run'], 'docker container'],
  ])('have no names of others: %j, %s', (subcommand, text) => {
    expect(fits({ subcommand }, text)).toBe(false);
  });

  test.each([
    [['cargo', 'test'], 'cargo t'],
    [['cargo', 'test'], 'cargo --config alias.t=\'"publish"\' +nightly t'],
    [['cargo', 'remove'], 'cargo rm serde'],
    [['npm', 'install'], 'npm it left-pad'],
    [['npm', 'add'], 'npm install-test left-pad'],
    [['npm', 'test'], 'npm it'],
    [['npm', 'ci'], 'npm cit'],
    [['pnpm', 'add'], 'pnpm install $X'],
    [['pnpm', 'add'], 'xargs pnpm install'],
    [['docker', 'run'], 'docker container $X --privileged x'],
    [['docker', 'run'], 'docker container "$X" --privileged x'],
    [['docker', 'run'], 'xargs docker container'],
    [['docker', 'container', 'run'], 'docker "$X" alpine'],
    [['npm', 'test'], 'npm run "$X"'],
  ])('may be what the words mean: %j, %s', (subcommand, text) => {
    expect(fits({ subcommand }, text)).toBe('unknown');
    expect(summaryOf(readCommand(text, {})).words).toContain(subcommand[1] ?? '');
  });

  test.each([
    [['docker', 'run'], 'docker container run -it alpine sh'],
    [['docker', 'container', 'run'], 'docker run -it alpine sh'],
    [['npm', 'test'], 'npm run test alpine'],
    [['npm', 'run', 'test'], 'npm t alpine'],
  ])('leave the same operands, whatever their name: %j, %s', (subcommand, text) => {
    expect(fits({ subcommand, args: { first: '^alpine$' } }, text)).toBe(true);
    expect(fits({ subcommand, args: { first: '^(sh|test|t|run)$' } }, text)).toBe(false);
  });

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
