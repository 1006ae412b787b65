import { expect, test } from 'bun:test';
import { nativeCall } from '../../../src/hosts/portable-call.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Call } from '../../hosts/spellings.ts';
import { type Reading, TESTED_HOSTS, type TestedHost, testedHost } from './host-reading.ts';
import { fateOf } from './in-process.ts';
import { type Workplace, workplace } from './workplace.ts';

interface Writes {
  /** The first tool that writes, and the first that edits, unless given. */
  readonly file?: (path: string, text: string) => Call;
  readonly edit?: (path: string, from: string, to: string) => Call;
  /** A file of its own that carries code, and one beside it that does not. */
  readonly code: string;
  readonly free: string;
}

const added = (path: string, text: string) =>
  `*** Begin Patch\n*** Add File: ${path}\n${text.replace(/^/gm, '+')}\n*** End Patch`;
const updated = (path: string, from: string, to: string) =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n${to.replace(/^/gm, '+')}\n*** End Patch`;
const searched = (from: string, to: string) => `------- SEARCH\n${from}\n=======\n${to}\n+++++++ REPLACE`;

/** The calls by which each host writes files, by its own names. */
const WRITES: Readonly<Record<string, Writes>> = {
  claude: {
    code: 'HOME/.claude/plugins/a/hooks/hooks.json',
    free: 'HOME/.claude/plugins/a/skills/x/SKILL.md',
  },
  codex: {
    file: (path, text) => ['apply_patch', { command: added(path, text) }],
    edit: (path, from, to) => ['apply_patch', { command: updated(path, from, to) }],
    code: 'HOME/.codex/work.config.toml',
    free: 'HOME/.codex/skills/x/SKILL.md',
  },
  gemini: { code: '.gemini/extensions/a/gemini-extension.json', free: 'HOME/.gemini/skills/x/SKILL.md' },
  qwen: { code: '.qwen/extensions/a/qwen-extension.json', free: '.qwen/agents/a.md' },
  droid: { code: '.factory/plugins/a/hooks/hooks.json', free: '.factory/droids/a.md' },
  opencode: { code: '.opencode/tools/a.ts', free: '.opencode/agent/a.md' },
  openclaw: { code: 'HOME/.openclaw/extensions/a/index.js', free: 'HOME/.openclaw/workspace/SOUL.md' },
  copilot: {
    file: (path, file_text) => ['create', { path, file_text }],
    edit: (path, old_str, new_str) => ['edit', { path, old_str, new_str }],
    code: '.github/extensions/a/extension.mjs',
    free: '.github/skills/x/SKILL.md',
  },
  vscode: {
    file: (filePath, content) => ['create_file', { filePath, content }],
    edit: (filePath, oldString, newString) => [
      'multi_replace_string_in_file',
      { replacements: [{ filePath, oldString, newString }] },
    ],
    code: '.github/hooks/a.json',
    free: '.github/prompts/a.prompt.md',
  },
  cursor: {
    file: (file_path, contents) => ['Write', { file_path, contents }],
    edit: (file_path, old_string, new_string) => ['Edit', { file_path, old_string, new_string }],
    code: 'HOME/.cursor/plugins/a/hooks/hooks.json',
    free: '.cursor/commands/a.md',
  },
  cline: {
    file: (path, content) => ['write_to_file', { path, content }],
    edit: (path, from, to) => ['replace_in_file', { path, diff: searched(from, to) }],
    code: '.cline/plugins/a/index.js',
    free: '.clinerules/workflows/a.md',
  },
  kiro: {
    file: (path, file_text) => ['fs_write', { command: 'create', path, file_text }],
    edit: (path, old_str, new_str) => ['fs_write', { command: 'str_replace', path, old_str, new_str }],
    code: '.kiro/agents/a.json',
    free: '.kiro/agents/a.md',
  },
  goose: {
    file: (path, content) => ['developer__write', { path, content }],
    edit: (path, before, after) => ['developer__edit', { path, before, after }],
    code: '.agents/plugins/a/plugin.json',
    free: '.agents/skills/x/SKILL.md',
  },
  windsurf: {
    file: (file_path, new_string) => ['write_code', { file_path, edits: [{ old_string: '', new_string }] }],
    edit: (file_path, old_string, new_string) => [
      'write_code',
      { file_path, edits: [{ old_string, new_string }] },
    ],
    code: '.windsurf/plugins/a/hooks.json',
    free: '.windsurf/workflows/a.md',
  },
  picoclaw: { code: 'HOME/.picoclaw/config.json', free: 'HOME/.picoclaw/workspace/skills/a/SKILL.md' },
  antigravity: { code: '.agents/plugins/a/hooks.json', free: '.agents/skills/x/SKILL.md' },
  devin: { code: '.devin/hooks.v1.json', free: '.devin/skills/x/SKILL.md' },
  hermes: { code: 'HOME/.hermes/plugins/a/plugin.yaml', free: 'HOME/.hermes/skills/x/SKILL.md' },
  kimi: { code: '.kimi-code/plugins/a/kimi.plugin.json', free: '.kimi-code/skills/x/SKILL.md' },
  crush: { code: 'crush.json', free: '.crush/skills/x/SKILL.md' },
  grok: { code: '.grok/hooks/a.json', free: '.grok/skills/x/SKILL.md' },
  jcli: { code: '.jcli/hooks/a/HOOK.yaml', free: 'docs/a.md' },
};

const SKILL = '.claude/skills/x/SKILL.md';
const HOOKS = '---\nname: x\nhooks:\n  Stop: []\n---\nGo';
const NONE = '---\nname: x\n---\nhooks: none';
const HOSTS = TESTED_HOSTS.filter(({ version }) => version === undefined);

function fate(tested: TestedHost, place: Workplace, [tool, args]: Call): Promise<Reading> {
  const named = JSON.parse(JSON.stringify(args).replaceAll('HOME', place.home));
  return fateOf(
    tested,
    place,
    { tool, arguments: named },
    { args: ['--policies', 'builtin:self-protection'] },
  );
}

test.each(HOSTS.map((tested) => [tested.host.name, tested] as const))(
  '%s is refused hooks in what agents load, and nothing else of it',
  async (name, tested) => {
    const writes = WRITES[name];
    if (writes === undefined) throw new Error(`nobody knows how ${name} writes`);
    const place = workplace();
    const call = (portable: string, args: JsonObject): Call => {
      const { tool, arguments: named } = nativeCall(tested.host.tools, {
        on: 'before_tool',
        tool: portable,
        arguments: args,
      });
      return [tool, named];
    };
    const {
      file = (path, content) => call('write', { path, content }),
      edit = (path, old_text, new_text) => call('edit', { path, old_text, new_text }),
      code,
      free,
    } = writes;
    const calls: readonly (readonly [Reading, Call])[] = [
      ['prevented', file(code, '{}')],
      ['happens', file(free, NONE)],
      ['prevented', file(SKILL, HOOKS)],
      ['happens', file(SKILL, NONE)],
      ['prevented', edit(SKILL, 'name: x', 'name: x\nhooks: {}')],
      ['happens', edit(SKILL, 'name: x', 'name: y')],
      ['prevented', file('.mcp.json', '{"mcpServers": {"a": {"command": "npx"}}}')],
      ['happens', file('.mcp.json', '{"mcpServers": {"a": {"url": "https://example.com"}}}')],
    ];
    for (const [expected, call] of calls)
      expect([call, await fate(tested, place, call)]).toEqual([call, expected]);
  },
);

test('so is a command that writes them', async () => {
  const tested = testedHost('claude');
  const place = workplace();
  const run = (text: string) =>
    fate(tested, place, ['Bash', { command: `cat > ${SKILL} <<EOF\n${text}\nEOF` }]);
  expect(await run(HOOKS)).toBe('prevented');
  expect(await run(NONE)).toBe('happens');
});
