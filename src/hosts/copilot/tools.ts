import type { HostTool } from '../host.ts';

const EDIT: HostTool = {
  classes: ['edit'],
  aliases: { content: 'file_text', old_text: 'old_str', new_text: 'new_str' },
};
const WRITE: HostTool = { classes: ['write'], aliases: { content: 'file_text' } };
const SEARCH: HostTool = {
  classes: ['search'],
  aliases: { query: 'pattern' },
  globs: ['glob'],
  reads: { globs: ['list of globs'] },
};
const GLOB: HostTool = { classes: ['search', 'list'], aliases: { query: 'pattern' } };

/**
 * The tools of Copilot CLI 1.0. Hooks on events in Pascal case get those of Claude Code by its names,
 * others their own; VS Code reads the same files, so its hook is asked about them, too.
 */
export const COPILOT_TOOLS: Readonly<Record<string, HostTool>> = {
  Bash: { classes: ['shell'] },
  bash: { classes: ['shell'] },
  powershell: { classes: ['shell'] },
  Read: { classes: ['read'] },
  view: { classes: ['read'] },
  Write: WRITE,
  create: WRITE,
  Edit: EDIT,
  edit: EDIT,
  str_replace_editor: EDIT,
  apply_patch: EDIT,
  Grep: SEARCH,
  grep: SEARCH,
  rg: SEARCH,
  Glob: GLOB,
  glob: GLOB,
  WebFetch: { classes: ['fetch'] },
  web_fetch: { classes: ['fetch'] },
  WebSearch: { classes: ['web_search'] },
  web_search: { classes: ['web_search'] },
  Agent: { classes: ['agent'] },
  task: { classes: ['agent'] },
  AskUserQuestion: { classes: ['message'] },
  ask_user: { classes: ['message'] },
  'mcp__*': { classes: ['mcp'] },
};
