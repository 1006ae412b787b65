import { expect, test } from 'bun:test';
import { DOCUMENTED_START } from '../../src/hosts/clean-start.ts';
import { lineOption } from '../../src/hosts/installation.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { readOwnLine } from '../../src/tools/cli/install/own-line.ts';

test('a process for one call starts without a compiler of machine code, and one for many calls with it', () => {
  for (const host of HOSTS) {
    const configuration = host.hookConfiguration({ ...DOCUMENTED_START, version: undefined });
    const startsWithout = JSON.stringify(configuration).includes(' BUN_JSC_useJIT=0 MIMALLOC_ALLOW_THP=1 ');
    expect([host.name, startsWithout]).toEqual([host.name, host.framing === 'document']);
  }
});

test('the settings are no variables that a person has added', () => {
  const claude = HOSTS.find(({ name }) => name === 'claude');
  if (claude === undefined) throw new Error('Claude Code is gone');
  const start = { ...DOCUMENTED_START, variables: { POLICY_PATH: '/p' }, version: undefined };
  const line = String(claude.hookConfiguration(start)['command']);
  const read = (text: string) => readOwnLine(['sh', '-c', text], claude);
  expect(read(line)).toMatchObject({ variables: { POLICY_PATH: '/p' }, isWritten: true, isClean: true });
  expect(read(line.replace(' MIMALLOC_ALLOW_THP=1', ''))).toEqual(read(line));
  expect(read(line.replace(' BUN_JSC_useJIT=0 MIMALLOC_ALLOW_THP=1', ''))).toEqual(read(line));
  expect(read(line.replace('useJIT=0', 'useJIT=1'))).toBeUndefined();
  expect(read(line.replace('ALLOW_THP=1', 'ALLOW_THP=3'))).toBeUndefined();
  expect(read(line.replace('BUN_JSC_useJIT=0', 'BUN_BE_BUN=1'))).toBeUndefined();
});

test('a line passes on keys and passwords, and nothing else that the host has', () => {
  for (const host of HOSTS.filter(({ framing }) => framing === 'document')) {
    const start = { ...DOCUMENTED_START, variables: { JUDGE_KEY: '$JUDGE_KEY' }, version: undefined };
    const line = String(host.hookConfiguration(start)['command']);
    expect([host.name, line]).toEqual([host.name, expect.stringContaining(' JUDGE_KEY="$JUDGE_KEY"')]);
    const read = (text: string) => readOwnLine(['sh', '-c', text], host);
    expect(read(line)).toMatchObject({
      passed: ['JUDGE_KEY'],
      variables: {},
      isWritten: true,
      isClean: true,
    });
    expect(read(line.replaceAll('JUDGE_KEY', 'LD_PRELOAD'))).toBeUndefined();
    const more = line.replace(' JUDGE_KEY', ' HTTPS_PROXY=http://proxy:3128 JUDGE_KEY');
    expect(read(more)?.variables).toMatchObject({ HTTPS_PROXY: 'http://proxy:3128' });
    expect(read(more.replace('HTTPS_PROXY', 'NODE_OPTIONS'))).toBeUndefined();
  }
});

test('the time that a line counts on is read from the line', () => {
  const start = { ...DOCUMENTED_START, version: undefined, options: ['--host-timeout', '90'] };
  for (const host of HOSTS) {
    const { command } = host.hookConfiguration(start);
    const line = Array.isArray(command) ? command.join(' ') : String(command);
    expect([host.name, lineOption(line, 'host-timeout')]).toEqual([host.name, '90']);
  }
});
