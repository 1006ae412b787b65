import { type JsonObject, own, ownString } from '../../lib/json.ts';
import type { EventKind } from '../../model/event.ts';
import { type AnsweredEvent, refuseByBody } from '../dialect/answers.ts';
import { eventOutput } from '../dialect/envelope.ts';
import { hostOf } from '../dialect/host-of.ts';
import { CALL_REWRITES, eventsWithout, NOTIFIES, RESULT_REWRITES } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import { fieldContains, namesEvent } from '../recognise.ts';
import { withReads } from '../tool-rows.ts';
import { VSCODE_READS, VSCODE_TOOLS } from '../vscode/tools.ts';
import { isBarePatch, readMessage } from './messages.ts';
import { COPILOT_TOOLS } from './tools.ts';

/** Events of Copilot CLI (https://docs.github.com/en/copilot/reference/hooks-reference) with their kinds here. */
const EVENTS = eventsWithout('PostCompact');

function deny(on: AnsweredEvent, reason: string): JsonObject | undefined {
  switch (on.kind) {
    case 'before_tool':
      return permission(on, 'deny', reason);
    case 'approve_tool':
      return { behavior: 'deny', message: reason };
    case 'after_tool':
    case 'before_prompt':
      return { decision: 'block', reason };
    default:
      return undefined;
  }
}

/** For both ways in which Copilot writes: the one without an envelope alone, and VS Code, which reads the same files. */
function permission(
  on: AnsweredEvent,
  permissionDecision: string,
  permissionDecisionReason: string,
): JsonObject {
  const words = { permissionDecision, permissionDecisionReason };
  return { ...words, ...eventOutput(on, words) };
}

const PRINTED = ['tool_result.text_result_for_llm', 'toolResult.textResultForLlm'] as const;

/** Copilot CLI: facts as of 1.0.102, measured on it. */
export const copilot = hostOf({
  name: 'copilot',
  title: 'Copilot CLI',
  facts: 'measured on 1.0.102',
  events: EVENTS,
  /** Copilot CLI 1.0.102 carries these out. */
  everywhere: { beside: [] },
  supports: {
    session_start: { beside: ['add_context'], note: 'Of subagents too' },
    before_prompt: {
      can: ['deny'],
      beside: ['add_context'],
      note: 'A prompt cannot be rewritten, only denied',
    },
    before_tool: {
      can: ['approve', 'modify', 'ask', 'deny'],
      rewrites: CALL_REWRITES,
      beside: ['add_context'],
      refusesUnasked: true,
      note: 'A rewritten call still needs the permissions that it needs; a patch cannot be rewritten, only denied',
    },
    approve_tool: {
      can: ['approve', 'ask', 'deny', 'abort_turn', 'hard_abort'],
      refusesUnasked: true,
      note: 'Before the rules on permissions, of each call that does not only read; the call is judged again. policy install asks for it only where a policy is for approve_tool alone',
    },
    after_tool: { can: ['modify', 'deny'], rewrites: RESULT_REWRITES, beside: ['add_context'] },
    tool_failure: NOTIFIES,
    after_turn: {
      can: ['retry_feedback'],
      note: 'Without the last words, but of subagents too. After eight times it ends all the same',
    },
    before_compact: NOTIFIES,
    notification: NOTIFIES,
    session_end: NOTIFIES,
  },
  // VS Code reads the same files, and asks the hook about its own tools.
  tools: withReads({ ...COPILOT_TOOLS, ...VSCODE_TOOLS }, VSCODE_READS),
  /** The last line of a command's output is Copilot's own, with its exit code; there are no ids: measured on 1.0.102. */
  results: {
    by: 'arguments',
    marks: [
      { of: 'shell', at: PRINTED, is: /<shellId: \S+ completed with exit code 0>\s*$/, means: 'succeeded' },
      { of: 'shell', at: PRINTED, is: /<shellId: \S+ completed with exit code \d+>\s*$/, means: 'failed' },
      { of: 'shell', at: PRINTED, means: 'unknown' },
      { at: ['tool_result.result_type', 'toolResult.resultType'], is: 'success', means: 'succeeded' },
    ],
    unmarked: ['unknown', 'failed'],
  },
  /** These files decide which hooks run, and which calls Copilot CLI allows on its own. */
  guards: {
    paths: [
      '~/.copilot/{hooks/**,settings.json,config.json,{mcp,lsp}-config.json}',
      '~/.copilot/{plugins,installed-plugins,extensions}/**',
      '**/.github/{hooks/**,extensions/**,copilot/settings*.json}',
      '/etc/github-copilot/**',
    ],
    notes: ['~/.copilot/{plugins,installed-plugins}/**/*.md'],
    instructions: [
      '~/.copilot/{agents,skills,plugins,installed-plugins}/**/*.md',
      '**/.github/{agents,skills,prompts,chatmodes}/**/*.md',
    ],
    servers: ['**/.github/{mcp,lsp}.json'],
    moved: { $COPILOT_HOME: '~/.copilot' },
    escapes: {
      programs: ['copilot'],
      flags: ['--config-dir=', '--additional-mcp-config=', '--plugin-dir='],
      subcommands: {
        ...verbsOf('plugin', 'install i add uninstall remove update enable disable'),
        ...verbsOf('mcp', 'add add-json add-from-claude-desktop import remove enable disable'),
      },
      elsewhere: ['XDG_CONFIG_HOME'],
    },
  },
  read: readMessage,
  write: ({ tool_response, ...fields }) => ({
    timestamp: '2026-01-01T00:00:00.000Z',
    ...fields,
    ...(tool_response === undefined
      ? {}
      : { tool_result: { result_type: 'success', text_result_for_llm: tool_response } }),
  }),
  recognise: (message) =>
    namesEvent(message, EVENTS)
      ? Object.hasOwn(message, 'timestamp') &&
        ['permission_mode', 'tool_use_id', 'hookEventName'].every((key) => !Object.hasOwn(message, key)) &&
        (!Object.hasOwn(message, 'transcript_path') ||
          fieldContains(message, 'transcript_path', '/.copilot/'))
      : ownString(message, 'sessionId') !== undefined && typeof own(message, 'timestamp') === 'number',
  answers: {
    deny,
    stop: (on, reason) =>
      on.kind === 'approve_tool' ? { ...deny(on, reason), interrupt: true } : deny(on, reason),
    ask: (on, reason) => (on.kind === 'before_tool' ? permission(on, 'ask', reason) : {}),
    approve: (on, reason) =>
      on.kind === 'before_tool' ? permission(on, 'allow', reason) : { behavior: 'allow' },
    retry: (on, feedback) => (on.kind === 'after_turn' ? { decision: 'block', reason: feedback } : undefined),
    beside: (_on, { contexts }) => (contexts.length === 0 ? {} : { additionalContext: contexts.join('\n') }),
    rewrite: (on, subject) => {
      if (on.kind === 'after_tool') {
        const text = ownString(subject, 'result');
        return text === undefined
          ? undefined
          : { modifiedResult: { resultType: 'success', textResultForLlm: text } };
      }
      const updatedInput = own(subject, 'arguments') ?? {};
      return isBarePatch(on.subject)
        ? undefined
        : { modifiedArgs: updatedInput, ...eventOutput(on, { updatedInput }) };
    },
  },
  exitStyle: (body, reason, kind: EventKind | undefined) =>
    // Beside exit code 2 it shows no reason. A message of an unknown kind is refused in the words of every event.
    refuseByBody(
      kind === undefined ? { ...body, decision: 'block', reason, behavior: 'deny', message: reason } : body,
    ),
  installation: async () => (await import('./installation.ts')).installation,
  sessions: async () => (await import('./sessions.ts')).sessions,
});
