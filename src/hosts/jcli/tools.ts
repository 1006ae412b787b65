import { type JsonObject, ownString } from '../../lib/json.ts';
import type { HostTool } from '../host.ts';
import { toolsOf } from '../tool-rows.ts';

/** The built-in tools of jcli, `Bash` and `CreateTeammate` by the names they had before 12.11. */
export const TOOLS: Readonly<Record<string, HostTool>> = {
  Shell: { classes: ['shell'] },
  Read: { classes: ['read'] },
  Write: { classes: ['write'] },
  Edit: { classes: ['edit'], aliases: { old_text: 'old_string', new_text: 'new_string' } },
  Glob: { classes: ['search', 'list'], aliases: { query: 'pattern' } },
  Grep: { classes: ['search'], aliases: { query: 'pattern' }, globs: ['glob'] },
  WebFetch: { classes: ['fetch'] },
  WebSearch: { classes: ['web_search'] },
  Agent: { classes: ['agent'] },
  SendMessage: { classes: ['message'] },
  RegisterHook: { classes: ['install', 'shell'] },
  Bash: { classes: ['shell'] },
  PowerShell: { classes: ['shell'], shell: 'powershell' },
  // With `stdin` it types into a shell that runs already.
  Session: {
    classes: ['shell'],
    cases: { by: 'action', of: { stdin: { aliases: { command: 'text', content: 'text' } } } },
  },
  Browser: { classes: ['fetch'] },
  ...toolsOf('agent', 'Teammate CreateTeammate AgentTeam'),
  Ask: { classes: ['message'] },
};

/** The arguments as the tool takes them: Session types a newline for a backslash with an n behind it. */
export function asTyped(tool: string, args: JsonObject): JsonObject {
  const text =
    tool === 'Session' && ownString(args, 'action') === 'stdin' ? ownString(args, 'text') : undefined;
  return text === undefined ? args : { ...args, text: text.replaceAll('\\n', '\n') };
}
