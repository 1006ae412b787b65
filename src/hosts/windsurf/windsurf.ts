import { ownObject } from '../../lib/json.ts';
import type { CallResults } from '../call-results.ts';
import type { Occasion } from '../dialect/answers.ts';
import { hookLine } from '../dialect/hook-line.ts';
import { hostOf } from '../dialect/host-of.ts';
import { support } from '../dialect/support.ts';
import type { Guards } from '../guards.ts';
import type { HostTool } from '../host.ts';
import { saysEvent } from '../recognise.ts';
import { readMessage, writeMessage } from './messages.ts';

/** Its documents name no limit: what people wait for before they give up. */
const TIMEOUT_S = 30;

/** Events of Windsurf's Cascade (https://docs.windsurf.com/windsurf/cascade/hooks) and what they are here. */
const EVENTS = {
  pre_run_command: 'before_tool',
  pre_write_code: 'before_tool',
  pre_read_code: 'before_tool',
  pre_mcp_tool_use: 'before_tool',
  pre_user_prompt: 'before_prompt',
  post_run_command: 'after_tool',
  post_write_code: 'after_tool',
  post_read_code: 'after_tool',
  post_mcp_tool_use: 'after_tool',
  post_cascade_response: 'after_turn',
} as const;

const FILE = { path: 'file_path' };

/** What its events are about. */
const TOOLS: Readonly<Record<string, HostTool>> = {
  run_command: { classes: ['shell'], shell: 'system', aliases: { command: 'command_line' } },
  read_code: { classes: ['read'], aliases: FILE },
  write_code: {
    classes: ['edit', 'write'],
    aliases: FILE,
    lists: { edits: { old_text: 'old_string', new_text: 'new_string' } },
  },
  'mcp__*': { classes: ['mcp'] },
};

const ALONE = { beside: [], model: 'sent' } as const;

/** What Windsurf carries out by its documents: an exit code is all that it hears. */
const SUPPORTS = {
  before_tool: support({
    ...ALONE,
    actions: ['continue', 'deny'],
    note: 'Nobody can be asked and nothing rewritten: both are a deny. There is no event for web pages',
  }),
  before_prompt: support({ ...ALONE, actions: ['continue', 'deny'], note: 'A prompt is only denied' }),
  after_tool: support({
    ...ALONE,
    actions: ['continue'],
    note: 'Only notified, without what a command or file held: deny the call',
  }),
  after_turn: support({ ...ALONE, actions: ['continue'], note: 'Only notified' }),
} as const;

/** Which hooks run, and which servers. */
const GUARDS = {
  paths: [
    '~/.codeium/{hooks.json,windsurf/{hooks.json,mcp_config.json}}',
    '**/.windsurf/{hooks.json,hooks/**,plugins/**}',
    '/etc/windsurf/**',
    '/Library/Application Support/Windsurf/hooks.json',
    '**/ProgramData/Windsurf/hooks.json',
  ],
} as const satisfies Guards;

/** It does not say how a call has ended. */
const RESULTS: CallResults = { by: 'arguments', unmarked: ['unknown', 'unknown'] };

/** Windsurf: facts by its documents. */
export const windsurf = hostOf({
  name: 'windsurf',
  title: 'Windsurf',
  facts: { hookGone: 'refused', from: 'its documents' },
  timeoutS: TIMEOUT_S,
  events: EVENTS,
  supports: SUPPORTS,
  tools: TOOLS,
  results: RESULTS,
  guards: GUARDS,
  read: readMessage,
  write: writeMessage,
  recognise: (message) =>
    saysEvent(message, EVENTS, 'agent_action_name') && ownObject(message, 'tool_info') !== undefined,
  answers: {
    deny: ({ kind }: Occasion) => (kind === 'before_tool' || kind === 'before_prompt' ? {} : undefined),
  },
  exitStyle: (_body, reason) => ({ stdout: '{}', stderr: `${reason}\n`, exitCode: 2 }),
  hookConfiguration: (start) => ({ command: hookLine('windsurf', start), show_output: false }),
  installation: async () => (await import('./installation.ts')).installationFor,
});
