import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { COMMAND_KEYS, type SpecKind } from '../../matchers/command-keys.ts';
import { patternCovers } from '../name-pattern.ts';
import { alternativesImply, asList } from './alternatives.ts';
import { pathImplies } from './path-implies.ts';
import { urlImplies } from './url-implies.ts';
import { valueImplies } from './value-implies.ts';

/** True if a command that passes the narrow test passes the wide one for certain. */
export function commandImplies(narrow: Json, wide: Json): boolean {
  return alternativesImply(narrow, wide, (from, to) => {
    const whole = isJsonObject(from) ? from : { run: from };
    const wanted = isJsonObject(to) ? to : { run: to };
    if (Object.hasOwn(whole, 'unreadable') || Object.hasOwn(wanted, 'unreadable')) return false;
    return Object.keys(wanted).every((key) => keyImplied(whole, key, wanted[key] ?? null));
  });
}

const KINDS: ReadonlyMap<string, SpecKind> = new Map(COMMAND_KEYS.map(({ key, kind }) => [key, kind]));

function keyImplied(from: JsonObject, key: string, spec: Json): boolean {
  const same = own(from, key) ?? (key === 'run' ? programOf(from) : undefined);
  if (same === undefined) return false;
  if (deepEqual(same, spec)) return true;
  if (key === 'except')
    return asList(spec).every((each) => asList(same).some((other) => deepEqual(each, other)));
  switch (KINDS.get(key)) {
    case 'names':
      return namesCovered(same, spec);
    case 'words':
      return Array.isArray(same) && Array.isArray(spec) && startsLike(same, spec);
    case 'flags':
      return isJsonObject(same) && isJsonObject(spec) && flagsImply(same, spec);
    case 'paths':
      return pathImplies(same, spec);
    case 'operands':
      return isJsonObject(same) && isJsonObject(spec) && operandsImply(same, spec);
    case 'urls':
      return same !== false && (spec === true || (spec !== false && same !== true && urlImplies(same, spec)));
    case 'command':
      return flowImplies(same, spec);
    case 'values':
      return asList(same).every((value) => asList(spec).includes(value));
    default:
      return false;
  }
}

/** The command at the other end: by its name, or by a test. */
function flowImplies(narrow: Json, wide: Json): boolean {
  return isJsonObject(narrow) || isJsonObject(wide)
    ? commandImplies(narrow, wide)
    : namesCovered(narrow, wide);
}

function programOf(test: JsonObject): Json | undefined {
  const subcommand = own(test, 'subcommand');
  return Array.isArray(subcommand) ? subcommand[0] : undefined;
}

function namesCovered(narrow: Json, wide: Json): boolean {
  const options = asList(wide).map(String);
  return asList(narrow)
    .map(String)
    .every((name) => options.some((option) => patternCovers(option, name)));
}

/** Each word of the wide test is one that the narrow one asks for in its place. */
function startsLike(narrow: readonly Json[], wide: readonly Json[]): boolean {
  return wide.every((words, index) => {
    const own = narrow[index];
    if (own === undefined) return false;
    if (index === 0) return namesCovered(own, words);
    return asList(own).every((word) => asList(words).includes(word));
  });
}

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

function operandsImply(narrow: JsonObject, wide: JsonObject): boolean {
  return Object.keys(wide).every((key) => {
    const same = own(narrow, key);
    if (same === undefined) return false;
    if (key === 'min') return Number(same) >= Number(wide[key]);
    if (key === 'max') return Number(same) <= Number(wide[key]);
    return valueImplies(same, wide[key] ?? null, 'regex', false);
  });
}

function flagsOf(test: JsonObject, key: string): readonly string[] {
  const value = own(test, key);
  return value === undefined ? [] : asList(value).map(String);
}
