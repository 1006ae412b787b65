import type { HostTool } from '../host.ts';
import { typedIn } from '../implied/typed-text.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';

const EDIT: HostTool = {
  classes: ['edit'],
  aliases: { content: 'file_text', old_text: 'old_str', new_text: 'new_str' },
};
const WRITE: HostTool = { classes: ['write'], aliases: { content: 'file_text' } };
const SEARCH: HostTool = {
  classes: ['search'],
  aliases: { query: 'pattern', path: 'paths' },
  globs: ['glob'],
  reads: { globs: ['list of globs'] },
};
const GLOB: HostTool = { classes: ['search', 'list'], aliases: { query: 'pattern', path: 'paths' } };
/** Text for a shell that runs already. */
const TYPED: HostTool = { classes: ['shell'], aliases: { content: 'input' }, implied: typedIn('input') };

/** Copilot CLI gives hooks on events in Pascal case these names instead of its own. */
export const HOOK_NAMES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  view: 'Read',
  create: 'Write',
  edit: 'Edit',
  grep: 'Grep',
  rg: 'Grep',
  glob: 'Glob',
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  task: 'Agent',
  ask_user: 'AskUserQuestion',
};

/** The tools of Copilot CLI 1.0. Events in Pascal case use Claude Code's names; VS Code's hook reads the same files. */
export const COPILOT_TOOLS: Readonly<Record<string, HostTool>> = {
  ...toolsOf('shell', 'Bash bash'),
  powershell: { classes: ['shell'], shell: 'powershell' },
  write_bash: TYPED,
  write_powershell: { ...TYPED, shell: 'powershell' },
  ...toolsOf('read', 'Read view'),
  Write: WRITE,
  create: WRITE,
  Edit: EDIT,
  edit: EDIT,
  str_replace_editor: {
    ...EDIT,
    cases: { by: 'command', of: { view: { classes: ['read'], aliases: {} }, create: WRITE } },
  },
  apply_patch: EDIT,
  Grep: SEARCH,
  grep: SEARCH,
  rg: SEARCH,
  Glob: GLOB,
  glob: GLOB,
  ...toolsOf('fetch', 'WebFetch web_fetch'),
  ...toolsOf('web_search', 'WebSearch web_search'),
  ...toolsOf('agent', 'Agent task'),
  ...toolsOf('message', 'AskUserQuestion ask_user'),
  write_agent: { classes: ['agent'] },
  show_file: { classes: ['read'] },
  ...toolsOf('install', 'extensions_manage extensions_reload'),
  store_memory: { classes: ['memory'] },
  // On a database of its own.
  ...inertTools(`
    exit_plan_mode fetch_copilot_cli_documentation list_agents list_bash list_powershell read_agent
    read_bash read_powershell report_intent session_store_sql skill sql stop_bash stop_powershell
    task_complete update_todo
  `),
  'mcp__*': { classes: ['mcp'] },
};
