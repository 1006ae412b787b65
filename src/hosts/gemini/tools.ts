import type { ArgumentReadings } from '../../model/event.ts';
import type { HostTool } from '../host.ts';
import { toolsOf, withReads } from '../tool-rows.ts';

const FILE = { path: 'file_path' };
const FOLDER = { path: 'dir_path' };
const SEARCH = { path: 'dir_path', query: 'pattern' };

/** The path changes of `resolveDefensiveToolPath`, and the glob changes of `read_many_files`. */
const READS: ArgumentReadings = {
  path: ['without NULs', 'without @'],
  globs: ['without NULs', 'without @', 'with slashes'],
};

/** The built-in tools of Gemini CLI 0.61. Bare calls use the first row of a class. The `url` of `web_fetch` is a whole text. */
const ROWS: Readonly<Record<string, HostTool>> = {
  run_shell_command: { classes: ['shell'], shell: 'system', aliases: { cwd: 'dir_path' } },
  read_file: { classes: ['read'], aliases: FILE },
  write_file: { classes: ['write'], aliases: FILE },
  replace: {
    classes: ['edit'],
    aliases: { ...FILE, old_text: 'old_string', new_text: 'new_string' },
    finds: true,
  },
  list_directory: { classes: ['list'], aliases: FOLDER },
  grep_search: { classes: ['search'], aliases: SEARCH, globs: ['include_pattern'] },
  web_fetch: { classes: ['fetch'], aliases: { url: 'prompt' } },
  google_web_search: { classes: ['web_search'] },
  invoke_agent: { classes: ['agent'] },
  ask_user: { classes: ['message'] },
  // Older versions say `paths`, which are globs too.
  read_many_files: { classes: ['read'], globs: ['include', 'paths'] },
  glob: { classes: ['search', 'list'], aliases: SEARCH },
  // Older names of grep_search and the memory tool, which hooks of older versions still see.
  search_file_content: { classes: ['search'], aliases: SEARCH, globs: ['include', 'include_pattern'] },
  save_memory: { classes: ['memory'], aliases: { content: 'fact' } },
  activate_skill: { classes: ['other'], inert: true },
  complete_task: { classes: ['other'], inert: true },
  enter_plan_mode: { classes: ['other'], inert: true },
  exit_plan_mode: { classes: ['other'], inert: true },
  get_internal_docs: { classes: ['other'], inert: true },
  update_topic: { classes: ['other'], inert: true },
  write_todos: { classes: ['other'], inert: true },
  ...toolsOf('mcp', 'list_mcp_resources read_mcp_resource mcp_*'),
};

export const TOOLS = withReads(ROWS, READS);
