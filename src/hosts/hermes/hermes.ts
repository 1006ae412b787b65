import { own, ownObject } from '../../lib/json.ts';
import { scriptWord } from '../clean-start.ts';
import { hookLine } from '../dialect/hook-line.ts';
import { hostOf } from '../dialect/host-of.ts';
import { NOTIFIES } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import { codeIn } from '../implied/code-text.ts';
import { typedIn } from '../implied/typed-text.ts';
import { namesEvent } from '../recognise.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';

/** Events of Hermes Agent (agent/shell_hooks.py in NousResearch/hermes-agent) with their kinds here. */
const EVENTS = {
  on_session_start: 'session_start',
  pre_tool_call: 'before_tool',
  post_tool_call: 'after_tool',
  on_session_end: 'session_end',
} as const;

const ALONE = { beside: [], context: ['cwd', 'session', 'host'] } as const;

/** Hermes Agent: facts as of 0.19.0, measured on it, and by its source since. */
export const hermes = hostOf({
  name: 'hermes',
  title: 'Hermes Agent',
  facts: 'measured on 0.19.0',
  events: EVENTS,
  /** The actions that Hermes Agent carries out, in 0.19 and since. */
  everywhere: ALONE,
  supports: {
    session_start: NOTIFIES,
    before_tool: {
      can: ['deny'],
      note: 'The tools of subagents, and those that code calls, too. Nobody can be asked: that is a deny. A rewrite is one as well, for versions before 0.22 run the call as it was',
    },
    after_tool: { note: 'Only notified: deny the call' },
    session_end: NOTIFIES,
  },
  /** The tools of Hermes Agent 0.19. */
  tools: {
    terminal: { classes: ['shell'], aliases: { cwd: 'workdir' } },
    // Typed into a process that runs already.
    process: { classes: ['shell'], implied: typedIn('data') },
    execute_code: { classes: ['shell'], implied: codeIn('python3 -c', 'code') },
    read_file: { classes: ['read'] },
    write_file: { classes: ['write'] },
    patch: { classes: ['edit'], aliases: { old_text: 'old_string', new_text: 'new_string' } },
    search_files: { classes: ['search'], aliases: { query: 'pattern' }, globs: ['file_glob'] },
    web_search: { classes: ['web_search'] },
    ...toolsOf('fetch', 'web_extract browser_navigate'),
    delegate_task: { classes: ['agent'] },
    cronjob: { classes: ['schedule'] },
    ...toolsOf('message', 'send_message clarify'),
    ...toolsOf('memory', 'memory session_search'),
    // They write files that the agent loads, and act on the screen or in the house.
    ...toolsOf('other', 'skill_manage computer_use browser_* ha_* image_* video_* vision_*'),
    ...inertTools('skill_view skills_list todo'),
    'mcp_*': { classes: ['mcp'] },
  },
  results: {
    by: 'id',
    marks: [
      { at: ['extra.status'], is: 'blocked', means: 'not_run' },
      { of: 'shell', at: ['extra.result.exit_code'], is: 0, means: 'succeeded' },
      { of: 'shell', at: ['extra.result.exit_code'], means: 'failed' },
      { of: 'shell', at: ['extra.result'], means: 'unknown' },
      { at: ['extra.status'], is: 'ok', means: 'succeeded' },
      { at: ['extra.status'], is: 'error', means: 'failed' },
    ],
  },
  /** These files decide which hooks run, and which calls Hermes Agent allows on its own. */
  guards: {
    paths: [
      '~/.hermes/{config.yaml,shell-hooks-allowlist.json,.env,{plugins,hooks}/**}',
      '~/.hermes/profiles/*/{config.yaml,shell-hooks-allowlist.json,.env,{plugins,hooks}/**}',
      '**/.hermes/plugins/**',
    ],
    notes: ['~/.hermes/plugins/**/*.md', '**/.hermes/plugins/**/*.md'],
    instructions: ['**/.hermes/{skills,plugins}/**/*.md'],
    moved: { $HERMES_HOME: '~/.hermes' },
    escapes: {
      programs: ['hermes', 'hermes-agent'],
      flags: ['--safe-mode', '--ignore-user-config', '--profile='],
      subcommands: {
        ...verbsOf('plugins', 'install update remove uninstall enable disable'),
        ...verbsOf('mcp', 'add remove enable disable'),
        ...verbsOf('hooks', 'revoke'),
        ...verbsOf('config', 'set edit'),
      },
      off: ['HERMES_SAFE_MODE'],
    },
  },
  recognise: (message) => namesEvent(message, EVENTS) && ownObject(message, 'extra') !== undefined,
  read(message) {
    const extra = ownObject(message, 'extra') ?? {};
    return {
      ...message,
      model: own(extra, 'model') ?? null,
      turn_id: own(extra, 'turn_id') ?? null,
      tool_use_id: own(extra, 'tool_call_id') ?? null,
      tool_response: own(extra, 'result') ?? null,
    };
  },
  write: ({ tool_response, ...fields }) => ({
    ...fields,
    extra: tool_response === undefined ? {} : { result: tool_response },
  }),
  // Before 0.22 the words count, and no exit code does.
  answers: {
    deny: ({ kind }, reason) => (kind === 'before_tool' ? { decision: 'block', reason } : undefined),
  },
  // It takes the line apart like a shell and starts none, so nothing in it is replaced.
  hook: (start) => ({
    command: hookLine('hermes', start, { failed: FAILED }).replace('"$HOME"', () => scriptWord(start.home)),
    timeout: 60,
    fail_closed: true,
  }),
  installation: async () => (await import('./installation.ts')).installation,
  sessions: async () => (await import('./sessions.ts')).sessions,
});

/** A hook that has failed gives this answer. */
const FAILED = String.raw`{\"decision\":\"block\",\"reason\":\"the policy hook has failed\"}`;
