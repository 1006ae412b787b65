import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { inPowerShell } from '../../../src/language/actions/in-powershell.ts';
import { parsePowerShell } from '../../../src/reader/powershell/parse.ts';
import { BINARY } from '../../support/binary.ts';

const BASELINE = readFileSync(new URL('../../../policies/baseline/policy.yaml', import.meta.url), 'utf8');
/** The ways out of the shipped policies, and the commands that they name. */
const WAYS = [...BASELINE.matchAll(/^ {4}instead: (.+(?:\n {6}.+)*)$/gm)].map(([, text = '']) =>
  (text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text).replace(/\n +/g, ' '),
);
const COMMANDS = WAYS.flatMap((way) =>
  [...inPowerShell(way).matchAll(/`([^`]+)`/g)].map(([, each = '']) => each),
);

function told(tool: string, commands: readonly string[]): readonly string[] {
  return commands.map((command) => {
    const message = {
      session_id: 's',
      cwd: '/work',
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: { command },
    };
    const { stderr } = Bun.spawnSync(
      [BINARY, 'hook', '--no-log', '--host', 'claude', '--policies', 'builtin:baseline'],
      { stdin: Buffer.from(JSON.stringify(message)), env: { HOME: '/home/ada' } },
    );
    return stderr.toString();
  });
}

describe('a way out in PowerShell', () => {
  test.each([
    ['as in `rm -rf ./build`', 'as in `Remove-Item ./build -Recurse -Force`'],
    ['`cp a b` or `git stash apply`', '`Copy-Item a b` or `git stash apply`'],
    ['`git diff > /tmp/a && git reset`', '`git diff > $env:TEMP/a; if ($?) { git reset }`'],
    ['`docker run -v "$PWD:/work" a`', '`docker run -v "${PWD}:/work" a`'],
    ['`curl -H "A: $TOKEN_X" https://a.example`', '`curl.exe -H "A: $env:TOKEN_X" https://a.example`'],
    ["`A_B='c d' rm -rf ./build`, rm -rf ./build", "`$env:A_B = 'c d'; rm -rf ./build`, rm -rf ./build"],
  ])('of %p is %p', (bash, powershell) => {
    expect(inPowerShell(bash)).toBe(powershell);
  });

  test('of every shipped policy is a script that PowerShell takes', () => {
    expect(COMMANDS.length).toBeGreaterThan(30);
    for (const command of COMMANDS) {
      const { error, block } = parsePowerShell(command);
      expect([command, error?.message, block.body.length > 0]).toEqual([command, undefined, true]);
      expect(command).not.toMatch(/&&|\brm -rf|;\s*do\b|<<|(?<!\{)\bexport /);
    }
  });

  test('of every shipped policy is not refused itself', () => {
    const refusals = told('PowerShell', COMMANDS);
    expect(COMMANDS.filter((_command, index) => refusals[index] !== '')).toEqual([]);
  }, 60_000);

  test('is told in answer to PowerShell, and that of bash to bash', () => {
    const [text] = told('PowerShell', ['Remove-Item -Recurse *']);
    expect(text).toContain('`Remove-Item ./build -Recurse -Force`');
    expect(told('Bash', ['rm -rf *'])[0]).toContain('`rm -rf ./build`');
  });
});
