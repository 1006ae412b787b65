import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { parseDocument } from 'yaml';
import type { Decoded, Host, Reply as HostReply, HostSetting } from '../../src/hosts/host.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/lib/json.ts';
import { type Decision, decide } from '../../src/model/decision.ts';
import type { Event } from '../../src/model/event.ts';

// A host's golden.yaml has the messages that it sends, what is read from each, and the bytes that answer each decision. It says a
// thing once: a case is laid over its group, and that over the file; `(none)` takes a key away. A call's name and arguments are
// those of its subject. `answers` lists decisions whose replies are in the table of the host, or of the host that is its
// family: by native event, then for any. `replies` has others in full, with `${message.…}` for a part of the message.

/** Decisions that most events are answered with. */
const DECISIONS: Readonly<Record<string, PartialDecision>> = {
  continue: { action: 'continue' },
  context: { action: 'continue', contexts: ['look'] },
  show: { action: 'continue', messages: ['one'], contexts: ['look'] },
  approve: { action: 'approve', reason: 'Harmless.' },
  ask: { action: 'ask', reason: 'Sure?' },
  deny: { action: 'deny', reason: 'No.' },
  deny_silently: { action: 'deny' },
  abort_turn: { action: 'abort_turn', reason: 'Stop.' },
  hard_abort: { action: 'hard_abort', reason: 'Stop.' },
  retry_feedback: { action: 'retry_feedback', feedback: 'Again.' },
  respond: { action: 'respond', result: { for_llm: 'Answer' } },
};
const NONE = '(none)';
/** One line for each message, reading and reply. */
const LAYOUT = { lineWidth: 0, flowCollectionPadding: false, doubleQuotedMinMultiLineLength: 1e6 };
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

/** `subject` is laid over the event's. */
type PartialDecision = Partial<Decision> & Pick<Decision, 'action'>;
/** Standard output, which is all if it succeeds and says nothing else; or that, standard error and the exit code. */
type Reply = string | readonly [string, string, number];

interface Golden {
  readonly family?: string;
  /** Whether each answer ends with a newline, which is left out here. */
  readonly newline?: boolean;
  readonly answers?: Readonly<Record<string, Readonly<Record<string, Reply>>>>;
  readonly message?: JsonObject;
  readonly read?: JsonObject;
  readonly groups: readonly Group[];
}

interface Group {
  readonly on: string;
  readonly message?: JsonObject;
  readonly read?: JsonObject;
  readonly cases: readonly Case[];
}

interface Case {
  readonly name: string;
  readonly message?: JsonObject;
  /** A message that shares nothing with the others. */
  readonly whole?: Json;
  readonly setting?: Partial<HostSetting>;
  readonly read?: JsonObject;
  readonly answers?: readonly string[];
  readonly replies?: readonly Answer[];
}

interface Answer {
  readonly decision: string | PartialDecision;
  readonly setting?: Partial<HostSetting>;
  readonly reply: Reply;
}

/** A setting with nothing known but what is given. */
export function settingOf(parts: Partial<HostSetting> = {}): HostSetting {
  return { version: undefined, env: {}, cwd: '/work', interactive: false, ...parts };
}

/** The messages of a host's table. */
export function messagesOf({ name }: Host): readonly Json[] {
  const golden = goldenOf(name);
  return golden.groups.flatMap((group) => group.cases.map((each) => messageOf(golden, group, each)));
}

/** Tests a host on every case of its table. `UPDATE_GOLDEN=1` writes what it reads and answers now. */
export function testTranscripts(host: Host): void {
  const golden = goldenOf(host.name);
  const family = golden.family === undefined ? undefined : goldenOf(golden.family);
  const text = UPDATE ? parseDocument(readFileSync(pathOf(host.name), 'utf8')) : undefined;
  golden.groups.forEach((group, g) => {
    describe(group.on, () => {
      group.cases.forEach((each, c) => {
        test(each.name, () => {
          const message = messageOf(golden, group, each);
          const setting = settingOf(each.setting);
          const decoded = host.decode(message, setting);
          const base = overlay(golden.read ?? {}, group.read ?? {}) as JsonObject;
          const write = (key: string, value: unknown) =>
            text?.setIn(['groups', g, 'cases', c, key], text.createNode(value, { flow: true }));
          const read = shown(decoded, golden);
          const wanted = isUnread(each.read) ? { ...each.read } : withCall(overlay(base, each.read ?? {}));
          if (UPDATE && !Bun.deepEquals(read, wanted))
            write('read', 'type' in read ? read : difference(base, read));
          else expect(read).toEqual(wanted);
          if (decoded.type !== 'event') return;

          const { event } = decoded;
          const answer = (given: Omit<Answer, 'reply'>): Reply =>
            encode(host, golden, event, given.decision, { ...setting, ...given.setting });
          const table = (decision: string): Reply | undefined =>
            [golden, family]
              .flatMap((from) => [
                from?.answers?.[event.native]?.[decision],
                from?.answers?.['any']?.[decision],
              ])
              .find((reply) => reply !== undefined);
          const replies = [
            ...(each.answers ?? []).map((decision) => ({ decision, reply: table(decision) ?? '' })),
            ...(each.replies ?? []),
          ];
          const wrong: Answer[] = [];
          for (const given of replies) {
            const reply = filled(given.reply, {
              message,
              decision: decisionOf(given.decision) as unknown as JsonObject,
            });
            if (!UPDATE) expect([given.decision, answer(given)]).toEqual([given.decision, reply]);
            else if (!Bun.deepEquals(answer(given), reply)) wrong.push({ ...given, reply: answer(given) });
          }
          if (wrong.length === 0) return;
          const isRight = (decision: Answer['decision']) =>
            wrong.every((given) => given.decision !== decision);
          write('answers', (each.answers ?? []).filter(isRight));
          write('replies', [...(each.replies ?? []).filter(({ decision }) => isRight(decision)), ...wrong]);
        });
      });
    });
  });
  if (text !== undefined) afterAll(() => writeFileSync(pathOf(host.name), text.toString(LAYOUT)));
}

function pathOf(name: string): string {
  return join(import.meta.dir, name, 'golden.yaml');
}

function goldenOf(name: string): Golden {
  return load(readFileSync(pathOf(name), 'utf8')) as Golden;
}

function messageOf(golden: Golden, group: Group, { whole, message }: Case): Json {
  if (whole !== undefined) return whole;
  return overlay(overlay(golden.message ?? {}, group.message ?? {}), message ?? {});
}

function decisionOf(decision: Answer['decision']): PartialDecision {
  if (typeof decision !== 'string') return decision;
  const named = DECISIONS[decision];
  if (named === undefined) throw new Error(`Cannot answer with "${decision}": no decision has this name`);
  return named;
}

function encode(
  host: Host,
  golden: Golden,
  event: Event,
  given: Answer['decision'],
  setting: HostSetting,
): Reply {
  const partial = decisionOf(given);
  const { subject } = partial;
  const decision = decide({
    ...partial,
    ...(subject === undefined ? {} : { subject: { ...event.subject, ...subject } }),
  });
  return shortly(host.encode(event, decision, setting), golden);
}

function shortly({ stdout, stderr, exitCode }: HostReply, { newline = false }: Golden): Reply {
  if (newline) expect(stdout).toMatch(/^$|\n$/);
  const text = newline ? stdout.replace(/\n$/, '') : stdout;
  return stderr === '' && exitCode === 0 ? text : [text, stderr, exitCode];
}

/** The reply with the parts of a message and a decision that it names. */
function filled(reply: Reply, from: JsonObject): Reply {
  if (typeof reply !== 'string') return [filled(reply[0], from) as string, reply[1], reply[2]];
  return reply.replaceAll(/\$\{([\w.]+)\}/g, (_, path: string) =>
    JSON.stringify(path.split('.').reduce<unknown>((value, key) => (value as JsonObject)[key], from)),
  );
}

/** What a policy gets to see. */
function shown(decoded: Decoded, golden: Golden): JsonObject {
  switch (decoded.type) {
    case 'event': {
      const { kind, native, subject, texts, model, session, context } = decoded.event;
      // How the host reads arguments is the same for every call of a tool, and has tests of its own.
      const tool = decoded.event.tool && { ...decoded.event.tool, reads: undefined, finds: undefined };
      return JSON.parse(
        JSON.stringify({ kind, native, subject, tool, texts, model, session, context }),
      ) as JsonObject;
    }
    case 'reply':
      return { type: 'reply', reply: shortly(decoded.reply, golden) as Json };
    case 'malformed':
      return { type: 'malformed', cause: decoded.cause, reply: shortly(decoded.reply, golden) as Json };
  }
}

function isUnread(read: JsonObject | undefined): read is JsonObject {
  return read !== undefined && 'type' in read;
}

/** A call has its subject's name and arguments, unless it says otherwise. */
function withCall(read: Json): JsonObject {
  if (!isJsonObject(read)) throw new Error('Cannot compare what is read: it is no object');
  const { tool, subject } = read;
  if (!isJsonObject(tool) || !isJsonObject(subject)) return read;
  const call = {
    ...('tool' in subject ? { name: subject['tool'] } : {}),
    ...('arguments' in subject ? { arguments: subject['arguments'] } : {}),
  };
  return { ...read, tool: overlay(call as JsonObject, tool) };
}

function overlay(under: Json, over: Json): Json {
  if (!isJsonObject(under) || !isJsonObject(over)) return over;
  const result: Record<string, Json> = { ...under };
  for (const [key, value = null] of Object.entries(over))
    if (value === NONE) delete result[key];
    else result[key] = overlay(result[key] ?? {}, value);
  return result;
}

/** What to lay over the first to have the second. */
function difference(under: JsonObject, wanted: JsonObject): JsonObject {
  const changed = Object.entries(wanted).filter(([key, value]) => !Bun.deepEquals(under[key], value));
  return Object.fromEntries([
    ...Object.keys(under)
      .filter((key) => !(key in wanted))
      .map((key) => [key, NONE]),
    ...changed.map(([key, value]) => {
      const before = under[key];
      return [key, isJsonObject(before) && isJsonObject(value) ? difference(before, value) : value];
    }),
  ]) as JsonObject;
}
