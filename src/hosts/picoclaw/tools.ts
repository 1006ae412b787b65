import { ownObject, ownString } from '../../lib/json.ts';
import type { Subject, ToolCall } from '../../model/event.ts';
import { classifyTool } from '../classify.ts';
import type { HostTool } from '../host.ts';
import { toolsOf } from '../tool-rows.ts';

/** PicoClaw's own tools, and how it names those of MCP servers. */
export const TOOLS: Readonly<Record<string, HostTool>> = {
  // Text typed into a running shell is a command as much as one that starts it.
  exec: {
    classes: ['shell'],
    shell: 'system',
    cases: {
      by: 'action',
      of: {
        write: { aliases: { command: 'data', content: 'data' } },
        'send-keys': { aliases: { command: 'keys', content: 'keys' } },
      },
    },
  },
  ...toolsOf('read', 'read_file load_image'),
  ...toolsOf('write', 'write_file append_file'),
  edit_file: { classes: ['edit'] },
  list_dir: { classes: ['list'] },
  web_fetch: { classes: ['fetch'] },
  web_search: { classes: ['web_search'] },
  'mcp_*': { classes: ['mcp'] },
  spawn: { classes: ['agent'], aliases: { prompt: 'task' } },
  subagent: { classes: ['agent'], aliases: { prompt: 'task' } },
  delegate: { classes: ['agent'], aliases: { prompt: 'task' } },
  spawn_status: { classes: ['agent'] },
  ...toolsOf('message', 'message reaction'),
  send_tts: { classes: ['message'], aliases: { content: 'text', path: 'filename' } },
  // Sends a file away, so policies that guard reading guard it too.
  send_file: { classes: ['message', 'read'] },
  // With a `command` it is a shell that runs later and that no hook sees then.
  cron: { classes: ['schedule'], aliases: { prompt: 'message' } },
  short_grep: { classes: ['memory'], aliases: { query: 'pattern' } },
  short_expand: { classes: ['memory'] },
  find_skills: { classes: ['other'] },
  install_skill: { classes: ['install'] },
  tool_search_tool_regex: { classes: ['other'], aliases: { query: 'pattern' } },
  tool_search_tool_bm25: { classes: ['other'], aliases: { query: 'pattern' } },
  ...toolsOf('other', 'i2c spi serial'),
};

/** The call of a subject of `before_tool` or `approve_tool`. */
export function toolOf(subject: Subject): ToolCall | undefined {
  const name = ownString(subject, 'tool');
  if (name === undefined) return undefined;
  const args = ownObject(subject, 'arguments');
  return { ...classifyTool(TOOLS, name, args), name, arguments: args };
}
