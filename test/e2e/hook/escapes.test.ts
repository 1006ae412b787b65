import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapingVariables } from '../../../src/hosts/guards.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { runCli } from '../../cli/test-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const AGENTS = HOSTS.filter(({ guards }) => guards.escapes !== undefined);
/** What starts a program, and leaves its words to it. */
const STARTS = [
  '%',
  'env %',
  'timeout 60 %',
  'sudo -u me %',
  "sh -c '%'",
  'npx -y %',
  'bunx %',
  'pnpm dlx %',
  '~/.local/bin/%',
  'node /usr/lib/node_modules/%',
  'bun ./node_modules/.bin/%',
  'deno run -A npm:@of/%',
];

/** Each word behind the plain start and two others, and each start with some words. */
function startsFor(at: number): readonly string[] {
  const others = STARTS.slice(1);
  return ['%', others[(2 * at) % others.length] ?? '', others[(2 * at + 1) % others.length] ?? ''];
}

/** Runs calls through `policy test`: what is expected of all of them. */
async function judge(calls: readonly string[], expected: string): Promise<string> {
  const folder = temporaryFolder();
  const listed = calls.map((command) => `      - {command: ${JSON.stringify(command)}}\n`).join('');
  writeFileSync(
    join(folder, 'escapes.test.yaml'),
    `policies: [builtin:self-protection]\ncases:\n  - name: escapes\n    calls:\n${listed}    expect: ${expected}\n`,
  );
  const { stdout, stderr } = await runCli(['test', folder], { cwd: folder, env: { HOME: folder } });
  return stdout + stderr;
}

describe('an agent is not started past its hooks, by any row of its adapter', () => {
  test.each(AGENTS)('$title', async ({ guards }) => {
    const { programs = [], flags = [], values = {}, subcommands = {} } = guards.escapes ?? {};
    const words = [
      ...flags.map((flag) => flag.replace(/=$/, ' x')),
      ...flags.filter((flag) => flag.endsWith('=')).map((flag) => `${flag}x`),
      ...Object.keys(values).map((flag) =>
        flag === '--config' ? `${flag} features.hooks=false` : `${flag} hooks`,
      ),
      ...Object.keys(subcommands).map((subcommand) =>
        subcommand === 'gateway call' ? `${subcommand} config.set` : `${subcommand} hooks`,
      ),
    ];
    const variables = escapingVariables(guards).map((name) => name.replace('*', 'X'));
    const [first = ''] = programs;
    const calls = [
      ...programs.flatMap((program) =>
        words.flatMap((each, at) => startsFor(at).map((start) => start.replace('%', `${program} ${each}`))),
      ),
      ...programs.flatMap((program) => variables.map((name) => `${name}=/tmp/x ${program} -p go`)),
      ...variables.map((name) => `export ${name}=/tmp/x; ${first} go`),
      ...variables.map((name) => `env ${name}=/tmp/x ${first} go`),
    ];
    const judged = await judge(calls, '{action: deny, policy: hook-commands}');
    expect(judged).toContain(' passed');
    expect(judged).not.toContain(' failed');
  });
});

test('what is another home, or a package, in other words', async () => {
  const calls = [
    'HOME=/tmp/x; claude -p go',
    'HOME=/tmp/x; HOME=$HOME claude -p go',
    'HOME=$OTHER claude -p go',
    'HOME=${HOME}/x claude -p go',
    'node "$(npm root -g)/@anthropic-ai/claude-code/cli.js" --bare',
    'node $HOME/.nvm/versions/node/v22/bin/claude --bare',
    'cd /usr/lib/node_modules/@openai/codex && node bin/codex.js features disable hooks',
    `claude --agents '{"r":{"hooks":{}}}' -p go`,
    'codex -c mcp_servers.x.command=sh exec go',
    'openclaw -m "switch it off" --yes',
    'openclaw --profile=x agent -m go',
    'openclaw --container a plugins disable policy-hook',
    'openclaw gateway call plugins.setEnabled --params \'{"pluginId":"policy-hook","enabled":false}\'',
    'openclaw gateway call --json config.patch',
    'openclaw gateway --token t call exec.approval.resolve',
  ];
  const judged = await judge(calls, '{action: deny, policy: hook-commands}');
  expect(judged).toContain(' passed');
  expect(judged).not.toContain(' failed');
});

test('plain starts, looks and other programs are free', async () => {
  const calls = AGENTS.flatMap(({ guards }) => {
    const { programs = [], flags = [] } = guards.escapes ?? {};
    const looks = [
      '',
      // For one of them, that is a profile.
      ...(flags.includes('-p=') ? [] : ['-p go']),
      '--help',
      '--version',
      'mcp list',
      'hooks list',
      'extensions list',
      "'explain --bare and --pure'",
    ];
    return [
      ...programs.flatMap((program) => looks.map((words) => `${program} ${words}`)),
      ...programs.map((program) => `FOO=1 ${program} go`),
      ...programs.map((program) => `grep -rn '${program} --bare' docs`),
      ...escapingVariables(guards)
        .filter((name) => !/[*]|^(BASH_ENV|SHELLOPTS)$/.test(name))
        .map((name) => `${name}=/tmp/x npm test`),
    ];
  });
  const more = [
    'codex features list',
    'openclaw status',
    'openclaw doctor',
    'openclaw --log-level debug plugins list',
    'openclaw plugins inspect policy-hook',
    'openclaw agent --message go',
    'openclaw gateway call plugins.list',
    'openclaw gateway call config.get --params {}',
    'openclaw approvals pending',
    'openclaw tui',
    'codex features enable hooks',
    'codex -c features.hooks=true exec go',
    'codex --disable web_search exec go',
    'codex --enable hooks',
    'codex -c model=o3 exec go',
    'HOME=$HOME claude -p go',
    'env HOME="$HOME" codex exec go',
    'CODEX_HOME=${CODEX_HOME} codex exec go',
    'node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js -p go',
    'node node_modules/.bin/vite --bare',
    'node scripts/claude-code/cli.js --bare',
    'copilot plugin list',
    'droid plugin list',
    'goose plugin list',
  ];
  const judged = await judge([...calls, ...more], 'continue');
  expect(judged).toContain(' passed');
  expect(judged).not.toContain(' failed');
});
