import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import type { EventKind } from '../../../src/model/event.ts';
import { TESTED_HOSTS } from './host-reading.ts';
import { respondWith, rulesOf } from './strict-responder.ts';

const RULES = rulesOf(`
version: 1
policies:
  - id: no-push
    tool: shell
    arguments: {command: 'git\\s+push'}
    action: deny
    reason: Pushing is for people
  - id: no-pushing-results
    on: [after_tool, tool_failure]
    content: 'git\\s+push'
    action: deny
    reason: Not for the model
  - id: no-push-prompts
    on: [before_prompt, before_llm, after_llm]
    content: 'git\\s+push'
    action: deny
    reason: Not for the model
`);

/** A text that the policies refuse, with anything around it. */
const pushing = fc
  .tuple(fc.string({ unit: 'binary' }), fc.constantFrom(' ', '  ', '\t', '\n'), fc.string({ unit: 'binary' }))
  .map(([before, space, after]) => `${before.toWellFormed()}git${space}push${after.toWellFormed()}`);

/** Values under keys that no host has. */
const extras: fc.Arbitrary<JsonObject> = fc
  .dictionary(
    fc.string({ maxLength: 5 }).map((key) => `x-${key}`),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

/** The same value as JSON text in one of the ways in which it can be written, with more keys here and there. */
function writtenSomehow(value: Json, more: JsonObject, random: () => number): string {
  const space = () => ['', '', ' ', '\n\t'][Math.floor(random() * 4)] ?? '';
  const write = (part: Json, extra: JsonObject): string => {
    if (typeof part === 'string') return writeString(part, random);
    if (Array.isArray(part)) {
      return `[${part.map((item) => space() + write(item, extra)).join(`${space()},`)}${space()}]`;
    }
    if (!isJsonObject(part)) return JSON.stringify(part);
    const fields = Object.entries(part).map(([key, item]) => field(key, write(item, extra)));
    if (random() < 0.3)
      fields.push(...Object.entries(extra).map(([key, item]) => field(key, write(item, {}))));
    const shuffled = fields.map((text) => [random(), text] as const).sort(([a], [b]) => a - b);
    return `{${space()}${shuffled.map(([, text]) => text).join(`${space()},${space()}`)}}`;
  };
  const field = (key: string, text: string) => `${writeString(key, random)}${space()}:${space()}${text}`;
  return space() + write(value, more) + space();
}

function writeString(text: string, random: () => number): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const units = Array.from({ length: text.length }, (_, index) => text[index] ?? '');
  const written = units.map((unit) => {
    if (random() < 0.2 || /[\ud800-\udfff]/.test(unit)) return escaped(unit);
    return JSON.stringify(unit).slice(1, -1);
  });
  return `"${written.join('')}"`;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function dice(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

const KINDS: readonly EventKind[] = [
  'before_tool',
  'approve_tool',
  'after_tool',
  'tool_failure',
  'before_prompt',
  'before_llm',
  'after_llm',
];

describe.each(TESTED_HOSTS)('$title', (tested) => {
  const kinds = KINDS.filter((kind) => tested.preventable.includes(kind));
  test('what a policy refuses is refused in whatever way the message is written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), pushing, extras, fc.integer(), (on, text, more, seed) => {
        const message = tested.host.compose({
          on,
          tool: 'shell',
          arguments: { command: text },
          prompt: text,
          result: text,
          response: text,
        });
        const answer = respondWith(tested, RULES)(writtenSomehow(message, more, dice(seed)));
        expect([on, tested.read(on, answer)]).toEqual([on, 'prevented']);
      }),
      { numRuns: 75 },
    );
  });
});
