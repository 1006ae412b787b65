import { deepEqual } from '../../../lib/deep-equal.ts';
import { asList, isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { COMMAND_KEYS, type SpecKind } from '../command/keys.ts';
import type { ValueType } from '../key-analysis.ts';
import { choice, keys, WHOLE } from '../shape.ts';
import { alternativesImply } from './alternatives.ts';
import { NAMES, ONE_VALUE, VALUES, WORDS } from './lists.ts';
import { PATHS } from './paths.ts';
import { namedTests, SCALAR_TEST, testShape } from './scalar-test.ts';
import { URLS } from './urls.ts';

export const COMMANDS: ValueType = {
  shape: choice({
    type: 'either',
    text: WHOLE,
    mapping: keys(() => ({
      ...Object.fromEntries(COMMAND_KEYS.map(({ key, kind }) => [key, { shape: KINDS[kind].shape }])),
      // Commands of more than a MiB.
      unreadable: { shape: { type: 'choice', item: WHOLE, outOfReach: ['too_long'] } },
      except: { shape: COMMANDS.shape, negative: true },
    })),
  }),
  implies: (narrow, wide) =>
    alternativesImply(narrow, wide, (from, to) => {
      const whole = isJsonObject(from) ? from : { run: from };
      const wanted = isJsonObject(to) ? to : { run: to };
      if (Object.hasOwn(whole, 'unreadable') || Object.hasOwn(wanted, 'unreadable')) return false;
      return Object.keys(wanted).every((key) => keyImplied(whole, key, wanted[key] ?? null));
    }),
};

const FLAGS: ValueType = {
  shape: keys(() => ({
    any: { shape: choice(WHOLE) },
    all: { shape: { type: 'every', item: WHOLE } },
    none: { shape: choice(WHOLE), negative: true },
    unless: { shape: choice(WHOLE), negative: true },
    values: { shape: namedTests('regex', 'flag').shape },
  })),
  implies: (narrow, wide) => isJsonObject(narrow) && isJsonObject(wide) && flagsImply(narrow, wide),
};

function flagsImply(narrow: JsonObject, wide: JsonObject): boolean {
  const any = flagsOf(narrow, 'any');
  const all = flagsOf(narrow, 'all');
  const none = flagsOf(narrow, 'none');
  const wantedAny = flagsOf(wide, 'any');
  const oneOfThem = any.length > 0 && any.every((flag) => wantedAny.includes(flag));
  const hasAny = wantedAny.length === 0 || oneOfThem || all.some((flag) => wantedAny.includes(flag));
  const hasAll = flagsOf(wide, 'all').every(
    (flag) => all.includes(flag) || (any.length === 1 && any[0] === flag),
  );
  const hasOthers = ['unless', 'values'].every((key) => {
    const wanted = own(wide, key);
    return wanted === undefined || deepEqual(wanted, own(narrow, key) ?? null);
  });
  return hasAny && hasAll && hasOthers && flagsOf(wide, 'none').every((flag) => none.includes(flag));
}

function flagsOf(test: JsonObject, key: string): readonly string[] {
  const value = own(test, key);
  return value === undefined ? [] : asList(value).map(String);
}

const OPERAND = { shape: testShape('regex', { of: 'args', named: true }) };

const OPERANDS: ValueType = {
  shape: keys(() => ({
    first: OPERAND,
    rest: OPERAND,
    every: OPERAND,
    any: OPERAND,
  })),
  implies: (narrow, wide) =>
    isJsonObject(narrow) &&
    isJsonObject(wide) &&
    Object.keys(wide).every((key) => {
      const same = own(narrow, key);
      if (same === undefined) return false;
      if (key === 'min') return Number(same) >= Number(wide[key]);
      if (key === 'max') return Number(same) <= Number(wide[key]);
      return SCALAR_TEST.regex.implies(same, wide[key] ?? null, false);
    }),
};

/** The command at the other end: by its name, or by a test. */
const OTHER_END: ValueType = {
  shape: COMMANDS.shape,
  implies: (narrow, wide) =>
    (isJsonObject(narrow) || isJsonObject(wide) ? COMMANDS : NAMES).implies(narrow, wide, false),
};

/** `true` for any use of the network, or URLs. */
const NETWORK: ValueType = {
  shape: URLS.shape,
  implies: (narrow, wide) =>
    narrow !== false &&
    (wide === true || (wide !== false && narrow !== true && URLS.implies(narrow, wide, false))),
};

const VARIABLES: ValueType = {
  shape: choice({
    type: 'either',
    text: WHOLE,
    mapping: { type: 'options', item: testShape('regex', { of: 'environment', named: true }) },
  }),
  implies: deepEqual,
};

const KINDS: Readonly<Record<SpecKind, ValueType>> = {
  names: NAMES,
  words: WORDS,
  flags: FLAGS,
  operands: OPERANDS,
  paths: PATHS,
  command: OTHER_END,
  urls: NETWORK,
  variables: VARIABLES,
  values: VALUES,
  yes: ONE_VALUE,
};

const KIND_OF: ReadonlyMap<string, SpecKind> = new Map(COMMAND_KEYS.map(({ key, kind }) => [key, kind]));

function keyImplied(from: JsonObject, key: string, spec: Json): boolean {
  const same = own(from, key) ?? (key === 'run' ? programOf(from) : undefined);
  if (same === undefined) return false;
  if (deepEqual(same, spec)) return true;
  if (key === 'except')
    return asList(spec).every((each) => asList(same).some((other) => deepEqual(each, other)));
  const kind = KIND_OF.get(key);
  return kind !== undefined && KINDS[kind].implies(same, spec, false);
}

export function programsIn(test: Json): readonly string[] | undefined {
  const names = isJsonObject(test) ? (own(test, 'run') ?? programOf(test)) : test;
  return names === undefined ? undefined : asList(names).map(String);
}

function programOf(test: JsonObject): Json | undefined {
  const subcommand = own(test, 'subcommand');
  return Array.isArray(subcommand) ? subcommand[0] : undefined;
}
