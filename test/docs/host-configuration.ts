import { load } from 'js-yaml';
import { isJsonObject, type Json, type JsonObject, ownObject } from '../../src/lib/json.ts';
import type { CodeBlock } from './markdown.ts';

/** How a configuration lets a host start a hook. */
export interface HookStart {
  readonly host: 'picoclaw' | 'gemini' | 'jcli';
  /** The host's own names of the events. */
  readonly events: readonly string[];
  /** The command with its arguments, as the host would start it. */
  readonly argv: readonly string[];
  /** Variables that the configuration lays over the host's own environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** PicoClaw refuses a whole configuration that has any other key. */
const PICOCLAW = {
  file: ['version', 'hooks'],
  hooks: ['enabled', 'defaults', 'processes', 'builtins'],
  defaults: ['observer_timeout_ms', 'interceptor_timeout_ms', 'approval_timeout_ms'],
  process: ['enabled', 'priority', 'transport', 'command', 'dir', 'env', 'observe', 'intercept'],
  intercept: ['before_llm', 'after_llm', 'before_tool', 'after_tool', 'approve_tool'],
  /** The names that every version knows. */
  observe: [
    'turn_start',
    'turn_end',
    'llm_request',
    'llm_delta',
    'llm_response',
    'llm_retry',
    'context_compress',
    'session_summarize',
    'tool_exec_start',
    'tool_exec_end',
    'tool_exec_skipped',
    'steering_injected',
    'follow_up_queued',
    'interrupt_received',
    'subturn_spawn',
    'subturn_end',
    'subturn_result_delivered',
    'subturn_orphan',
    'error',
  ],
};

/** Gemini CLI drops what has another shape, and runs the calls unguarded. */
const GEMINI = {
  file: ['hooks', 'hooksConfig'],
  hooksConfig: ['enabled', 'disabled', 'notifications'],
  group: ['matcher', 'sequential', 'hooks'],
  hook: ['type', 'name', 'command', 'timeout', 'env'],
};
export const GEMINI_EVENTS = [
  'BeforeTool',
  'AfterTool',
  'BeforeAgent',
  'AfterAgent',
  'BeforeModel',
  'AfterModel',
  'BeforeToolSelection',
  'SessionStart',
  'SessionEnd',
  'PreCompress',
  'Notification',
];

/** jcli ignores an unknown key, so whoever writes one is mistaken. */
const JCLI = {
  folder: ['events', 'type', 'command', 'timeout', 'retry', 'on_error', 'filter', 'runtime'],
  entry: ['type', 'command', 'timeout', 'retry', 'on_error', 'filter'],
  /** What generation A knew already. */
  oldEntry: ['command', 'timeout'],
};
const OLD_JCLI_EVENTS = [
  'session_start',
  'session_end',
  'pre_send_message',
  'post_send_message',
  'pre_llm_request',
  'post_llm_response',
  'pre_tool_execution',
  'post_tool_execution',
];
export const JCLI_EVENTS = [
  ...OLD_JCLI_EVENTS,
  'post_tool_execution_failure',
  'stop',
  'pre_micro_compact',
  'post_micro_compact',
  'pre_auto_compact',
  'post_auto_compact',
];

/** Reads a block as the host would that it is for, and throws at what that host would not take. */
export function hookStarts(block: CodeBlock): readonly HookStart[] {
  if (block.language === 'json') {
    const file = objectIn(JSON.parse(block.text) as Json, 'the file');
    const hooks = ownObject(file, 'hooks');
    // What a client of MCP servers starts is no hook.
    if (Object.hasOwn(file, 'mcpServers')) return [];
    return hooks !== undefined && Object.hasOwn(hooks, 'processes') ? inPicoclaw(file) : inGemini(file);
  }
  const file = objectIn(load(block.text) as Json, 'the file');
  return Object.hasOwn(file, 'events') ? inHookFolder(file) : inHooksFile(file);
}

/** True for a block that is a policy file. */
export function isPolicy({ language, text }: CodeBlock): boolean {
  return language === 'yaml' && /^version: 1$/m.test(text);
}

function inPicoclaw(file: JsonObject): readonly HookStart[] {
  onlyKeys(file, PICOCLAW.file);
  const hooks = onlyKeys(objectIn(file['hooks'], 'hooks'), PICOCLAW.hooks);
  must(hooks['enabled'] === true, 'hooks are off');
  if (hooks['defaults'] !== undefined) onlyKeys(objectIn(hooks['defaults'], 'defaults'), PICOCLAW.defaults);
  return Object.values(objectIn(hooks['processes'], 'processes')).map((value) => {
    const hook = onlyKeys(objectIn(value, 'a process'), PICOCLAW.process);
    must(hook['enabled'] === true, 'the hook is off');
    must((hook['transport'] ?? 'stdio') === 'stdio', 'transport is stdio');
    must(Number.isInteger(hook['priority'] ?? 0), 'priority is a whole number');
    const argv = texts(hook['command']);
    must(argv[0]?.startsWith('/') === true, 'the path is absolute');
    const intercept = onlyWords(texts(hook['intercept'] ?? []), PICOCLAW.intercept);
    const observe = onlyWords(texts(hook['observe'] ?? []), PICOCLAW.observe);
    return { host: 'picoclaw', argv, events: [...intercept.map((name) => `hook.${name}`), ...observe] };
  });
}

function inGemini(file: JsonObject): readonly HookStart[] {
  onlyKeys(file, GEMINI.file);
  if (file['hooksConfig'] !== undefined) {
    onlyKeys(objectIn(file['hooksConfig'], 'hooksConfig'), GEMINI.hooksConfig);
  }
  const events = onlyKeys(objectIn(file['hooks'] ?? {}, 'hooks'), GEMINI_EVENTS);
  return Object.entries(events).flatMap(([event, groups]) =>
    objectsIn(groups).flatMap((group) => {
      onlyKeys(group, GEMINI.group);
      return objectsIn(group['hooks']).map((hook) => geminiStart(event, hook));
    }),
  );
}

function geminiStart(event: string, hook: JsonObject): HookStart {
  onlyKeys(hook, GEMINI.hook);
  must(hook['type'] === 'command', 'type is command');
  must(/^policy-[0-9a-f]{6}$/.test(String(hook['name'])), 'the name cannot be guessed');
  must(Number(hook['timeout']) >= 10_000, 'timeout is in milliseconds');
  const env = Object.fromEntries(
    Object.entries(objectIn(hook['env'] ?? {}, 'env')).map(([key, value]) => [key, String(value)]),
  );
  return { host: 'gemini', events: [event], argv: ['bash', '-c', String(hook['command'])], env };
}

function inHookFolder(hook: JsonObject): readonly HookStart[] {
  onlyKeys(hook, JCLI.folder);
  const events = onlyWords(texts(hook['events']), JCLI_EVENTS);
  return [{ host: 'jcli', events, argv: ['bash', '-lc', jcliCommand(hook)] }];
}

function inHooksFile(file: JsonObject): readonly HookStart[] {
  const isOld = /--host-version [AB]\b/.test(JSON.stringify(file));
  onlyKeys(file, isOld ? OLD_JCLI_EVENTS : JCLI_EVENTS);
  return Object.entries(file).flatMap(([event, hooks]) =>
    objectsIn(hooks).map((hook) => {
      onlyKeys(hook, isOld ? JCLI.oldEntry : JCLI.entry);
      return { host: 'jcli', events: [event], argv: ['sh', '-c', jcliCommand(hook)] };
    }),
  );
}

function jcliCommand(hook: JsonObject): string {
  must((hook['type'] ?? 'bash') === 'bash', 'type is bash');
  must((hook['on_error'] ?? 'skip') === 'skip', 'on_error is the word that every generation knows');
  const { timeout } = hook;
  must(Number.isInteger(timeout) && Number(timeout) > 0, 'timeout is in whole seconds');
  return String(hook['command']);
}

function onlyKeys(object: JsonObject, known: readonly string[]): JsonObject {
  onlyWords(Object.keys(object), known);
  return object;
}

function onlyWords(words: readonly string[], known: readonly string[]): readonly string[] {
  const unknown = words.find((word) => !known.includes(word));
  must(unknown === undefined, `there is no "${unknown}"`);
  return words;
}

function objectIn(value: Json | undefined, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Error(`Cannot use the configuration: ${name} is not an object`);
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  must(Array.isArray(value) && value.length > 0, 'a list is missing');
  return Array.isArray(value) ? value.map((item) => objectIn(item, 'an entry')) : [];
}

function texts(value: Json | undefined): readonly string[] {
  must(Array.isArray(value), 'a list is missing');
  return Array.isArray(value) ? value.map(String) : [];
}

function must(holds: boolean, why: string): void {
  if (!holds) throw new Error(`Cannot use the configuration: ${why}`);
}
