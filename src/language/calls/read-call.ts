import { meaningsOf } from '../../hosts/argument-names.ts';
import type { BareCall } from '../../hosts/host.ts';
import { closest, didYouMean } from '../../lib/closest.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import { orList } from '../../lib/or-list.ts';
import type { SpecProblem } from '../../model/diagnostic.ts';
import {
  CLOSED_CLASSES,
  CONTEXT_KEYS,
  EVENT_KINDS,
  type EventKind,
  TOOL_CLASSES,
} from '../../model/event.ts';
import { PATCH_ARGUMENTS } from '../keys/call/paths.ts';
import { scalarsOf } from '../keys/context/analyse.ts';
import { CALL_KEYS, EVENTS_BY_LIKELIHOOD, MAIN_KEYS, TOOL_KINDS } from './call-keys.ts';
import { kindName } from './kind-name.ts';

export type CallReading =
  | { readonly ok: true; readonly call: BareCall }
  | { readonly ok: false; readonly problems: readonly SpecProblem[] };

/**
 * Reads a call as people write it: `{tool: shell, command: git push}`. The keys of `CALL_KEYS` mean themselves, every
 * other key is an argument of the tool; beside `arguments` there are none.
 *
 * @param events the events it may mean if it does not say, likeliest first
 * @param tool the tool that it means if it does not say
 * @param tested arguments that the policy itself tests
 */
export function readCall(
  value: Json,
  events: readonly EventKind[] = EVENTS_BY_LIKELIHOOD,
  tool?: string,
  tested: readonly string[] = [],
): CallReading {
  if (!isJsonObject(value)) {
    const message = `Cannot use the call: it is ${kindName(value)}`;
    return {
      ok: false,
      problems: [{ code: 'wrong-type', path: [], message, hint: 'write a mapping' }],
    };
  }
  const problems = [
    ...typeProblems(value),
    ...argumentProblems(value, ownString(value, 'tool') ?? tool, tested),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const kind = kindOf(value, events);
  if (typeof kind !== 'string') return { ok: false, problems: kind };
  return { ok: true, call: callOf(kind, value) };
}

function isReserved(key: string): boolean {
  return Object.hasOwn(CALL_KEYS, key);
}

function typeProblems(call: JsonObject): readonly SpecProblem[] {
  const problems = Object.entries(call).flatMap(([key, value]): readonly SpecProblem[] => {
    const wanted = isReserved(key) ? wantedType(CALL_KEYS[key]?.schema ?? {}, value) : undefined;
    if (wanted === undefined) return [];
    const message = `Cannot use key "${key}" of a call: it is ${kindName(value)}`;
    return [{ code: 'wrong-type', path: [key], message, hint: `write ${wanted}` }];
  });
  return [...problems, ...eventProblems(call), ...contextProblems(own(call, 'context'))];
}

/** In words, where a value is of another type. */
function wantedType({ type, minLength = 0, enum: names }: JsonObject, value: Json): string | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' && (value !== '' || (minLength === 0 && names === undefined))
        ? undefined
        : 'a string';
    case 'array':
      return Array.isArray(value) && value.every(isJsonObject) ? undefined : 'a list of mappings';
    case 'object':
      return isJsonObject(value) ? undefined : 'a mapping';
    default:
      return undefined;
  }
}

function eventProblems(call: JsonObject): readonly SpecProblem[] {
  const on = ownString(call, 'on');
  if (on === undefined || isKind(on)) return [];
  const hint = didYouMean(on, EVENT_KINDS, `write ${orList(EVENT_KINDS)}`);
  return [{ code: 'bad-value', path: ['on'], message: `Cannot use event "${on}"`, hint }];
}

function contextProblems(context: Json | undefined): readonly SpecProblem[] {
  if (!isJsonObject(context)) return [];
  return Object.entries(context).flatMap(([key, value]): readonly SpecProblem[] => {
    const path = ['context', key];
    const message = `Cannot use key "${key}" of "context"`;
    if (!CONTEXT_KEYS.some((known) => known === key)) {
      const hint = didYouMean(key, CONTEXT_KEYS, `use one of ${CONTEXT_KEYS.join(', ')}`);
      return [{ code: 'unknown-key', path, at: 'key', message, hint }];
    }
    if (typeof value !== 'object') return [];
    const hint = 'write a string, a number, true or false';
    return [{ code: 'wrong-type', path, message: `${message}: it is ${kindName(value)}`, hint }];
  });
}

function argumentProblems(
  call: JsonObject,
  tool: string | undefined,
  tested: readonly string[],
): readonly SpecProblem[] {
  const names = Object.keys(call).filter((key) => !isReserved(key));
  if (Object.hasOwn(call, 'arguments')) {
    return names.map((key) => ({
      code: 'unknown-key',
      path: [key],
      at: 'key',
      message: `Cannot use key "${key}" of a call beside "arguments"`,
      hint: 'put it into "arguments", or leave "arguments" out',
    }));
  }
  return names.flatMap((key): readonly SpecProblem[] => {
    if (tested.includes(key)) return [];
    const message = `Cannot use key "${key}" of a call`;
    const meant = meantKey(key, call, tool ?? 'shell');
    const hint =
      cutHint(key, call, tool) ?? misplacedHint(key, call, tool) ?? (meant && `did you mean "${meant}"?`);
    return hint === undefined ? [] : [{ code: 'unknown-key', path: [key], at: 'key', message, hint }];
  });
}

/** `{command: chmod a=r,u+w x}` has two keys. */
function cutHint(key: string, call: JsonObject, tool = 'shell'): string | undefined {
  return call[key] === null && (tool === 'shell' || !/^\w+$/.test(key))
    ? 'put text with a comma into quotes'
    : undefined;
}

/** Keys of a call that hold mappings: a tool's argument that holds one is rarely called nearly so. */
const MAPPINGS = Object.keys(CALL_KEYS).filter((key) => CALL_KEYS[key]?.schema['type'] === 'object');
const ARGUMENTS = [
  'command',
  'cwd',
  'path',
  'content',
  'old_text',
  'new_text',
  'url',
  'query',
  'server',
  'tool_name',
];

/** The names that agents and their documents give to all arguments together. */
const ALL_ARGUMENTS = ['tool_input', 'toolInput', 'input', 'args', 'params', 'parameters'];

/** Facts of the context that no tool of a closed class has an argument for. */
const FACTS_ONLY = ['agent', 'subagent', 'branch', 'repository', 'repository_root', 'permission_mode'];

/** The right place of a key that no tool of this kind reads; undefined if it may be an argument. */
function misplacedHint(key: string, call: JsonObject, tool: string | undefined): string | undefined {
  if (!CLOSED_CLASSES.some((name) => name === tool)) return undefined;
  if (key === 'host' || key === 'hosts') return 'write it beside "call", in a case of a *.test.yaml file';
  if (FACTS_ONLY.includes(key)) return `write context: {${key}: …}`;
  return ALL_ARGUMENTS.includes(key) && isJsonObject(call[key]) ? 'write "arguments"' : undefined;
}

/** The key that a misspelt one was meant to be; undefined if it may as well be an argument of the tool. */
function meantKey(key: string, call: JsonObject, tool: string): string | undefined {
  if (isJsonObject(call[key])) return closest(key, MAPPINGS);
  const isPortable = TOOL_CLASSES.some((name) => name === tool);
  const isKnown = [...ARGUMENTS, ...PATCH_ARGUMENTS].includes(key) || meaningsOf(key).length > 0;
  if (!isPortable || isKnown) return undefined;
  const meant = closest(key, [...ARGUMENTS, ...Object.keys(CALL_KEYS)]);
  return meant === undefined || Object.hasOwn(call, meant) ? undefined : meant;
}

function kindOf(call: JsonObject, events: readonly EventKind[]): EventKind | readonly SpecProblem[] {
  const on = ownString(call, 'on');
  if (on !== undefined && isKind(on)) {
    const foreign = foreignKeys(call, on);
    return foreign.length === 0 ? on : foreign.map((key) => foreignKey(key, on));
  }
  const fits = (kind: EventKind) => !Object.keys(call).some((key) => isForeign(key, kind));
  const fitting = events.find((kind) => isTold(call, kind) && fits(kind)) ?? events.find(fits);
  if (fitting !== undefined) return fitting;
  const [first = 'before_tool'] = events;
  return foreignKeys(call, first).map((key) => foreignKey(key, first));
}

function isTold(call: JsonObject, kind: EventKind): boolean {
  const key = MAIN_KEYS[kind];
  return key === undefined || Object.hasOwn(call, key);
}

function foreignKeys(call: JsonObject, kind: EventKind): readonly string[] {
  return Object.keys(call).filter((key) => isForeign(key, kind));
}

function isForeign(key: string, kind: EventKind): boolean {
  const known = Object.hasOwn(CALL_KEYS, key) ? CALL_KEYS[key] : undefined;
  return !(known?.events ?? TOOL_KINDS).includes(kind);
}

function foreignKey(key: string, kind: EventKind): SpecProblem {
  const message = `Cannot use key "${key}" in a call of ${kind}`;
  return { code: 'event-key', path: [key], at: 'key', message, hint: foreignHint(key, kind) };
}

const MAX_LISTED_EVENTS = 4;

function foreignHint(key: string, kind: EventKind): string {
  const events = CALL_KEYS[key]?.events;
  if (events === undefined)
    return `only tool events have arguments: remove it or write on: ${orList(TOOL_KINDS)}`;
  const belongs = events.length > MAX_LISTED_EVENTS ? 'events without a tool' : orList(events);
  return TOOL_KINDS.includes(kind)
    ? `it belongs to ${belongs}; an argument of this name goes into "arguments"`
    : `it belongs to ${belongs}`;
}

function callOf(on: EventKind, value: JsonObject): BareCall {
  const [known, inline] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => isReserved(key) === wanted)),
  );
  // The schema has checked their types.
  const { arguments: given = inline, context, ...others } = known as Partial<BareCall>;
  return {
    ...others,
    on,
    ...(TOOL_KINDS.includes(on) && given !== undefined ? { arguments: given } : {}),
    ...(context === undefined ? {} : { context: scalarsOf(context) }),
  };
}

function isKind(name: string): name is EventKind {
  return EVENT_KINDS.some((kind) => kind === name);
}
