import { ownString } from '../../lib/json.ts';
import { hostOf } from '../dialect/host-of.ts';
import { NOTIFIES } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import { namesEvent } from '../recognise.ts';

/** Events of Devin CLI (https://docs.devin.ai/cli/extensibility/hooks/lifecycle-hooks) with their kinds here. */
const EVENTS = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'before_prompt',
  PreToolUse: 'before_tool',
  PermissionRequest: 'approve_tool',
  PostToolUse: 'after_tool',
  Stop: 'after_turn',
  PostCompaction: 'after_compact',
  SessionEnd: 'session_end',
} as const;

const ALONE = { beside: [], context: ['cwd', 'session', 'host'] } as const;

/** Fields that other hosts with these events send with each call. */
const OF_OTHERS = [
  ...['client_type', 'effort', 'extra', 'hookEventName', 'model', 'permission_mode', 'timestamp'],
  ...['tool_call_id', 'transcript_path', 'turn_id'],
];

/** Devin CLI: facts by its documents. */
export const devin = hostOf({
  name: 'devin',
  title: 'Devin CLI',
  facts: 'its documents',
  events: EVENTS,
  /** Devin CLI carries these out by its documents. */
  everywhere: ALONE,
  supports: {
    session_start: NOTIFIES,
    before_prompt: { can: ['deny'] },
    before_tool: { can: ['deny'], note: 'Nobody can be asked and nothing rewritten: both are a deny' },
    approve_tool: {
      can: ['approve', 'deny'],
      note: 'When Devin is about to ask a person. policy install asks for it only where a policy approves, or is for approve_tool alone',
    },
    after_tool: { note: 'Only notified: deny the call' },
    after_turn: { can: ['retry_feedback'], note: 'Without the last words' },
    after_compact: NOTIFIES,
    session_end: NOTIFIES,
  },
  /** The tools that Devin's documents name; they do not name all arguments. */
  tools: {
    exec: { classes: ['shell'] },
    read: { classes: ['read'], anyNames: true },
    write: { classes: ['write'], anyNames: true },
    edit: { classes: ['edit'], anyNames: true },
    grep: { classes: ['search'], anyNames: true, globs: ['glob', 'include'] },
    glob: { classes: ['search', 'list'], anyNames: true },
    run_subagent: { classes: ['agent'] },
    'mcp__*': { classes: ['mcp'] },
  },
  // Its result says whether it has succeeded.
  results: {
    by: 'arguments',
    marks: [
      { at: ['tool_response.success'], is: true, means: 'succeeded' },
      { at: ['tool_response.success'], is: false, means: 'failed' },
    ],
  },
  /** These files decide which hooks run, and which calls Devin allows on its own. */
  guards: {
    paths: [
      '~/.config/devin/{config.json,hooks/**,plugins/**}',
      '**/.devin/{config.json,config.local.json,hooks.v1.json,hooks/**,plugins/**}',
    ],
    notes: ['~/.config/devin/plugins/**/*.md', '**/.devin/plugins/**/*.md'],
    instructions: ['**/.devin/{skills,agents,plugins}/**/*.md'],
    servers: ['**/.devin/mcp_config.json'],
    escapes: {
      programs: ['devin'],
      subcommands: {
        ...verbsOf('plugins', 'install add uninstall remove update enable disable'),
        ...verbsOf('mcp', 'add remove enable disable'),
      },
      unasked: { values: { '--permission-mode': 'bypass|dangerous|autonomous' } },
    },
  },
  recognise: (message) =>
    namesEvent(message, EVENTS) &&
    ['exec', 'edit', 'run_subagent'].includes(ownString(message, 'tool_name') ?? '') &&
    !OF_OTHERS.some((field) => Object.hasOwn(message, field)),
  answers: {
    deny: ({ kind }, reason) => (kind === 'after_tool' ? undefined : { decision: 'block', reason }),
    approve: ({ kind }) => (kind === 'approve_tool' ? { decision: 'approve' } : undefined),
    retry: ({ kind }, reason) => (kind === 'after_turn' ? { decision: 'block', reason } : undefined),
  },
  installation: {
    programs: ['devin'],
    release: { newest: '3000.11' },
    folder: '~/.config/devin',
    places: { user: '~/.config/devin/config.json', project: '.devin/config.json' },
    layers: ['~/.config/devin/config.json', '.devin/config.json', '.devin/config.local.json'],
    dialect: { comments: true },
    allTools: ['.*'],
    usualTimeoutS: 60,
    shared: {
      files: ['.claude/settings.local.json', '.claude/settings.json', '~/.claude/settings.json'],
      fix: 'one of them is enough: it is answered in the form of Devin',
    },
  },
});
