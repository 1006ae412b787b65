import { describe, expect, test } from 'bun:test';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { homeWith, policy } from './program.ts';

const SETTINGS = '.config/Code/User/settings.json';
const CLAUDE_HOOKS_ON = '{\n  // mine\n  "chat.useClaudeHooks": true,\n}\n';

/** What installing for some hosts and then for others says at last, and what the doctor says of one. */
function installed(home: string, steps: readonly (readonly string[])[], about: string) {
  const said = steps
    .map((hosts) => policy(home, ['install', '--yes', ...hosts.flatMap((host) => ['--host', host])]).stdout)
    .at(-1);
  const doctor = policy(home, ['doctor', '--json', '--host', about]);
  const [{ findings }] = JSON.parse(doctor.stdout).hosts;
  const twice = findings.filter(({ code }: { code: string }) => code === 'asks-twice');
  return { said, twice, exitCode: doctor.exitCode };
}

describe('hooks in files that several hosts read', () => {
  test.each<[string, string, readonly string[], string]>([
    ['Cursor', 'cursor', ['claude', 'cursor'], '.claude/settings.json'],
    ['Cursor', 'cursor', ['cursor', 'claude'], '.claude/settings.json'],
    ['VS Code', 'vscode', ['copilot', 'vscode'], '.copilot/hooks/policy.json'],
    ['Copilot CLI', 'copilot', ['copilot', 'vscode'], '.copilot/hooks/policy-vscode.json'],
    ['VS Code', 'vscode', ['vscode', 'claude'], '.claude/settings.json'],
  ])('%s asks twice, install and doctor say: %s after %j', (title, about, hosts, path) => {
    const home = homeWith(temporaryFolder(), about === 'vscode' ? { [SETTINGS]: CLAUDE_HOOKS_ON } : {});
    const { said, twice, exitCode } = installed(
      home,
      hosts.map((host) => [host]),
      about,
    );
    const message = `${title} starts the hook of ${home}/${path} as well, and so asks about each call twice`;
    expect(said).toContain(message);
    expect(twice).toMatchObject([{ severity: 'note', message }]);
    expect(exitCode).toBe(0);
  });

  test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    [
      'cursor',
      ['cursor'],
      { '.claude/settings.json': '{"hooks": {"PreToolUse": [{"hooks": [{"command": "x"}]}]}}' },
    ],
    ['cursor', ['qwen', 'cursor'], {}],
    ['vscode', ['claude', 'vscode'], {}],
    ['vscode', ['claude', 'vscode'], { [SETTINGS]: '{"chat.useClaudeHooks": false}' }],
    ['vscode', ['claude', 'vscode'], { [SETTINGS]: 'spoilt' }],
    ['vscode', ['vscode'], { '.copilot/hooks/folder.json/x': '', [`${SETTINGS}/x`]: '' }],
    ['claude', ['cursor', 'vscode', 'copilot', 'claude'], {}],
  ])('%s does not: after %j with %j', (about, hosts, files) => {
    const home = homeWith(temporaryFolder(), files);
    expect(installed(home, [hosts], about).twice).toEqual([]);
  });
});

test('a fault of a line that a file of the project has for several events is said once, with its fix', () => {
  const line = { type: 'command', command: 'policy hook --host claude', timeout: 1 };
  const hooks = Object.fromEntries(
    ['PreToolUse', 'PostToolUse'].map((event) => [event, [{ hooks: [line] }]]),
  );
  const project = homeWith(temporaryFolder(), { '.claude/settings.json': JSON.stringify({ hooks }) });
  const { stdout } = policy(project, ['install', '--yes', '--host', 'claude'], {
    HOME: homeWith(temporaryFolder()),
  });
  expect(stdout.match(/which is not an absolute path\n.*/g)).toEqual([
    'which is not an absolute path\n  run policy install --project',
  ]);
});
