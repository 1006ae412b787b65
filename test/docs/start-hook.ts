import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLED_PROGRAM } from '../../src/hosts/clean-start.ts';
import type { Host } from '../../src/hosts/host.ts';
import { hostNamed } from '../../src/hosts/registry.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../../src/lib/json.ts';
import type { EventKind } from '../../src/model/event.ts';
import { BINARY } from '../support/binary.ts';
import type { HookStart } from './host-configuration.ts';

/** The answers of a configured hook to a call of the shell, on each event it is configured for. */
export function answersTo(start: HookStart, command: string, home: string): ReadonlyMap<string, JsonObject> {
  const host = hostOf(start);
  const events = start.events.filter((event) => host.events[event] !== undefined);
  const messages = events.map((event) => messageOf(host, event, command));
  const outputs =
    host.framing === 'lines'
      ? linesOf(runHook(start, messages.map((message) => `${JSON.stringify(message)}\n`).join(''), home))
      : messages.map((message) => runHook(start, JSON.stringify(message), home));
  const asked = host.framing === 'lines' ? events.filter((event) => event.startsWith('hook.')) : events;
  return new Map(asked.map((event, index) => [event, answerIn(outputs[index] ?? '')]));
}

/** Starts the hook once, as its host does. */
export function runHook(start: HookStart, stdin: string, home: string): string {
  return spawnHook(start, stdin, home, BINARY).stdout.toString();
}

/**
 * Whether a call is kept from running where another program is in the hook's place, by what the host of the hook
 * makes of its output. The output of such a program is none of ours.
 */
export function refusesInPlaceOf(start: HookStart, program: string, home: string): boolean {
  const { stdout, stderr, exitCode } = spawnHook(start, '{}', home, program);
  const [said, complained] = [stdout.toString().trim(), stderr.toString().trim()];
  // To Gemini CLI text is a refusal if the exit code is 2 or more; null, which stands for a signal, is 0.
  if (start.host === 'gemini') return (exitCode ?? 0) >= 2 && (said || complained) !== '';
  if (exitCode !== 0 || !said.startsWith('{')) return false;
  const answer = answerIn(said);
  const isOld = start.argv.some((word) => /--host-version [AB]\b/.test(word));
  return isOld ? own(answer, 'abort') === true : own(answer, 'action') === 'skip';
}

function spawnHook({ argv, env }: HookStart, stdin: string, home: string, program: string) {
  const project = join(home, 'project');
  mkdirSync(project, { recursive: true });
  return Bun.spawnSync(
    argv.map((word) => word.replaceAll(INSTALLED_PROGRAM, program).replace('HOME=/home/me', `HOME=${home}`)),
    { cwd: project, env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env }, stdin: Buffer.from(stdin) },
  );
}

/** The kind of one of a host's own events. */
export function kindOf(start: HookStart, event: string): EventKind | undefined {
  return hostOf(start).events[event];
}

/** True if the host would not run the call. */
export function refuses(answer: JsonObject): boolean {
  return (
    own(answer, 'decision') === 'deny' ||
    own(answer, 'action') === 'skip' ||
    own(answer, 'abort') === true ||
    own(answer, 'action') === 'deny_tool' ||
    own(answer, 'approved') === false
  );
}

function hostOf({ host }: HookStart): Host {
  const found = hostNamed(host);
  if (found === undefined) throw new Error(`Cannot find host "${host}"`);
  return found;
}

function messageOf(host: Host, event: string, command: string): Json {
  const on = host.events[event] ?? 'notification';
  const message = host.compose({ on, tool: 'shell', arguments: { command }, prompt: 'go on' });
  return host.name === 'jcli' && isJsonObject(message) ? { ...message, event } : message;
}

function linesOf(output: string): readonly string[] {
  return output.split('\n').filter((line) => line !== '');
}

/** PicoClaw's answers are in an envelope. */
function answerIn(output: string): JsonObject {
  const answer: unknown = JSON.parse(output);
  if (!isJsonObject(answer)) throw new Error(`Cannot read the answer ${output}`);
  return ownObject(answer, 'result') ?? answer;
}
