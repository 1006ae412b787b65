import fc from 'fast-check';
import type { BareCall, Host } from '../../../src/hosts/host.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { EVENT_KINDS, type EventKind } from '../../../src/model/event.ts';

/** A message of a host as text, for one call or event. */
export function messageText(host: Host, call: BareCall): string {
  return JSON.stringify(host.compose(call));
}

/** The message before a command of the shell runs, or before a call of another tool. */
export function callText(
  host: Host,
  call: string | Pick<BareCall, 'tool' | 'arguments'>,
  cwd: string,
): string {
  const asked = typeof call === 'string' ? { tool: 'shell', arguments: { command: call } } : call;
  return messageText(host, { on: 'before_tool', ...asked, context: { cwd } });
}

/** One usual message of a host for each kind of event that it has. */
export function usualMessages(host: Host): readonly Json[] {
  const kinds = new Set(Object.values(host.events));
  return EVENT_KINDS.filter((kind) => kinds.has(kind)).map((on) => host.compose(usualCall(on)));
}

function usualCall(on: EventKind): BareCall {
  return {
    on,
    tool: 'shell',
    arguments: { command: 'git push -f', action: 'run' },
    model: 'some-model',
    prompt: 'please push',
    result: 'pushed',
    response: 'done',
    context: { cwd: '/work', session: 's1' },
  };
}

/** Any text at all, most of it close to what a host would send. */
export function anyText(host: Host): fc.Arbitrary<string> {
  const usual = fc.constantFrom(...usualMessages(host));
  const bent = usual.chain(bend);
  const text = fc.oneof(bent, usual).map((message) => JSON.stringify(message));
  return fc.oneof(
    { weight: 4, arbitrary: bent.map((message) => JSON.stringify(message)) },
    { weight: 4, arbitrary: text.chain(spoil) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('utf8')),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        ' ',
        '\n',
        '\0',
        '\ufeff',
        'null',
        '[]',
        '{}',
        '""',
        '0',
        '{"a":1',
        '}{',
      ),
    },
  );
}

/** The same message with one value, anywhere in it, put in the place of another or taken away. */
function bend(message: Json): fc.Arbitrary<Json> {
  const places = placesIn(message);
  const odd: fc.Arbitrary<Json | undefined> = fc.oneof(
    fc.constantFrom<Json | undefined>(
      undefined,
      null,
      true,
      0,
      -1,
      1e308,
      2 ** 53,
      '',
      '\0',
      '\ud800',
      [],
      {},
    ),
    fc.constantFrom<Json>(
      { __proto__: null, constructor: 'x' },
      [[[[]]]],
      'constructor',
      '__proto__',
      'toString',
    ),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json),
  );
  return fc.tuple(fc.constantFrom(...places), odd).map(([place, value]) => putAt(message, place, value));
}

type Place = readonly (string | number)[];

function placesIn(value: Json, here: Place = []): readonly Place[] {
  const entries: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return [here, ...entries.flatMap(([key, item]) => placesIn(item, [...here, key]))];
}

function putAt(value: Json, place: Place, put: Json | undefined): Json {
  const [key, ...rest] = place;
  if (key === undefined) return put ?? null;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      if (index !== key) return [item];
      return rest.length === 0 && put === undefined ? [] : [putAt(item, rest, put)];
    });
  }
  const object = value as JsonObject;
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, item]) => {
      if (name !== key) return [[name, item] as const];
      return rest.length === 0 && put === undefined ? [] : [[name, putAt(item, rest, put)] as const];
    }),
  );
}

/** The same text cut, doubled, or with something put into it. */
function spoil(text: string): fc.Arbitrary<string> {
  const at = fc.nat({ max: text.length });
  const junk = fc.oneof(
    fc.constantFrom(...'\0\ufeff"\\{}[],: \n', '\ud800', '1e999', '\\ud800'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  return fc.oneof(
    at.map((end) => text.slice(0, end)),
    at.map((start) => text.slice(start)),
    fc.constantFrom(text + text, `${text}\n${text}`, `\ufeff${text}`, `${text}\0`, ` \n${text}\r\n `),
    fc.tuple(at, junk).map(([index, put]) => text.slice(0, index) + put + text.slice(index)),
    fc
      .tuple(at, at, junk)
      .map(([a, b, put]) => text.slice(0, Math.min(a, b)) + put + text.slice(Math.max(a, b))),
  );
}
