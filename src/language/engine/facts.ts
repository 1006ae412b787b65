import { fastHash } from '../../lib/digest.ts';
import type { Json } from '../../lib/json.ts';
import type { Event, EventText } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import { type History, NO_HISTORY } from '../../model/history.ts';
import type { Memory } from '../../model/memory.ts';
import type { ProgramRows } from '../../model/policy.ts';
import type { Surroundings } from '../../model/surroundings.ts';

/** Facts about an event; those from memory and the machine are looked up once, when first asked for. */
export function createFacts(
  event: Event,
  memory: Memory,
  surroundingsOf: (event: Event) => Surroundings,
  programs?: ProgramRows,
  history: History = NO_HISTORY,
): Facts {
  return new LazyFacts(event, memory, surroundingsOf, programs, history);
}

/** A class for its shape: one is made for every call, and accessors of a prototype cost nothing until they are asked. */
class LazyFacts implements Facts {
  readonly event: Event;
  readonly programs: ProgramRows | undefined;
  readonly history: History;
  readonly #memory: Memory;
  readonly #surroundingsOf: (event: Event) => Surroundings;
  #model: { readonly name: string | undefined } | undefined = undefined;
  #newTexts: readonly EventText[] | undefined = undefined;
  #surroundings: Surroundings | undefined = undefined;

  constructor(
    event: Event,
    memory: Memory,
    surroundingsOf: (event: Event) => Surroundings,
    programs: ProgramRows | undefined,
    history: History,
  ) {
    this.event = event;
    this.programs = programs;
    this.history = history;
    this.#memory = memory;
    this.#surroundingsOf = surroundingsOf;
  }

  get model(): string | undefined {
    this.#model ??= { name: this.event.model ?? recallModel(this.event, this.#memory) };
    return this.#model.name;
  }

  get newTexts(): readonly EventText[] {
    this.#newTexts ??= newTexts(this.event, this.#memory);
    return this.#newTexts;
  }

  get surroundings(): Surroundings {
    this.#surroundings ??= this.#surroundingsOf(this.event);
    return this.#surroundings;
  }
}

/** The facts of the same event after a rewrite: those from memory stay as they were. */
export function factsOf(event: Event, original: Facts): Facts {
  return {
    event,
    programs: original.programs,
    history: original.history,
    get surroundings() {
      return original.surroundings;
    },
    get model() {
      return event.model ?? original.model;
    },
    get newTexts() {
      const seen = new Set(
        original.event.texts.filter((text) => !original.newTexts.includes(text)).map(keyOf),
      );
      return event.texts.filter((text) => !seen.has(keyOf(text)));
    },
  };
}

/** Keeps the model's name for later events of the session that do not carry it. */
export function rememberModel(event: Event, memory: Memory): void {
  if (event.model === undefined || event.session === undefined) return;
  if (memory.get('model', event.session) !== event.model) memory.set('model', event.session, event.model);
}

function recallModel(event: Event, memory: Memory): string | undefined {
  if (event.session === undefined) return undefined;
  try {
    const model = memory.get('model', event.session);
    return typeof model === 'string' ? model : undefined;
  } catch {
    // A state that cannot be read makes the model unknown, and `when_unknown` decides.
    return undefined;
  }
}

function keyOf(text: EventText): string {
  return `${text.role ?? ''}\0${text.text}`;
}

const MAX_REMEMBERED_TEXTS = 10_000;

/**
 * The texts after those that the last look saw in the same places, and never none: a request sent again unchanged is judged from
 * its last user message on, so that a refusal cannot be sat out by repeating the request. Only requests to the model carry a
 * history; the texts of every other event are all new.
 */
function newTexts(event: Event, memory: Memory): readonly EventText[] {
  const { texts } = event;
  if (event.kind !== 'before_llm' || event.session === undefined) return texts;
  const hashes = texts.slice(0, MAX_REMEMBERED_TEXTS).map((text) => fastHash(keyOf(text)));
  try {
    const before = memory.get('texts', event.session);
    memory.set('texts', event.session, hashes);
    const known = Array.isArray(before) ? commonPrefix(before, hashes) : 0;
    if (known < texts.length) return texts.slice(known);
    const lastUser = texts.findLastIndex((text) => text.role === 'user');
    return texts.slice(Math.max(lastUser, 0));
  } catch {
    return texts;
  }
}

function commonPrefix(before: readonly Json[], now: readonly string[]): number {
  let length = 0;
  while (length < now.length && before[length] === now[length]) length += 1;
  return length;
}
