import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Decoded, Host, HostSetting } from '../../src/hosts/host.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { type Decision, decide } from '../../src/model/decision.ts';
import type { Event } from '../../src/model/event.ts';

/** One message of a host, what is read from it, and what is answered for each decision. */
interface Transcript {
  readonly name: string;
  readonly message: Json;
  readonly setting?: Partial<HostSetting>;
  readonly decoded?: JsonObject;
  readonly answers?: readonly Answer[];
}

interface Answer {
  /** `subject` is laid over the event's. */
  readonly decision: Partial<Decision> & Pick<Decision, 'action'>;
  readonly setting?: Partial<HostSetting>;
  readonly reply?: JsonObject;
}

const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

/** A setting with nothing known but what is given. */
export function settingOf(parts: Partial<HostSetting> = {}): HostSetting {
  return { version: undefined, env: {}, cwd: '/work', interactive: false, ...parts };
}

/** Tests a host on every transcript in a folder. `UPDATE_GOLDEN=1` writes what it reads and answers now. */
export function testTranscripts(host: Host, folder: string): void {
  for (const file of readdirSync(folder).sort()) {
    const path = join(folder, file);
    const before = JSON.parse(readFileSync(path, 'utf8')) as readonly Transcript[];
    const after = before.map((transcript) => replay(host, transcript));
    if (UPDATE) writeFileSync(path, `${JSON.stringify(after, undefined, 2)}\n`);
    describe(file.replace(/\.json$/, ''), () => {
      before.forEach((transcript, i) => {
        test(transcript.name, () => {
          expect(after[i]).toEqual(UPDATE ? after[i] : transcript);
        });
      });
    });
  }
}

function replay(host: Host, transcript: Transcript): Transcript {
  const setting = settingOf(transcript.setting);
  const decoded = host.decode(transcript.message, setting);
  const answers =
    decoded.type === 'event' && transcript.answers !== undefined
      ? { answers: transcript.answers.map((answer) => encode(host, decoded.event, answer, setting)) }
      : {};
  return { ...transcript, decoded: shown(decoded), ...answers };
}

function encode(host: Host, event: Event, answer: Answer, setting: HostSetting): Answer {
  const { subject } = answer.decision;
  const decision = decide({
    ...answer.decision,
    ...(subject === undefined ? {} : { subject: { ...event.subject, ...subject } }),
  });
  const reply = host.encode(event, decision, { ...setting, ...answer.setting });
  return { ...answer, reply: { ...reply } };
}

/** What a policy gets to see. */
function shown(decoded: Decoded): JsonObject {
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
      return { type: 'reply', reply: { ...decoded.reply } };
    case 'malformed':
      return { type: 'malformed', cause: decoded.cause, reply: { ...decoded.reply } };
  }
}
