import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Wish } from '../history-scenes.ts';
import type { RealHost, Scene } from '../real-host.ts';
import { historyOf } from './history.ts';
import type { Answer } from './model-server.ts';
import { type Lists, namesIn, namesOf } from './names.ts';
import { type NpmHost, type Played, play } from './npm-host.ts';
import { scenesOf } from './scenes.ts';

const SKIPPING = ['--dangerously-skip-permissions'];
const ARGS = ['--output-format', 'json', '-p'];
const CLAUDE: NpmHost = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  version: '2.1.332',
  program: '@anthropic-ai/claude-code-linux-x64/claude',
  files: () => ({ '.claude/settings.json': '{}' }),
  args: [...SKIPPING, ...ARGS],
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

function wished(wish: Wish): Answer {
  if (typeof wish === 'string') return wish;
  if ('shell' in wish) return CLAUDE.shell(wish.shell);
  return 'read' in wish
    ? { call: 'Read', args: { file_path: wish.read } }
    : { call: 'Write', args: { file_path: wish.write, content: 'text' } };
}

const LISTS: Lists = {
  tools: (program) => namesIn(program, /\["Agent",[\w",]*"Write"\]/),
  events: (program) => namesIn(program, /\["PreToolUse",[\w",]*\]/),
  passedOver: [
    // Told of what other events have asked about, or of what nobody can keep from happening.
    'PostToolBatch',
    'PermissionDenied',
    'StopFailure',
    'TaskCreated',
    'TaskCompleted',
    'TeammateIdle',
    'ConfigChange',
    'CwdChanged',
    'DirectoryAdded',
    'FileChanged',
    'InstructionsLoaded',
    'MessageDisplay',
    'PostModelSwitch',
    'Setup',
    'WorktreeRemove',
    // What a person has asked for, or what a server asks a person.
    'Elicitation',
    'ElicitationResult',
    'PreModelSwitch',
    'UserPromptExpansion',
    // A hook here would have to make the worktree itself.
    'WorktreeCreate',
  ],
};

/** Claude Code as npm installs it. */
export const claude: RealHost = {
  name: 'claude',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  async *play(policy) {
    yield* scenesOf(CLAUDE, policy);
    yield* historyOf(CLAUDE, policy, wished);
    yield* permissions(policy);
    yield* skills(policy);
    yield* namesOf(CLAUDE, policy, LISTS);
  },
};

/** What becomes of a call that needs the permission of a person, who is not there. */
async function* permissions(policy: string): AsyncIterable<Scene> {
  const about = (on: string, action: string) =>
    `version: 1\nname: house\npolicies:\n  - {id: about, on: ${on}, tool: shell, command: touch, ${action}}\n`;
  const ran = ({ made, told }: Played) =>
    made('made')
      ? 'the tool RAN'
      : `the tool did not run, the model reads ${told('person has to') ? 'why' : 'of permissions'}`;
  const deny = 'action: deny, reason: A person has to do that';
  for (const [name, policies, expected] of [
    [
      'approve nothing',
      about('before_prompt', deny).replace('tool: shell, command: touch', 'content: falcon'),
      'of permissions',
    ],
    ['approve a call', about('before_tool', 'action: approve'), undefined],
    ['approve a request for permission', about('approve_tool', 'action: approve'), undefined],
    ['deny a request for permission', about('approve_tool', deny), 'why'],
  ] as const) {
    yield {
      name,
      expected: expected === undefined ? 'the tool RAN' : `the tool did not run, the model reads ${expected}`,
      seen: await play(CLAUDE, { policy, policies, answers: [CLAUDE.shell('touch made')], args: ARGS }, ran),
    };
  }
}

/** What becomes of the shell text in a skill: it runs before the model is asked, and no tool is called. */
async function* skills(policy: string): AsyncIterable<Scene> {
  const policies = `version: 1
name: house
policies:
  - {id: forbidden, description: d, tool: shell, arguments: {command: forbidden}, action: deny, reason: That is not for agents}
  - {id: asked, description: d, tool: shell, arguments: {command: asked}, action: ask, reason: Somebody has to agree}
  - {id: stopped, description: d, tool: shell, arguments: {command: stopped}, action: hard_abort, reason: Enough of this}
  - id: rewritten
    description: d
    tool: shell
    arguments: {command: draft}
    action: modify
    rewrite: {replace: [{at: command, regex: draft, with: final}]}
`;
  for (const [name, file, expected] of [
    ['let the shell text of a skill pass', 'made', 'it RAN'],
    ['deny it', 'forbidden', 'it did not run'],
    ['ask about it', 'asked', 'it did not run'],
    ['stop the run at it', 'stopped', 'it did not run'],
    ['rewrite it', 'draft', 'it did not run'],
  ] as const) {
    yield {
      name,
      expected,
      seen: await play(
        CLAUDE,
        {
          policy,
          policies,
          answers: ['done'],
          prompt: '/tidy',
          prepare(_home, project) {
            const folder = join(project, '.claude/skills/tidy');
            mkdirSync(folder, { recursive: true });
            writeFileSync(
              join(folder, 'SKILL.md'),
              `---\nname: tidy\ndescription: tidies\nallowed-tools: Bash(*)\n---\nSay what this says: !\`touch ${file}\`\n`,
            );
          },
        },
        ({ made }) => (made(file) || made('final') ? 'it RAN' : 'it did not run'),
      ),
    };
  }
}
