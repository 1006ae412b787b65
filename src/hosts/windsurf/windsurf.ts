import { ownObject } from '../../lib/json.ts';
import type { AnsweredEvent } from '../dialect/answers.ts';
import { hostOf } from '../dialect/host-of.ts';
import { namesEvent } from '../recognise.ts';
import { readMessage, writeMessage } from './messages.ts';

/** Events of Windsurf's Cascade (https://docs.windsurf.com/windsurf/cascade/hooks) with their kinds here. */
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

/** Windsurf: facts by its documents. */
export const windsurf = hostOf({
  name: 'windsurf',
  title: 'Windsurf',
  facts: 'its documents',
  // Its documents name no limit: this is the time that people wait before they give up.
  timeoutS: 30,
  events: EVENTS,
  /** Windsurf carries these out by its documents: an exit code is all that it hears. */
  everywhere: { beside: [], model: 'sent' },
  supports: {
    before_tool: {
      can: ['deny'],
      note: 'Nobody can be asked and nothing rewritten: both are a deny. There is no event for web pages',
    },
    before_prompt: { can: ['deny'], note: 'A prompt is only denied' },
    after_tool: { note: 'Only notified, without what a command or file held: deny the call' },
    after_turn: { note: 'Only notified' },
  },
  /** The tools that its events are about. */
  tools: {
    run_command: { classes: ['shell'], shell: 'system', aliases: { command: 'command_line' } },
    read_code: { classes: ['read'], aliases: FILE },
    write_code: {
      classes: ['edit', 'write'],
      aliases: FILE,
      lists: { edits: { old_text: 'old_string', new_text: 'new_string' } },
    },
    'mcp__*': { classes: ['mcp'] },
  },
  /** It does not say how a call has ended. */
  results: { by: 'arguments' },
  /** These files decide which hooks and servers run. */
  guards: {
    paths: [
      '~/.codeium/{hooks.json,windsurf/{hooks.json,mcp_config.json}}',
      '**/.windsurf/{hooks.json,hooks/**,plugins/**}',
      '/etc/windsurf/**',
      '/Library/Application Support/Windsurf/hooks.json',
      '**/ProgramData/Windsurf/hooks.json',
    ],
  },
  read: readMessage,
  write: writeMessage,
  recognise: (message) =>
    namesEvent(message, EVENTS, 'agent_action_name') && ownObject(message, 'tool_info') !== undefined,
  answers: {
    deny: ({ kind }: AnsweredEvent) => (kind === 'before_tool' || kind === 'before_prompt' ? {} : undefined),
  },
  hook: { untyped: true, beside: { show_output: false } },
  installation: {
    programs: ['windsurf'],
    release: { newest: '2' },
    folder: '~/.codeium/windsurf',
    places: {
      user: '~/.codeium/windsurf/hooks.json',
      project: '.windsurf/hooks.json',
      system: '/etc/windsurf/hooks.json',
    },
    layers: [
      '/etc/windsurf/hooks.json',
      '~/.codeium/windsurf/hooks.json',
      '~/.codeium/hooks.json',
      '.windsurf/hooks.json',
    ],
    bare: true,
    allTools: [],
    usualTimeoutS: 30,
    read: ({ exitCode }) => (exitCode === 2 ? 'refused' : 'passes'),
  },
});
