import type { HostTool } from '../host.ts';

/** The built-in tools of jcli, `Bash` and `CreateTeammate` by the names they had before 12.11. */
export const TOOLS: Readonly<Record<string, HostTool>> = {
  Shell: { classes: ['shell'] },
  Read: { classes: ['read'] },
  Write: { classes: ['write'] },
  Edit: { classes: ['edit'], aliases: { old_text: 'old_string', new_text: 'new_string' } },
  Glob: { classes: ['search', 'list'], aliases: { query: 'pattern' } },
  Grep: { classes: ['search'], aliases: { query: 'pattern' } },
  WebFetch: { classes: ['fetch'] },
  WebSearch: { classes: ['web_search'] },
  Agent: { classes: ['agent'] },
  SendMessage: { classes: ['message'] },
  RegisterHook: { classes: ['install', 'shell'] },
  Bash: { classes: ['shell'] },
  PowerShell: { classes: ['shell'] },
  Session: { classes: ['shell'] },
  Browser: { classes: ['fetch'] },
  Teammate: { classes: ['agent'] },
  CreateTeammate: { classes: ['agent'] },
  AgentTeam: { classes: ['agent'] },
  Ask: { classes: ['message'] },
};
