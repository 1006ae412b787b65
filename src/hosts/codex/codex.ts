import { own } from '../../lib/json.ts';
import type { ContextKey } from '../../model/event.ts';
import { hookLine } from '../dialect/hook-line.ts';
import { hostOf } from '../dialect/host-of.ts';
import { besideInEnvelope, byWordsAndExitCode, type Occasion, specific } from '../dialect/words.ts';
import type { Guards } from '../guards.ts';
import type { Beside, HostTool, Support } from '../host.ts';
import { saysEvent, saysIn } from '../recognise.ts';

const TIMEOUT_S = 60;

/** The events of Codex CLI (https://developers.openai.com/codex/hooks) and what they are here. */
const EVENTS = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'before_prompt',
  PreToolUse: 'before_tool',
  PermissionRequest: 'approve_tool',
  PostToolUse: 'after_tool',
  Stop: 'after_turn',
  SubagentStart: 'session_start',
  SubagentStop: 'after_turn',
  PreCompact: 'before_compact',
  PostCompact: 'after_compact',
  SessionEnd: 'session_end',
} as const;

/** Every shell of Codex CLI is called Bash in hooks, whatever the model calls it. */
const TOOLS: Readonly<Record<string, HostTool>> = {
  Bash: { classes: ['shell'] },
  apply_patch: { classes: ['edit'], aliases: { patch: 'command' } },
  spawn_agent: { classes: ['agent'] },
  'mcp__*': { classes: ['mcp'] },
};

const CONTEXT: readonly ContextKey[] = ['cwd', 'session', 'host', 'permission_mode', 'agent', 'subagent'];
const SPOKEN: readonly Beside[] = ['message'];
const READ: readonly Beside[] = ['message', 'add_context'];

function support(parts: Partial<Support> & Pick<Support, 'actions'>): Support {
  return { rewrites: [], beside: SPOKEN, context: CONTEXT, model: 'sent', ...parts };
}

const TOLD = support({ actions: ['continue'], note: 'Told only' });

/** What Codex CLI 0.169 carries out. One key too many, and it throws an answer away and runs the call. */
const SUPPORTS = {
  session_start: support({ actions: ['continue'], beside: READ, note: 'Of subagents too' }),
  before_prompt: support({
    actions: ['continue', 'deny'],
    beside: READ,
    note: 'A prompt cannot be rewritten, only denied',
  }),
  before_tool: support({
    actions: ['continue', 'modify', 'deny'],
    rewrites: ['set', 'remove', 'program', 'flags', 'replace'],
    beside: READ,
    note: 'Of the shell and of apply_patch only, a call can be rewritten, else it is refused. A refusal shows the model the command again. What is typed into a shell that runs already (write_stdin) and web searches are not shown',
  }),
  approve_tool: support({
    actions: ['continue', 'approve', 'ask', 'deny'],
    refusesUnasked: true,
    note: 'When Codex CLI is about to ask a person; the call is judged again. policy install asks for it only where a policy is for approve_tool alone',
  }),
  after_tool: support({
    actions: ['continue', 'deny'],
    beside: READ,
    note: 'A denied result is replaced by the reason. It cannot be rewritten: the model gets the rewritten text as the reason',
  }),
  after_turn: support({
    actions: ['continue', 'retry_feedback', 'abort_turn', 'hard_abort'],
    note: 'Of subagents too',
  }),
  before_compact: TOLD,
  after_compact: TOLD,
  session_end: support({ actions: ['continue'], model: 'remembered', note: 'Told only' }),
} as const;

/** Which hooks run and which are trusted, and what Codex CLI allows by itself. */
const GUARDS = {
  paths: [
    '~/.codex/{hooks.json,config.toml,requirements.toml,rules/**,plugins/**}',
    '**/.codex/{hooks.json,config.toml,rules/**}',
    '/etc/codex/**',
  ],
  moved: { $CODEX_HOME: '~/.codex' },
} as const satisfies Guards;

function deny(on: Occasion, reason: string) {
  switch (on.kind) {
    case 'before_tool':
      return specific(on, { permissionDecision: 'deny', permissionDecisionReason: reason });
    case 'approve_tool':
      return specific(on, { decision: { behavior: 'deny', message: reason } });
    case 'after_tool':
    case 'before_prompt':
      return { decision: 'block', reason };
    default:
      return undefined;
  }
}

/** Codex CLI: facts as of 0.169.0, measured on it. */
export const codex = hostOf({
  name: 'codex',
  title: 'Codex CLI',
  facts: { hookGone: 'refused', from: 'measured on 0.169.0' },
  timeoutS: TIMEOUT_S,
  events: EVENTS,
  supports: SUPPORTS,
  tools: TOOLS,
  guards: GUARDS,
  write: (fields) => ({ turn_id: 'turn', ...fields }),
  recognise: (message) =>
    saysEvent(message, EVENTS) &&
    (Object.hasOwn(message, 'turn_id') || saysIn(message, 'transcript_path', '/.codex/')),
  words: {
    deny,
    stop: (on, reason) =>
      on.kind === 'after_turn' ? { continue: false, stopReason: reason } : deny(on, reason),
    // A person is about to be asked anyway.
    ask: (on) => (on.kind === 'approve_tool' ? {} : undefined),
    approve: (on) =>
      on.kind === 'approve_tool' ? specific(on, { decision: { behavior: 'allow' } }) : undefined,
    retry: (on, feedback) => (on.kind === 'after_turn' ? { decision: 'block', reason: feedback } : undefined),
    // Without the permission the host throws the rewrite away and runs the call as it was.
    rewrite: ({ native, subject: before }, { arguments: updatedInput = {} }) =>
      ['Bash', 'apply_patch'].includes(String(own(before, 'tool')))
        ? { hookSpecificOutput: { hookEventName: native, permissionDecision: 'allow', updatedInput } }
        : undefined,
    beside: besideInEnvelope,
  },
  manner: byWordsAndExitCode,
  hookConfiguration: (start) => ({ type: 'command', command: hookLine('codex', start), timeout: TIMEOUT_S }),
  installation: async () => (await import('./installation.ts')).installationFor,
  sessions: async () => (await import('./sessions.ts')).sessions,
});
