import type { JsonObject } from '../../src/lib/json.ts';

/** A call by the host's own names. */
export type Call = readonly [tool: string, args: JsonObject];

/** Calls that lead to a file, whose host reads them as they stand or otherwise. */
export interface Spellings {
  /** As the host's code takes them; the path is `.policy/x.yaml`. */
  readonly reach: readonly Call[];
  /** Nearly the same, but to the host another file. */
  readonly miss: readonly Call[];
  /** What nobody can tell the file of. */
  readonly unread?: readonly Call[];
}

const GUARDED = '.policy/x.yaml';
const HARMLESS = 'docs/x.yaml';

const patch = (header: string) => `*** Begin Patch\n${header}\n+a\n*** End Patch`;

/** Headers of patches that appliers take for headers of a file. */
function headers(path: string): readonly string[] {
  return [
    `*** Add File: ${path}`,
    `*** Add File: ${path}\r`,
    `*** Add File: ${path}\r\n+b\r`,
    `*** Add File: ${path}\u2028`,
    `*** Add File: ${path}\u2029`,
    `*** Add File: \u0085${path}\u0085`,
    `*** Add File:${path}`,
    `*** Add File: ${path}\v`,
    `*** Add File: ${path}\f\r`,
    `  *** Add File: ${path}  `,
    `*** Delete File: ${path}\r`,
    `*** Update File: ${path}\r\n@@\r\n-a`,
    `*** Update File: a.txt\r\n*** Move to: ${path}\r\n@@\r\n-a`,
    `*** Add File: a.txt\r*** Add File: ${path}`,
    `*** Add File: a\r/../${path}`,
  ];
}

function patches(tool: string, argument: string): Spellings {
  const calls = (path: string) => headers(path).map((header): Call => [tool, { [argument]: patch(header) }]);
  return {
    reach: calls(GUARDED),
    miss: calls(HARMLESS),
    unread: ['no patch at all', patch('@@'), patch('*** Add File: ')].map((text) => [
      tool,
      { [argument]: text },
    ]),
  };
}

function both(...all: readonly Spellings[]): Spellings {
  return {
    reach: all.flatMap(({ reach }) => reach),
    miss: all.flatMap(({ miss }) => miss),
    unread: all.flatMap(({ unread = [] }) => unread),
  };
}

const write = (tool: string, paths: readonly string[], rest: JsonObject = {}, name = 'file_path') =>
  paths.map((path): Call => [tool, { [name]: path, ...rest }]);

const content = { content: 'a' };
const change = { old_string: 'a', new_string: 'b' };
const AS_IT_STANDS = ['@.policy/x.yaml', '%2Epolicy/x.yaml', '.pol\0icy/x.yaml'];

/** Arguments of servers that name a file and what is written to it. */
function ofServer(tool: string): Spellings {
  const named = (path: string, url: string): readonly Call[] => [
    ...'path pathname fname filePath file_uri uri location document output save_as'
      .split(' ')
      .map((name): Call => [tool, { [name]: path, content: 'a' }]),
    ...['uri', 'file_uri', 'fileUrl', 'resource', 'location', 'path', 'at'].map(
      (name): Call => [tool, { [name]: url, content: 'a' }],
    ),
    ['mcp__git__apply_patch', { diff: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n` }],
    ...['args', 'arguments', 'params', 'tool_arguments'].map(
      (name): Call => [tool, { [name]: JSON.stringify({ path, content: 'a' }) }],
    ),
    [tool, { call: { name: 'save', parameters: JSON.stringify({ path, content: 'a' }) } }],
    // Servers parse such a text where they want a list or an object.
    [tool, { input: JSON.stringify({ path, content: 'a' }) }],
    [tool, { edits: JSON.stringify([{ path, text: 'a' }]) }],
    [tool, { paths: ` ${JSON.stringify([path])}`, content: 'a' }],
    [tool, { arguments: JSON.stringify({ uri: url, content: 'a' }) }],
    [tool, { arguments: JSON.stringify({ arguments: JSON.stringify({ path, content: 'a' }) }) }],
    [tool, { files: [{ Document: path, text: 'a' }] }],
  ];
  return {
    reach: named(GUARDED, 'file://PROJECT/%2Epolicy/x.yaml'),
    miss: [
      ...named(HARMLESS, 'file://PROJECT/docs/%2Ex.yaml'),
      [tool, { location: 'Lyon', content: 'policy' }],
      [tool, { arguments: { path: HARMLESS, content: JSON.stringify({ path: GUARDED, content: 'a' }) } }],
      [tool, { path: HARMLESS, new_string: JSON.stringify([{ path: GUARDED }]) }],
    ],
  };
}

/** How each host reads what its hook was shown, by its own code where that can be had. */
export const SPELLINGS: Readonly<Record<string, Spellings>> = {
  gemini: {
    reach: [
      ...write('write_file', [GUARDED, '@.policy/x.yaml', '@/.policy/x.yaml', '@\\.policy/x.yaml'], content),
      ...write(
        'write_file',
        ['.pol\0icy/x.yaml', '\0@.policy/x.yaml', '@\0.policy/x.yaml', '@./.policy/x.yaml'],
        content,
      ),
      ...write('replace', ['@.gemini/settings.json', '.gemini\0/settings.json', '@//.policy/x.yaml'], change),
    ],
    miss: [
      ...write(
        'write_file',
        [HARMLESS, '@docs/x.yaml', '@docs\0/x.yaml', '%2Epolicy/x.yaml', '@@.policy.yaml'],
        content,
      ),
      ...write('replace', ['@types/settings.json'], change),
    ],
  },
  qwen: {
    reach: [
      ...write('write_file', [' .policy/x.yaml', '.policy/x.yaml\n', '\t.policy/x.yaml\u00a0'], content),
      ...write('edit', [' .qwen/settings.json', '.qwen/settings.json\u2028'], change),
      ...write('write_file', [GUARDED, ' .policy/x.yaml'], content, 'absolute_path'),
    ],
    miss: [
      ...write('write_file', [HARMLESS, ' docs/x.yaml ', '@.policy/x.yaml', 'docs/a\\ b.yaml'], content),
      ...write('edit', [' docs/settings.json'], change),
    ],
  },
  vscode: both(patches('apply_patch', 'input'), {
    reach: [
      ...[
        'file://PROJECT/%2Epolicy/x.yaml',
        'file:PROJECT/.policy/x.yaml?a',
        'file://PROJECT/.policy/x.yaml#a',
      ].flatMap((path) => [
        ...write('create_file', [path], content, 'filePath'),
        ...write('replace_string_in_file', [path], { oldString: 'a', newString: 'b' }, 'filePath'),
        ['multi_replace_string_in_file', { replacements: [{ filePath: path }] }] as Call,
        ['apply_patch', { input: patch(`*** Add File: ${path}`) }] as Call,
      ]),
      ...write('create_file', ['vscode-remote://wsl%2Bx/PROJECT/%2epolicy/x.yaml'], content, 'filePath'),
    ],
    miss: write(
      'create_file',
      ['file://PROJECT/docs/%2Ex.yaml', 'PROJECT/%2Epolicy/x.yaml', '@.policy/x.yaml', HARMLESS],
      content,
      'filePath',
    ),
  }),
  claude: both(ofServer('mcp__fs__save'), {
    reach: write('Write', [GUARDED, ' .policy/x.yaml'], content),
    miss: write('Write', AS_IT_STANDS.concat(HARMLESS), content),
  }),
  codex: patches('apply_patch', 'command'),
  // VS Code asks its hooks, too.
  copilot: both(patches('apply_patch', 'input'), {
    reach: write('create_file', ['file://PROJECT/%2Epolicy/x.yaml'], content, 'filePath'),
    miss: write('create_file', ['file://PROJECT/docs/%2Ex.yaml'], content, 'path'),
  }),
  droid: both(patches('ApplyPatch', 'input'), {
    reach: write('Create', [GUARDED], content),
    miss: write('Create', AS_IT_STANDS.concat(HARMLESS), content),
  }),
  opencode: both(patches('apply_patch', 'patchText'), {
    reach: write('write', [GUARDED], content, 'filePath'),
    miss: write('write', AS_IT_STANDS.concat(HARMLESS), content, 'filePath'),
  }),
  openclaw: both(patches('apply_patch', 'input'), {
    reach: [
      ...write('write', [GUARDED, '@.policy/x.yaml', 'file://PROJECT/%2Epolicy/x.yaml'], content, 'path'),
      ['process', { action: 'submit', sessionId: 'a', data: 'rm -r .policy' }],
      ['code_mode_exec', { code: "require('fs').rmSync('.policy', { recursive: true })" }],
    ],
    miss: write('write', [HARMLESS], content, 'path'),
  }),
  antigravity: {
    reach: [
      ...write('write_to_file', [GUARDED], { CodeContent: 'a' }, 'TargetFile'),
      ...write('code_action', [GUARDED], { content: 'a' }, 'path'),
      ['send_command_input', { CommandId: 'a', Input: 'rm -r .policy' }],
    ],
    miss: write('write_to_file', [HARMLESS], { CodeContent: 'a' }, 'TargetFile'),
  },
  devin: {
    reach: [
      ...['path', 'file_path', 'filePath'].flatMap((name) => write('write', [GUARDED], content, name)),
      ...write('edit', [GUARDED], change),
      ['exec', { command: 'rm -r .policy', shell_id: 'main' }],
    ],
    miss: write('write', [...AS_IT_STANDS, HARMLESS], content),
  },
  hermes: both(patches('patch', 'patch'), {
    reach: [
      ...write('write_file', [GUARDED], content, 'path'),
      ...write('patch', [GUARDED], change, 'path'),
      ['process', { action: 'submit', session_id: 'a', data: 'rm -r .policy' }],
      ['execute_code', { code: "import os\nos.remove('.policy/x.yaml')" }],
    ],
    miss: write('write_file', [...AS_IT_STANDS, HARMLESS], content, 'path'),
  }),
  kimi: {
    reach: write('Write', [GUARDED, '.policy\\x.yaml', 'docs\\..\\.policy/x.yaml'], content, 'path'),
    miss: write('Write', [...AS_IT_STANDS, HARMLESS, 'docs\\x.yaml'], content, 'path'),
  },
  crush: {
    reach: [
      ...write('write', [GUARDED], content),
      ...write('write', [GUARDED], content, 'FILE_PATH'),
      ['bash', { COMMAND: 'rm -r .policy' }],
      ['mcp_fs_save', { path: GUARDED, content: 'a' }],
    ],
    miss: [
      ...write('write', [...AS_IT_STANDS, HARMLESS], content),
      ...write('write', [HARMLESS], content, 'FILE_PATH'),
    ],
    // Of two names for one argument it takes the last, and it passes over letter case.
    unread: [
      ['write', { file_path: HARMLESS, FILE_PATH: GUARDED, ...content }],
      ['bash', { command: 'ls', Command: 'rm -r .policy' }],
      ['edit', { file_path: HARMLESS, old_string: 'a', 'old_\u017Ftring': 'b', new_string: 'c' }],
      ['multiedit', { file_path: HARMLESS, edits: [{ old_string: 'a', new_string: 'b', NEW_STRING: 'c' }] }],
    ],
  },
  grok: {
    reach: [
      ...write(
        'write',
        [GUARDED, ' .policy/x.yaml\u0085', '"\'.policy/x.yaml', ' " .policy/x.yaml " '],
        content,
      ),
      ...write('search_replace', [GUARDED], change),
      ['fs__save', { tool_name: 'fs__save', tool_input: { path: GUARDED, content: 'a' } }],
      ['fs__save', { tool_name: 'fs__save', tool_input: JSON.stringify({ path: GUARDED, content: 'a' }) }],
      ['monitor', { command: 'rm -r .policy', description: 'a' }],
    ],
    miss: [
      ...write('write', [...AS_IT_STANDS, HARMLESS, '"docs/x.yaml"', '".policy"x.yaml'], content),
      ['fs__save', { tool_name: 'fs__save', tool_input: { path: HARMLESS, content: 'a' } }],
    ],
  },
  cursor: both(patches('ApplyPatch', 'input'), {
    reach: [
      ...['path', 'file_path', 'target_file', 'filePath'].flatMap((name) => [
        ...write('Write', [GUARDED], { contents: 'a' }, name),
        ...write('Delete', [GUARDED], {}, name),
      ]),
      ['EditNotebook', { target_notebook: GUARDED, new_string: 'a' }],
    ],
    miss: [
      ...write('Write', AS_IT_STANDS.concat(HARMLESS), { contents: 'a' }, 'target_file'),
      ...write('Delete', [HARMLESS], {}, 'target_file'),
      ['EditNotebook', { target_notebook: 'docs/x.ipynb', new_string: 'a' }],
    ],
  }),
  cline: both(patches('apply_patch', 'input'), {
    reach: [
      ...write('write_to_file', [GUARDED], content, 'path'),
      ...write('write_to_file', [GUARDED], { ...content, path: '' }, 'absolutePath'),
      ...write('replace_in_file', [GUARDED], { diff: 'a' }, 'absolutePath'),
      ...[JSON.stringify, (args: JsonObject) => args].map(
        (given): Call => [
          'use_mcp_tool',
          {
            server_name: 'fs',
            tool_name: 'write',
            arguments: given({ uri: 'file://PROJECT/%2Epolicy/x.yaml', content: 'a' }),
          },
        ],
      ),
      [
        'use_mcp_tool',
        { server_name: 'fs', tool_name: 'write', arguments: '{"path":".policy/x.yaml","content":""}' },
      ],
      [
        'use_mcp_tool',
        { server_name: 'fs', tool_name: 'run', arguments: ' {"command":"policy trust --yes"} ' },
      ],
      ['run_commands', { cmd: 'rm -r .policy' }],
      ['run_commands', { commands: [{ command: 'rm', args: ['-r', '.policy'] }] }],
    ],
    miss: [
      [
        'use_mcp_tool',
        { server_name: 'fs', tool_name: 'write', arguments: '{"path":"docs/x","content":""}' },
      ],
      ...write('write_to_file', [HARMLESS], content, 'absolutePath'),
      [
        'use_mcp_tool',
        {
          server_name: 'fs',
          tool_name: 'write',
          arguments: { path: HARMLESS, content: JSON.stringify({ path: GUARDED, content: 'a' }) },
        },
      ],
      ['run_commands', { cmd: 'rm -r docs' }],
      ['run_commands', { commands: [{ command: 'rm', args: ['-r', 'docs'] }] }],
    ],
    unread: [['use_mcp_tool', { server_name: 'fs', tool_name: 'write', arguments: '{"path":' }]],
  }),
  goose: {
    reach: write('developer__write', [GUARDED], content, 'path'),
    miss: write('developer__write', AS_IT_STANDS.concat(HARMLESS), content, 'path'),
  },
  kiro: {
    reach: write('fs_write', [GUARDED], { file_text: 'a' }, 'path'),
    miss: write('fs_write', AS_IT_STANDS.concat(HARMLESS), { file_text: 'a' }, 'path'),
  },
  windsurf: {
    reach: write('write_code', [GUARDED], { edits: [] }),
    miss: write('write_code', AS_IT_STANDS.concat(HARMLESS), { edits: [] }),
  },
  picoclaw: {
    reach: write('write_file', [GUARDED], content, 'path'),
    miss: write('write_file', AS_IT_STANDS.concat(HARMLESS), content, 'path'),
  },
  jcli: {
    reach: write('Write', [GUARDED], content, 'path'),
    miss: write('Write', AS_IT_STANDS.concat(HARMLESS), content, 'path'),
  },
};
