import { describe, expect, test } from 'bun:test';
import { answerMessage } from '../../../src/language/calls/answer-call.ts';
import { surroundingsAt } from '../../../src/language/calls/bare-event.ts';
import { createEngine } from '../../../src/language/engine/engine.ts';
import { compileFiles } from '../../../src/language/policy/compile-files.ts';
import { BUILTIN_PACKS } from '../../../src/language/policy/packs.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { NO_MEMORY } from '../../../src/model/memory.ts';
import { settingOf } from '../../hosts/transcripts.ts';
import { optionsIn, placeIn, writeFiles } from '../../policy/support.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { type Reading, TESTED_HOSTS, type TestedHost } from './host-reading.ts';
import { workplaceIn } from './workplace.ts';

const folders = temporaryFolders();
const HOUSE = `version: 1
name: house
policies:
  - {id: key, description: d, path: {match: '**/id_rsa', uses: [read]}, action: deny, reason: Not for agents}
  - {id: kept, description: d, path: {match: '**/kept.txt', uses: [write]}, action: deny, reason: Leave it alone}
  - {id: extensions, description: d, tool: install, action: deny, reason: Ask somebody}
  - {id: evil, description: d, url: {host: evil.example}, action: deny, reason: Not there}
  - {id: rewritten, description: d, command: {run: draft}, action: modify, rewrite: {program: {draft: final}}}
`;

const PROJECT = '/work';

const DELETES = 'rm -rf ~/';
const SHOWS = 'git status';
const js = (command: string) =>
  `const r = await tools.exec_command({ cmd: ${JSON.stringify(command)} });\ntext(r.output);`;
const cell = (line: string) => `import os\n# !rm -rf ~/ would be wrong\nfiles = 1\n${line}\n`;

/** A tool, a call of it that is refused, and its harmless twin if it has one. */
type Row = readonly [host: string, tool: string, refused: JsonObject, passes?: JsonObject];

const ROWS: readonly Row[] = [
  [
    'claude',
    'REPL',
    { script: `await Bash(${JSON.stringify(DELETES)})` },
    { script: 'await Bash("git status")' },
  ],
  ['claude', 'REPL', { script: `await Bash({command: "draft a"})` }, { script: 'const drafts = 2' }],
  [
    'claude',
    'Workflow',
    { script: `require("child_process").execSync("${DELETES}")` },
    { script: 'const a = await agent("look at the rm -rf ~/ in the tests"); return a' },
  ],
  ['claude', 'Workflow', { scriptPath: '/a/id_rsa' }, { scriptPath: '/a/flow.js' }],
  [
    'claude',
    'NotebookEdit',
    { notebook_path: '/a/n.ipynb', new_source: cell(`!${DELETES}`), cell_type: 'code' },
    { notebook_path: '/a/n.ipynb', new_source: cell('!git status'), cell_type: 'code' },
  ],
  [
    'claude',
    'NotebookEdit',
    { notebook_path: '/a/n.ipynb', new_source: `%%bash -e\ncd /\n${DELETES}\n` },
    { notebook_path: '/a/n.ipynb', new_source: `\`!${DELETES}\` deletes the home`, cell_type: 'markdown' },
  ],
  [
    'claude',
    'NotebookEdit',
    { notebook_path: '/a/n.ipynb', new_source: 'out = !rm -rf \\\n  ~/\n' },
    { notebook_path: '/a/n.ipynb', new_source: 'if x != y:\n    print("rm -rf ~/")\n' },
  ],
  ['claude', 'Artifact', { file_path: '/a/id_rsa' }, { file_path: '/a/page.html' }],
  [
    'claude',
    'Artifact',
    { action: 'upload_asset', file_paths: ['/a/b.png', '/a/id_rsa'] },
    { action: 'list' },
  ],
  ['claude', 'SendUserFile', { files: ['/a/id_rsa'] }, { files: ['/a/report.pdf'] }],
  ['claude', 'SendUserMessage', { message: 'm', attachments: ['/a/id_rsa'] }, { message: 'read id_rsa' }],
  ['claude', 'Projects', { method: 'project_write', local_path: '/a/id_rsa' }, { method: 'project_info' }],
  [
    'claude',
    'LSP',
    { operation: 'hover', filePath: '/a/id_rsa' },
    { operation: 'hover', filePath: '/a/b.ts' },
  ],
  ['claude', 'Monitor', { command: DELETES }, { command: 'tail -f log' }],
  ['claude', 'Monitor', { ws: { url: 'wss://evil.example/x' } }, { ws: { url: 'wss://good.example/x' } }],
  ['claude', 'Config', { setting: 'disableAllHooks', value: true }, { setting: 'theme', value: 'dark' }],
  ['claude', 'Config', { setting: 'permissions.defaultMode', value: 'auto' }, { setting: 'disableAllHooks' }],
  ['claude', 'ExitWorktree', { action: 'remove', discard_changes: true }, { action: 'remove' }],
  [
    'claude',
    'ReadMcpResourceTool',
    { server: 's', uri: 'https://evil.example/' },
    { server: 's', uri: 'docs:a' },
  ],
  ['claude', 'RemoteTrigger', { action: 'run', body: { command: DELETES } }, { action: 'list' }],
  ['codex', 'exec', { input: js(DELETES) }, { input: js(SHOWS) }],
  ['codex', 'js_repl', { input: `require("fs").rmSync("/etc", { recursive: true })` }, { input: '1 + 1' }],
  [
    'codex',
    'write_stdin',
    { session_id: 1, chars: `${DELETES}\n` },
    { session_id: 1, chars: 'git status\n' },
  ],
  ['codex', 'view_image', { path: '/a/id_rsa' }, { path: '/a/b.png' }],
  [
    'copilot',
    'write_bash',
    { shellId: '1', input: `${DELETES}{enter}` },
    { shellId: '1', input: 'git status{enter}' },
  ],
  [
    'copilot',
    'write_bash',
    { shellId: '1', input: 'rm -rf ~/x{backspace}\r' },
    { shellId: '1', input: 'y{enter}' },
  ],
  ['copilot', 'write_powershell', { shellId: '1', input: DELETES }, { shellId: '1', input: SHOWS }],
  [
    'copilot',
    'str_replace_editor',
    { command: 'create', path: 'kept.txt', file_text: 'a' },
    { command: 'view', path: 'kept.txt' },
  ],
  [
    'copilot',
    'str_replace_editor',
    { command: 'view', path: '/a/id_rsa' },
    { command: 'view', path: '/a/b' },
  ],
  [
    'copilot',
    'str_replace_editor',
    { command: 'str_replace', path: 'kept.txt', old_str: 'a', new_str: 'b' },
    { command: 'str_replace', path: 'other.txt', old_str: 'a', new_str: 'b' },
  ],
  ['copilot', 'extensions_manage', { operation: 'install', name: 'x' }],
  ['copilot', 'rg', { pattern: 'a', paths: ['/a/id_rsa'] }, { pattern: 'a', paths: ['/a/b'] }],
  [
    'cursor',
    'WriteShellStdin',
    { shell_id: 1, chars: `${DELETES}\n` },
    { shell_id: 1, chars: 'git status\n' },
  ],
  ['cursor', 'WriteShellStdin', { shell_id: 1, input: DELETES }, { shell_id: 1, input: SHOWS }],
  ['cursor', 'Delete', { target_file: 'kept.txt' }, { target_file: 'other.txt' }],
  [
    'cursor',
    'EditNotebook',
    { target_notebook: 'n.ipynb', new_string: `!${DELETES}` },
    { target_notebook: 'n.ipynb', new_string: '!git status' },
  ],
  [
    'vscode',
    'run_vscode_command',
    { commandId: 'workbench.action.terminal.sendSequence', args: [{ text: `${DELETES}\r` }] },
    { commandId: 'workbench.action.terminal.sendSequence', args: [{ text: 'git status\r' }] },
  ],
  [
    'vscode',
    'create_and_run_task',
    { task: { command: 'rm', args: ['-rf', '/etc'] } },
    { task: { command: 'make' } },
  ],
  ['vscode', 'send_to_terminal', { id: '1', command: DELETES }, { id: '1', command: SHOWS }],
  ['vscode', 'run_notebook_cell', { filePath: '/a/id_rsa' }, { filePath: '/a/n.ipynb' }],
  ['vscode', 'install_extension', { id: 'a.b' }],
  [
    'vscode',
    'edit_notebook_file',
    { filePath: '/a/n.ipynb', newCode: `!${DELETES}` },
    { filePath: '/a/n.ipynb', newCode: '!git status' },
  ],
  ['opencode', 'shell', { command: DELETES }, { command: SHOWS }],
  ['opencode', 'read', { path: '/a/id_rsa' }, { path: '/a/b' }],
  [
    'opencode',
    'patch',
    { patchText: '*** Begin Patch\n*** Add File: kept.txt\n+a\n*** End Patch' },
    { patchText: '*** Begin Patch\n*** Add File: other.txt\n+a\n*** End Patch' },
  ],
  [
    'qwen',
    'exec',
    { source: `await tools.run_shell_command({ command: "${DELETES}" })` },
    { source: 'text("a")' },
  ],
  [
    'qwen',
    'notebook_edit',
    { notebook_path: 'n', new_source: `!${DELETES}` },
    { notebook_path: 'n', new_source: '!ls' },
  ],
  ['droid', 'Script', { script: DELETES }, { script: SHOWS }],
  ['droid', 'Script', { command: DELETES }, { command: SHOWS }],
  [
    'kiro',
    'use_aws',
    {
      service_name: 's3api',
      operation_name: 'delete-bucket',
      parameters: { bucket: 'x' },
      region: 'eu-west-1',
    },
    { service_name: 's3api', operation_name: 'list-buckets', parameters: {}, region: 'eu-west-1' },
  ],
  [
    'kiro',
    'use_aws',
    { service_name: 'ec2', operation_name: 'TerminateInstances', parameters: { InstanceIds: ['i-1'] } },
    { service_name: 'ec2', operation_name: 'DescribeInstances', parameters: { InstanceIds: ['i-1'] } },
  ],
  [
    'goose',
    'code_execution__execute_code',
    { code: `shell({ command: "${DELETES}" })` },
    { code: 'shell({ command: "ls" })' },
  ],
  ['goose', 'computercontroller__computer_control', { script: DELETES }, { script: 'click "Save"' }],
  [
    'goose',
    'computercontroller__automation_script',
    { language: 'ruby', script: `system("${DELETES}")` },
    { language: 'ruby', script: 'puts 1' },
  ],
  [
    'goose',
    'developer__text_editor',
    { command: 'write', path: 'kept.txt', file_text: 'a' },
    { command: 'view', path: 'kept.txt' },
  ],
];

/** Plans, findings and questions name paths and commands, and use none. */
const INERT: readonly (readonly [string, string, JsonObject])[] = [
  ['claude', 'TodoWrite', { todos: [{ content: DELETES, file: '.policy/a.yaml', command: DELETES }] }],
  ['claude', 'ReportFindings', { findings: [{ file: '.policy/a.yaml', summary: DELETES }] }],
  ['claude', 'ExitPlanMode', { plan: DELETES, path: '.policy/a.yaml' }],
  ['claude', 'Skill', { skill: 'tidy', args: `--command ${DELETES}` }],
  ['claude', 'TaskCreate', { subject: DELETES, description: DELETES, metadata: { command: DELETES } }],
  ['codex', 'update_plan', { plan: [{ step: DELETES, command: DELETES }] }],
  ['copilot', 'sql', { query: 'delete from todos', description: DELETES }],
  ['opencode', 'todowrite', { todos: [{ content: DELETES, command: DELETES }] }],
  ['vscode', 'manage_todo_list', { todoList: [{ command: DELETES }] }],
  ['qwen', 'todo_write', { todos: [{ command: DELETES }] }],
];

const engine = (() => {
  const folder = folders();
  writeFiles(folder, { 'house.yaml': HOUSE });
  const named = ['builtin:baseline', 'builtin:self-protection', `${folder}/house.yaml`];
  const place = placeIn(folder, { named });
  const { program, diagnostics } = compileFiles(optionsIn(folder, { place, packs: BUILTIN_PACKS }));
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return createEngine(program);
})();

/** What becomes of a call, as its host reads the answer that is encoded for it. */
function outcome(name: string, tool: string, args: JsonObject): Reading {
  const { host, read } = testedHost(name);
  const answer = answerMessage(
    JSON.parse(messageOf(name, tool, args, PROJECT)),
    host,
    settingOf({ cwd: PROJECT }),
    {
      engine,
      memory: NO_MEMORY,
      surroundings: () => surroundingsAt(PROJECT),
    },
  );
  const [reply = { stdout: '', stderr: '', exitCode: 0 }] = answer.replies;
  return read('before_tool', reply);
}

/** The same by a process, in a home with these policies. */
async function outcomeOfProcess(name: string, tool: string, args: JsonObject): Promise<Reading> {
  const place = workplaceIn(folders());
  place.write({ 'home/.config/policy/house.yaml': HOUSE });
  const input = messageOf(name, tool, args, place.project);
  return testedHost(name).read('before_tool', await place.run({ args: ['hook', '--host', name], input }));
}

function testedHost(name: string): TestedHost {
  const tested = TESTED_HOSTS.find(({ title }) => title === name);
  if (tested === undefined) throw new Error(`no host ${name}`);
  return tested;
}

/** The arguments by their own names, and no others. */
function messageOf(name: string, tool: string, args: JsonObject, cwd: string): string {
  const bare = { on: 'before_tool', tool, arguments: { at: 0 }, context: { cwd, session: 's' } } as const;
  return JSON.stringify(testedHost(name).host.compose(bare)).replace('{"at":0}', () => JSON.stringify(args));
}

describe.each(ROWS)('%s, %s', (host, tool, refused, passes) => {
  test(`is refused with ${JSON.stringify(refused)}`, () => {
    expect(outcome(host, tool, refused)).toBe('prevented');
  });
  if (passes !== undefined)
    test(`passes with ${JSON.stringify(passes)}`, () => {
      expect(outcome(host, tool, passes)).toBe('happens');
    });
});

test.each(INERT)('%s, %s uses nothing that it names', (host, tool, args) => {
  expect(outcome(host, tool, args)).toBe('happens');
});

test.each([...Map.groupBy(ROWS, ([host]) => host).values()].flatMap((rows) => rows.slice(0, 1)))(
  'a process for %s says so of %s, too',
  async (host, tool, refused, passes) => {
    expect(await outcomeOfProcess(host, tool, refused)).toBe('prevented');
    if (passes !== undefined) expect(await outcomeOfProcess(host, tool, passes)).toBe('happens');
  },
);
