import { asObject, isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import {
  argumentsOf,
  type Ending,
  type Entry,
  endedCalls,
  isoTime,
  objectsIn,
  type Sessions,
} from '../sessions.ts';

/** `sessions/<year>/<month>/<day>/rollout-*.jsonl`, and those that were archived; an item a line. */
export const sessions: Sessions = {
  folders: (env, home) => [env['CODEX_HOME'] ?? `${home}/.codex`],
  files: /^(?:archived_)?sessions\/(?:.+\/)?rollout-[^/]+\.jsonl$/,
  read({ text }) {
    const items = objectsIn(text);
    const meta = items.find((item) => item['type'] === 'session_meta' && isJsonObject(item['payload']));
    if (meta === undefined) return undefined;
    const session = ownString(payloadOf(meta), 'id') ?? '';
    let cwd = ownString(payloadOf(meta), 'cwd');
    return endedCalls(
      items.flatMap((item): readonly Entry[] => {
        const payload = payloadOf(item);
        const id = ownString(payload, 'call_id');
        if (item['type'] === 'turn_context') {
          cwd = ownString(payload, 'cwd') ?? cwd;
          return [{ prompt: true }];
        }
        if (/_output$/.test(ownString(payload, 'type') ?? '') && id !== undefined)
          return [{ session, ended: id, ...endOf(own(payload, 'output')) }];
        const call = item['type'] === 'response_item' ? callOf(payload) : undefined;
        if (call === undefined) return [];
        const made = { ...call, cwd: call.cwd ?? cwd, session, time: isoTime(item['timestamp']), id };
        return [made];
      }),
    ).map((call) => ({ ...call, event: { turn_id: `turn-${call.turn ?? 0}` } }));
  },
};

function endOf(output: Json = ''): Ending {
  const text = isJsonObject(output) ? ownString(output, 'content') : output;
  const begin = String(text ?? '').trimStart();
  if (NOT_RUN.test(begin)) return { ran: false };
  if (PERHAPS_NOT_RUN.test(begin)) return { ran: undefined };
  return { ran: true, result: { on: 'after_tool', value: output } };
}

/** How the results begin of calls that have not run. */
const NOT_RUN =
  /^(?:exec command rejected by user|patch rejected by user|(?:command|tool call) blocked by PreToolUse hook|unsupported call: |failed to parse function arguments)/i;
/** A text like a refusal may be the answer of the tool, and a call that a person has stopped may have run for a while. */
const PERHAPS_NOT_RUN = /^(?:aborted|.{0,60}(?:rejected|denied|blocked))\b/i;

interface Call {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly cwd?: string | undefined;
}

/** A call as hooks receive it: all shells are one tool. Undefined for calls that hooks do not receive. */
function callOf(payload: JsonObject): Call | undefined {
  switch (payload['type']) {
    case 'local_shell_call': {
      const action = asObject(payload['action']);
      return shellCall(action['command'], ownString(action, 'working_directory'));
    }
    case 'custom_tool_call': {
      const name = ownString(payload, 'name');
      if (name === undefined || NOT_ASKED.has(name)) return undefined;
      return { tool: name, arguments: { command: payload['input'] ?? '' } };
    }
    case 'function_call': {
      const name = ownString(payload, 'name');
      const args = argumentsOf(payload['arguments']);
      if (name === undefined || NOT_ASKED.has(name)) return undefined;
      if (!SHELLS.has(name)) return { tool: name, arguments: args };
      return shellCall(args['cmd'] ?? args['command'], ownString(args, 'workdir'));
    }
    default:
      return undefined;
  }
}

/** More input for a shell, and code that calls tools: hooks receive only the calls in the code, which are not in the session. */
const NOT_ASKED: ReadonlySet<string> = new Set(['write_stdin', 'exec']);
const SHELLS: ReadonlySet<string> = new Set(['exec_command', 'shell', 'shell_command', 'container.exec']);

function shellCall(command: Json | undefined, cwd: string | undefined): Call {
  return { tool: 'Bash', arguments: { command: scriptOf(command) }, cwd };
}

/** `["bash", "-lc", "ls"]` is the script; other words are one command. */
function scriptOf(command: Json | undefined): Json {
  if (!Array.isArray(command)) return command ?? '';
  const words = command.map(String);
  const [shell = '', flag = '', script] = words;
  if (words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag)) return script ?? '';
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

function payloadOf(item: JsonObject): JsonObject {
  return asObject(own(item, 'payload'));
}
