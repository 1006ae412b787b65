import { isJsonObject, own, ownString } from '../../lib/json.ts';
import { IN_ENVELOPE } from '../dialect/envelope.ts';
import { hostOf } from '../dialect/host-of.ts';
import { eventsWithout, NOTIFIES } from '../dialect/support.ts';
import type { HostTool } from '../host.ts';
import { namesEvent } from '../recognise.ts';
import { inertTools, toolsOf, withReads } from '../tool-rows.ts';

/** Events of Kimi Code (https://moonshotai.github.io/kimi-code/en/customization/hooks) with their kinds here. */
const EVENTS = eventsWithout('PermissionRequest', 'SubagentStart', 'SubagentStop');

/** The tools of Kimi Code 2.1, which takes a path with backslashes for one with slashes. */
const TOOLS = withReads(
  {
    Bash: { classes: ['shell'] },
    ...toolsOf('read', 'Read ReadMediaFile'),
    Write: { classes: ['write'] },
    Edit: { classes: ['edit'], aliases: { old_text: 'old_string', new_text: 'new_string' } },
    Glob: { classes: ['search', 'list'], aliases: { query: 'pattern' } },
    Grep: { classes: ['search'], aliases: { query: 'pattern' }, globs: ['glob'] },
    FetchURL: { classes: ['fetch'] },
    WebSearch: { classes: ['web_search'] },
    ...toolsOf('agent', 'Agent AgentSwarm'),
    AskUserQuestion: { classes: ['message'] },
    CronCreate: { classes: ['schedule'] },
    ...inertTools(`
      CreateGoal CronDelete CronList EnterPlanMode ExitPlanMode GetGoal SetGoalBudget Skill TaskList
      TaskOutput TaskStop TodoList UpdateGoal WaitFor
    `),
    'mcp__*': { classes: ['mcp'] },
  } satisfies Readonly<Record<string, HostTool>>,
  { path: ['with slashes'] },
);

const ALONE = { beside: [], context: ['cwd', 'session', 'host'] } as const;

/** Kimi Code: facts as of 2.1.0, measured on it. */
export const kimi = hostOf({
  name: 'kimi',
  title: 'Kimi Code',
  facts: 'measured on 2.1.0',
  events: EVENTS,
  /** Kimi Code 2.1.0 carries these out. */
  everywhere: ALONE,
  supports: {
    session_start: NOTIFIES,
    before_prompt: {
      can: ['deny'],
      note: 'A prompt cannot be rewritten, only denied. The model reads of a prompt that passes {} beside it',
    },
    before_tool: {
      can: ['deny'],
      note: 'The tools of subagents too. Nobody can be asked and nothing rewritten: both are a deny',
    },
    after_tool: { note: 'Only notified: deny the call' },
    tool_failure: NOTIFIES,
    after_turn: { can: ['retry_feedback'], note: 'Without the last words' },
    before_compact: NOTIFIES,
    after_compact: NOTIFIES,
    notification: NOTIFIES,
    session_end: NOTIFIES,
  },
  tools: TOOLS,
  // A refused call is reported as one that has failed.
  results: {
    by: 'id',
    marks: [
      { of: 'shell', at: ['tool_input.run_in_background'], is: true, means: 'unknown' },
      { at: ['error.message'], is: /Command failed with exit code: \d+\.$/, means: 'failed' },
    ],
    unmarked: ['succeeded', 'unknown'],
  },
  /** These files decide which hooks run, and which calls Kimi Code allows on its own. */
  guards: {
    paths: ['~/.kimi-code/{config.toml,plugins/**}', '**/.kimi-code/{config.toml,local.toml,plugins/**}'],
    notes: ['~/.kimi-code/plugins/**/*.md', '**/.kimi-code/plugins/**/*.md'],
    instructions: ['**/.kimi-code/{agents,skills,plugins}/**/*.md'],
    servers: ['**/.kimi-code/mcp.json'],
    moved: { $KIMI_CODE_HOME: '~/.kimi-code' },
    escapes: { programs: ['kimi', 'kimi-code'], unasked: { flags: ['--auto', '-y'] } },
  },
  recognise: (message) => namesEvent(message, EVENTS) && Object.hasOwn(message, 'client_type'),
  read(message) {
    const parts = own(message, 'prompt');
    const texts = Array.isArray(parts)
      ? parts.map((part) => (isJsonObject(part) ? (ownString(part, 'text') ?? '') : ''))
      : undefined;
    return {
      ...message,
      tool_use_id: own(message, 'tool_call_id') ?? null,
      tool_response: own(message, 'tool_output') ?? null,
      ...(texts === undefined ? {} : { prompt: texts.join('\n') }),
    };
  },
  write: ({ tool_response, ...fields }) => ({
    client_type: 'kimi_code_cli',
    ...fields,
    ...(tool_response === undefined ? {} : { tool_output: tool_response }),
  }),
  answers: {
    deny: (on, reason) => (on.kind === 'after_tool' ? undefined : IN_ENVELOPE.deny(on, reason)),
    retry: IN_ENVELOPE.retry,
  },
  hook: { untyped: true },
  installation: async () => (await import('./installation.ts')).installationFor,
  sessions: async () => (await import('./sessions.ts')).sessions,
});
