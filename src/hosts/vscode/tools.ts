import { quotedWord } from '../../lib/command-argument.ts';
import { type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { ArgumentReadings } from '../../model/event.ts';
import type { HostTool } from '../host.ts';
import { type ImpliedCall, shellCall } from '../implied/implied-call.ts';
import { notebookCell } from '../implied/notebook-commands.ts';
import { typedIn } from '../implied/typed-text.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';

/** `URI.parse`, for a text that does not start with a slash. */
export const VSCODE_READS: ArgumentReadings = { path: ['path of a URI'], globs: ['path of a URI'] };

const FILE = { path: 'filePath' };
const TEXTS = { old_text: 'oldString', new_text: 'newString' };

/** The tools of the agent in VS Code, which Copilot CLI's hooks are asked about, too. */
export const VSCODE_TOOLS: Readonly<Record<string, HostTool>> = {
  run_in_terminal: { classes: ['shell'], shell: 'system' },
  runTerminalCommand: { classes: ['shell'], shell: 'system' },
  // A task of tasks.json, by its name alone; a new one says its command.
  run_task: { classes: ['shell'], shell: 'system' },
  create_and_run_task: { classes: ['shell'], shell: 'system', implied: newTask },
  // `workbench.action.terminal.sendSequence` types into a terminal.
  run_vscode_command: { classes: ['other'], implied: typedIn('args') },
  send_to_terminal: { classes: ['shell'], shell: 'system', implied: typedIn('command', 'text', 'input') },
  run_notebook_cell: { classes: ['shell', 'read'], aliases: FILE },
  read_file: { classes: ['read'], aliases: FILE },
  create_file: { classes: ['write'], aliases: FILE },
  createFile: { classes: ['write'] },
  replace_string_in_file: { classes: ['edit'], aliases: { ...FILE, ...TEXTS } },
  multi_replace_string_in_file: {
    classes: ['edit'],
    lists: { replacements: { ...FILE, ...TEXTS } },
  },
  insert_edit_into_file: { classes: ['edit'], aliases: { ...FILE, new_text: 'code' } },
  edit_notebook_file: {
    classes: ['edit'],
    aliases: { ...FILE, new_text: 'newCode' },
    implied: notebookCell('newCode'),
  },
  editFiles: { classes: ['edit'], aliases: { path: 'files' } },
  list_dir: { classes: ['list'] },
  create_directory: { classes: ['write'], aliases: { path: 'dirPath' } },
  file_search: { classes: ['search', 'list'] },
  grep_search: { classes: ['search'], globs: ['includePattern'] },
  fetch_webpage: { classes: ['fetch'] },
  runSubagent: { classes: ['agent'] },
  install_extension: { classes: ['install'] },
  ...toolsOf('write', 'create_new_jupyter_notebook create_new_workspace'),
  open_simple_browser: { classes: ['fetch'] },
  github_repo: { classes: ['web_search'] },
  semantic_search: { classes: ['search'] },
  view_image: { classes: ['read'], aliases: FILE },
  memory: { classes: ['memory'] },
  ...inertTools(`
    configure_notebook configure_python_environment get_changed_files get_errors get_terminal_output
    get_vscode_api kill_terminal manage_todo_list read_notebook_cell_output terminal_last_command
    terminal_selection test_failure tool_search
  `),
};

/** `create_and_run_task` writes a task and runs it: its command with the words after it. */
function newTask(args: JsonObject): ImpliedCall | undefined {
  const task = ownObject(args, 'task') ?? {};
  const words = own(task, 'args');
  const rest = (Array.isArray(words) ? words : []).map((word) => quotedWord(String(word)));
  return shellCall([ownString(task, 'command') ?? '', ...rest].join(' '));
}
