import { type Json, type JsonObject, ownString } from '../lib/json.ts';
import type { Context, Event, EventKind, EventText, Subject, ToolCall } from '../model/event.ts';
import { otherArguments } from './argument-readings.ts';

/** The fields that an event makes from its parts. */
type DerivedField = 'tool' | 'texts' | 'context' | 'readings' | 'with' | 'callId' | 'twin';

/** The parts of an event from an adapter. Its functions run lazily and once; share them between events instead of closures. */
export interface EventParts
  extends Omit<Event, DerivedField | 'startsTurn'>,
    Partial<Pick<Event, 'callId' | 'twin' | 'startsTurn'>> {
  readonly context: (raw: JsonObject) => Context;
  readonly textsOf: (subject: Subject, raw: JsonObject) => readonly EventText[];
  readonly toolOf: (subject: Subject, raw: JsonObject) => ToolCall | undefined;
}

/** An event with lazy `tool`, `texts` and `context`. These are prototype accessors: use `with` for a copy, not spreading. */
export function createEvent(parts: EventParts): Event {
  return new LazyEvent(parts, parts.subject);
}

/** Marks a tool that was looked for and is not there; undefined means that nobody asked yet. */
const NO_TOOL = null;
const NONE: readonly Event[] = [];

const DEEPEST_READING = 3;

class LazyEvent implements Event {
  readonly kind: EventKind;
  readonly host: string;
  readonly native: string;
  readonly requestId: Json | undefined;
  readonly raw: JsonObject;
  readonly subject: Subject;
  readonly model: string | undefined;
  readonly session: string | undefined;
  readonly turn: string | undefined;
  readonly callId: string | undefined;
  readonly twin: string | undefined;
  readonly startsTurn: boolean;
  readonly startedIn?: NonNullable<Event['startedIn']>;
  readonly #parts: EventParts;
  #tool: ToolCall | typeof NO_TOOL | undefined = undefined;
  #texts: readonly EventText[] | undefined = undefined;
  #context: Context | undefined = undefined;
  #readings: readonly Event[] | undefined = undefined;

  constructor(parts: EventParts, subject: Subject, tool?: ToolCall) {
    this.kind = parts.kind;
    this.host = parts.host;
    this.native = parts.native;
    this.requestId = parts.requestId;
    this.raw = parts.raw;
    this.subject = subject;
    this.model = parts.model;
    this.session = parts.session;
    this.turn = parts.turn;
    this.callId = parts.callId;
    this.twin = parts.twin;
    this.startsTurn = parts.startsTurn ?? false;
    if (parts.startedIn !== undefined) this.startedIn = parts.startedIn;
    this.#parts = parts;
    this.#tool = tool;
  }

  get tool(): ToolCall | undefined {
    if (this.#tool === undefined) this.#tool = this.#parts.toolOf(this.subject, this.raw) ?? NO_TOOL;
    return this.#tool ?? undefined;
  }

  get readings(): readonly Event[] {
    this.#readings ??= this.tool?.reads === undefined ? NONE : this.#readAgain(this.tool);
    return this.#readings;
  }

  /** @param depth how often a reading is read again: JSON in JSON, with URIs in it */
  #readAgain(tool: ToolCall, depth = DEEPEST_READING): readonly Event[] {
    return otherArguments(tool).flatMap(({ arguments: args, parsed }) => {
      const isNew = parsed && args !== undefined;
      const read = isNew ? this.#parts.toolOf({ ...this.subject, arguments: args }, this.raw) : undefined;
      const isUnsure = args === undefined || (isNew && depth === 0);
      const { reads: _done, ...call } = {
        ...(read ?? { ...tool, arguments: args }),
        ...(isUnsure ? { unsure: true } : {}),
      };
      const event = new LazyEvent(this.#parts, this.subject, call);
      return read === undefined || isUnsure ? [event] : [event, ...this.#readAgain(read, depth - 1)];
    });
  }

  get texts(): readonly EventText[] {
    this.#texts ??= this.#parts.textsOf(this.subject, this.raw);
    return this.#texts;
  }

  get context(): Context {
    this.#context ??= this.#parts.context(this.raw);
    return this.#context;
  }

  with(subject: Subject): Event {
    return subject === this.subject ? this : new LazyEvent(this.#parts, subject);
  }
}

/** The origin of an event, as most hosts name it. */
export function contextIn(host: string, fields: JsonObject): Context {
  const cwd = ownString(fields, 'cwd');
  const session = ownString(fields, 'session_id');
  return {
    host,
    ...(cwd === undefined || cwd === '' ? {} : { cwd }),
    ...(session === undefined ? {} : { session }),
  };
}

/** The texts that are alone in a subject, by who says them. */
export function loneTexts(subject: Subject, speakers: Readonly<Record<string, string>>): EventText[] {
  return Object.entries(speakers).flatMap(([key, role]) => {
    const text = ownString(subject, key);
    return text === undefined ? [] : [{ role, text, path: [key] }];
  });
}
