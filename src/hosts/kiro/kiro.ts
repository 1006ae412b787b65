import { quotedWord } from '../../lib/command-argument.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { hostOf } from '../dialect/host-of.ts';
import { NOTIFIES } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import { type ImpliedCall, shellCall } from '../implied/implied-call.ts';
import { namesEvent } from '../recognise.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';

/** Events of Kiro 1 and its command line 3; a prompt cannot be refused, so nothing asks about it (https://kiro.dev/docs/cli/v3/hooks). */
const STANDALONE = {
  SessionStart: 'session_start',
  PreToolUse: 'before_tool',
  PostToolUse: 'after_tool',
  Stop: 'after_turn',
} as const;
/** Events of its command line 2, from the configuration of an agent (https://kiro.dev/docs/cli/hooks). */
const OF_AGENT = {
  agentSpawn: 'session_start',
  preToolUse: 'before_tool',
  postToolUse: 'after_tool',
  stop: 'after_turn',
} as const;
const EVENTS = { ...STANDALONE, ...OF_AGENT };

/** Kiro 1 puts this before the number of a session. */
const SESSION = 'sess_';

/** Kiro: facts by its documents. */
export const kiro = hostOf({
  name: 'kiro',
  title: 'Kiro',
  facts: 'its documents',
  events: EVENTS,
  /** Kiro carries these out by its documents: an exit code before a tool is all that it hears. */
  everywhere: { beside: [] },
  supports: {
    session_start: NOTIFIES,
    before_tool: { can: ['deny'], note: 'Nobody can be asked and nothing rewritten: both are a deny' },
    after_tool: { note: 'Only notified: a result cannot be kept from the model, so deny the call' },
    after_turn: { note: 'Only notified' },
  },
  tools: {
    ...toolsOf('shell', 'execute_bash shell'),
    fs_read: { classes: ['read', 'list', 'search'], lists: { operations: { path: 'path' } } },
    read: { classes: ['read', 'list', 'search'], lists: { operations: { path: 'path' } } },
    fs_write: {
      classes: ['write', 'edit'],
      aliases: { content: 'file_text', old_text: 'old_str', new_text: 'new_str' },
    },
    write: {
      classes: ['write', 'edit'],
      aliases: { content: 'file_text', old_text: 'old_str', new_text: 'new_str' },
    },
    str_replace: { classes: ['edit'], aliases: { old_text: 'old_str', new_text: 'new_str' } },
    use_aws: { classes: ['shell'], implied: awsCommand },
    aws: { classes: ['shell'], implied: awsCommand },
    web_fetch: { classes: ['fetch'] },
    web_search: { classes: ['web_search'] },
    grep: { classes: ['search'], aliases: { query: 'pattern' }, globs: ['include'] },
    glob: { classes: ['search', 'list'], aliases: { query: 'pattern' } },
    code: { classes: ['read'], aliases: { path: 'file_path' } },
    ...toolsOf('agent', 'delegate subagent use_subagent'),
    knowledge: { classes: ['memory', 'read'], aliases: { path: 'path', content: 'value' } },
    ...inertTools(`
    gh_issue introspect report report_issue thinking todo todo_list
  `),
    '@*': { classes: ['mcp'] },
  },
  /** By its documents. Of a command the exit code is in the result. */
  results: {
    by: 'arguments',
    marks: [
      { at: ['tool_response.success'], is: false, means: 'failed' },
      { of: 'shell', at: ['tool_response.result.0.exit_status'], is: '0', means: 'succeeded' },
      { of: 'shell', at: ['tool_response.result.0.exit_status'], means: 'failed' },
      { of: 'shell', at: ['hook_event_name'], means: 'unknown' },
      { at: ['tool_response.success'], is: true, means: 'succeeded' },
    ],
  },
  /** These files decide which hooks run, and which calls Kiro allows on its own. */
  guards: {
    paths: [
      '~/.kiro/{hooks,agents,settings}/**',
      '**/.kiro/{hooks,agents,settings}/**',
      '**/.amazonq/{cli-agents,agents}/**',
      '~/.aws/amazonq/{cli-agents,agents}/**',
    ],
    notes: ['~/.kiro/agents/**/*.md', '**/.kiro/agents/**/*.md'],
    instructions: ['**/.kiro/{agents,skills}/**/*.md'],
    servers: [
      '**/.kiro/powers/**/mcp.json',
      '**/.amazonq/{mcp,default}.json',
      '~/.aws/amazonq/{mcp,default}.json',
    ],
    escapes: {
      programs: ['kiro-cli'],
      subcommands: {
        ...verbsOf('mcp', 'add add-json add-from-claude-desktop import remove enable disable'),
        ...verbsOf('hooks', 'enable disable add remove'),
      },
      elsewhere: ['KIRO_HOME'],
    },
  },
  read: (message) => {
    const session = ownString(message, 'session_id');
    return session?.startsWith(SESSION) === true
      ? { ...message, session_id: session.slice(SESSION.length) }
      : message;
  },
  write: ({ session_id, ...fields }): JsonObject => ({
    session_id: `${SESSION}${String(session_id ?? '')}`,
    ...fields,
  }),
  recognise: (message) =>
    own(message, 'transcript_path') === undefined &&
    (namesEvent(message, OF_AGENT)
      ? !['session_id', 'conversation_id', 'cursor_version'].some((field) => Object.hasOwn(message, field))
      : namesEvent(message, STANDALONE) && ownString(message, 'session_id')?.startsWith(SESSION) === true),
  answers: { deny: ({ kind }) => (kind === 'before_tool' ? {} : undefined) },
  hook: { beside: {} },
  installation: async () => (await import('./installation.ts')).installationFor,
});

/** A call of an API of AWS as the command line that does the same. */
function awsCommand(args: JsonObject): ImpliedCall | undefined {
  const service = ownString(args, 'service_name') ?? ownString(args, 'service') ?? '';
  const operation = ownString(args, 'operation_name') ?? ownString(args, 'operation') ?? '';
  const flags = Object.entries(ownObject(args, 'parameters') ?? {}).flatMap(([name, value]) => [
    `--${kebab(name)}`,
    ...wordsOf(value),
  ]);
  const rest = (['region', 'profile_name'] as const).flatMap((name) => {
    const value = ownString(args, name);
    return value === undefined ? [] : [`--${name.replace('_name', '')}`, value];
  });
  if (service === '' && operation === '') return undefined;
  const words = ['aws', service, kebab(operation), ...flags, ...rest];
  return shellCall(words.map(quotedWord).join(' '));
}

/** `DeleteBucket`, `delete_bucket` and `delete-bucket` are one operation. */
function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

function wordsOf(value: Json): readonly string[] {
  if (value === null || value === '' || value === true) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  return [isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)];
}
