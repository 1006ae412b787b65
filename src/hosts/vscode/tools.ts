import type { HostTool } from '../host.ts';

const FILE = { path: 'filePath' };
const TEXTS = { old_text: 'oldString', new_text: 'newString' };

/** The tools of the agent in VS Code, which Copilot CLI's hooks are asked about, too. */
export const VSCODE_TOOLS: Readonly<Record<string, HostTool>> = {
  run_in_terminal: { classes: ['shell'] },
  runTerminalCommand: { classes: ['shell'] },
  read_file: { classes: ['read'], aliases: FILE },
  create_file: { classes: ['write'], aliases: FILE },
  createFile: { classes: ['write'] },
  replace_string_in_file: { classes: ['edit'], aliases: { ...FILE, ...TEXTS } },
  multi_replace_string_in_file: {
    classes: ['edit'],
    lists: { replacements: { ...FILE, ...TEXTS } },
  },
  insert_edit_into_file: { classes: ['edit'], aliases: { ...FILE, new_text: 'code' } },
  edit_notebook_file: { classes: ['edit'], aliases: { ...FILE, new_text: 'newCode' } },
  editFiles: { classes: ['edit'], globs: ['files'] },
  list_dir: { classes: ['list'] },
  create_directory: { classes: ['write'], aliases: { path: 'dirPath' } },
  file_search: { classes: ['search', 'list'] },
  grep_search: { classes: ['search'], globs: ['includePattern'] },
  fetch_webpage: { classes: ['fetch'] },
  runSubagent: { classes: ['agent'] },
};
