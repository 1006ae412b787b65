import { join } from 'node:path';
import type { JsonObject } from '../../../src/lib/json.ts';
import { answerIn } from '../hook/in-process.ts';
import { type Said, type Start, type Workplace, workplaceIn } from '../hook/workplace.ts';

/** A session of Claude Code that asks the hook about each event: in this process, or in one of its own where `start` says how. */
export interface ClaudeSession {
  readonly place: Workplace;
  /** Asks about a call; true if it may run. */
  readonly call: (tool: string, input: JsonObject, more?: JsonObject, start?: Start) => Promise<boolean>;
  /** Asks about a command, and tells how it ended: its exit code, or what is in the event after it. */
  readonly shell: (command: string, end?: number | JsonObject, more?: JsonObject) => Promise<boolean>;
  readonly edit: (file: string) => Promise<boolean>;
  /** Sends any event. */
  readonly send: (message: JsonObject, start?: Start) => Promise<Said>;
}

let ids = 0;

/** An id that no call has had. */
export function newId(): string {
  ids += 1;
  return `toolu_${ids}`;
}

/** The files that make a folder a repository. */
export function repository(folder: string): Readonly<Record<string, string>> {
  return { [`${folder}/.git/config`]: '[core]\n', [`${folder}/.git/HEAD`]: 'ref: refs/heads/main\n' };
}

export function claudeSession(
  folder: string,
  policies: string,
  fields: JsonObject = {},
  start?: Start,
): ClaudeSession {
  const place = workplaceIn(folder);
  place.write({ 'home/.config/policy/house.yaml': policies, ...repository('project') });
  return sessionIn(place, fields, start);
}

/** Another session, with other fields in its messages. */
export function sessionIn(place: Workplace, fields: JsonObject = {}, usual?: Start): ClaudeSession {
  const send: ClaudeSession['send'] = (message, start = usual) => {
    const input = JSON.stringify({
      session_id: 'session',
      transcript_path: '/home/me/.claude/projects/x/session.jsonl',
      cwd: place.project,
      prompt_id: 'prompt',
      permission_mode: 'default',
      ...fields,
      ...message,
    });
    const args = ['--host', 'claude'];
    if (start === undefined) return answerIn(place, args, input);
    return place.run({ args: ['hook', ...args], input, ...start });
  };
  const call: ClaudeSession['call'] = async (tool_name, tool_input, more = {}, start = usual) => {
    const asked = { hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: newId(), ...more };
    const { stdout } = await send(asked, start);
    const answer = JSON.parse(stdout);
    return answer.hookSpecificOutput?.permissionDecision !== 'deny';
  };
  const done = async (
    tool_name: string,
    tool_input: JsonObject,
    end: number | JsonObject,
    more: JsonObject,
  ) => {
    const id = newId();
    const passes = await call(tool_name, tool_input, { tool_use_id: id, ...more });
    if (!passes) return false;
    const failed = { hook_event_name: 'PostToolUseFailure', error: `Exit code ${end}`, is_interrupt: false };
    const ended = { hook_event_name: 'PostToolUse', tool_response: { stdout: '', interrupted: false } };
    const event = typeof end === 'object' ? { ...ended, ...end } : end === 0 ? ended : failed;
    await send({ tool_name, tool_input, tool_use_id: id, ...more, ...event });
    return true;
  };
  return {
    place,
    send,
    call,
    shell: (command, end = 0, more = {}) => done('Bash', { command, description: 'x' }, end, more),
    edit: (file) => done('Write', { file_path: join(place.project, file), content: 'x' }, 0, {}),
  };
}
