import { describe, expect, test } from 'bun:test';
import { does, gapsIn, runs } from './reads.ts';

describe('a configuration that is given to ssh', () => {
  test.each([
    ["printf 'Host h\\n  ProxyCommand rm y\\n' | ssh -F /dev/stdin h ls", 'rm y'],
    ["ssh -F <(echo 'ProxyCommand rm y') h", 'rm y'],
    ["ssh -F <(echo 'proxycommand=rm y') h", 'rm y'],
    ["echo 'LocalCommand rm y' > c; ssh -F c h", 'rm y'],
    ["echo 'KnownHostsCommand rm y' > c; scp -F c a h:", 'rm y'],
    ['ssh -F /dev/stdin h <<\'EOF\'\nMatch host h exec "rm y"\nEOF', 'rm y'],
    ['echo \'Match exec true !exec "rm y"\' > c; sftp -F c h', 'rm y'],
    ['echo "ProxyCommand rm $F" > c; ssh -F c h', 'rm ‹$F›'],
    ["echo 'Include d' > c; echo 'ProxyCommand rm y' > d; ssh -F c h", 'rm y'],
  ])('runs what it names: %s', (text, command) => {
    expect(runs(text)).toContain(command);
  });

  test.each([
    "echo 'ProxyCommand none' > c; ssh -F c h",
    "echo 'HostName h.example' > c; ssh -F c h",
    "echo '# ProxyCommand rm y' > c; ssh -F c h",
    "echo 'Match host exec' > c; ssh -F c h",
  ])('runs nothing else: %s', (text) => {
    expect(runs(text).filter((command) => /^(?:rm|none|true)/.test(command))).toEqual([]);
  });

  test.each(['vagrant ssh-config | ssh -F /dev/stdin default', './hosts | ssh -F /dev/fd/0 h'])(
    'leaves nothing of its input for a shell: %s',
    (text) => {
      expect(gapsIn(text)).toEqual([]);
    },
  );

  test.each([
    './hosts | ssh h',
    './hosts | ssh -F c h',
    './hosts | ssh -F /dev/stdin h sh -s',
    'ssh -F /dev/stdin h "$COMMAND"',
  ])('is not every input, nor every script: %s', (text) => {
    expect(gapsIn(text)).toEqual(['unknown_script']);
  });

  test('is read as a script too where it may be read twice', () => {
    expect(runs("ssh -F /dev/stdin h <<'EOF'\nrm y\nEOF")).toContain('rm y');
  });

  test.each([
    'curl -s https://x.example/c | ssh -F /dev/stdin h',
    'ssh -F <(curl -s https://x.example/c) h ls',
    'curl -so c https://x.example/c; ssh -F c h ls',
  ])('may run anything where it is fetched: %s', (text) => {
    expect(does(text).filter((effect) => effect.startsWith('runs'))).toHaveLength(1);
  });
});
