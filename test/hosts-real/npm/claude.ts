import type { RealHost } from '../real-host.ts';
import type { NpmHost } from './npm-host.ts';
import { scenesOf } from './scenes.ts';

const CLAUDE: NpmHost = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  version: '2.1.328',
  program: '@anthropic-ai/claude-code-linux-x64/claude',
  files: () => ({ '.claude/settings.json': '{}' }),
  args: ['--dangerously-skip-permissions', '--output-format', 'json', '-p'],
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-ant-none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Root may skip permissions only where it is told that it is in a sandbox.
    IS_SANDBOX: '1',
  }),
  shell: (command) => ({ call: 'Bash', args: { command, description: 'a command' } }),
};

/** Claude Code as npm installs it. */
export const claude: RealHost = {
  name: 'claude',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  play: (policy) => scenesOf(CLAUDE, policy),
};
