import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { namesIn } from '../name-pattern.ts';
import { asList } from './alternatives.ts';
import { hostAlternatives } from './url-implies.ts';
import { type Conjuncts, conjunctsOf } from './when-implies.ts';

/**
 * Words of which keys must share at least one with whatever implies them; undefined if there are none to go by. Comparing
 * every policy with every other takes long, and most have nothing in common.
 */
export function requiredTokens(wide: Conjuncts): readonly string[] | undefined {
  let best: readonly string[] | undefined;
  for (const [key, spec] of wide) {
    const tokens = tokensOf(key, spec);
    // Classes of tools are few, so they tell little apart.
    if (tokens !== undefined && (best === undefined || key !== 'tool')) best = tokens;
    if (best !== undefined && key !== 'tool') return best;
  }
  return best;
}

/** Every word that keys can share with what they imply, alternatives included. */
export function givenTokens(narrow: Conjuncts): readonly string[] {
  return narrow.flatMap(([key, spec]) => {
    if ((key === 'any' || key === 'all') && Array.isArray(spec)) {
      return spec.flatMap((branch: Json) =>
        isJsonObject(branch) ? givenTokens(Object.entries(branch)) : [],
      );
    }
    if (key === 'arguments' && isJsonObject(spec)) return Object.entries(spec).flatMap(givenByTest);
    return tokensOf(key, spec) ?? [];
  });
}

function tokensOf(key: string, spec: Json): readonly string[] | undefined {
  switch (key) {
    case 'tool':
      return asList(spec).map((name) => `tool ${name}`);
    case 'tool_matcher':
      return exactNames(namesIn(String(spec)), 'name');
    case 'command':
      return allOf(alternativesIn(spec), programTokens);
    case 'path':
      return allOf(alternativesIn(spec), placeTokens);
    case 'url':
      return allOf(hostAlternatives(spec), hostTokens);
    case 'arguments':
      return isJsonObject(spec) ? argumentTokens(spec) : undefined;
    case 'any':
      return Array.isArray(spec) ? allOf(spec, (branch) => requiredTokens(conjunctsOf(branch))) : undefined;
    default:
      return undefined;
  }
}

/** The tokens of all alternatives, if each has some. */
function allOf<T>(
  alternatives: readonly T[],
  tokensIn: (alternative: T) => readonly string[] | undefined,
): readonly string[] | undefined {
  const found = alternatives.map(tokensIn);
  const known = found.filter((tokens) => tokens !== undefined);
  return known.length === found.length ? known.flat() : undefined;
}

function alternativesIn(spec: Json): readonly Json[] {
  return Array.isArray(spec) && spec.some(isJsonObject) ? spec : [spec];
}

function programTokens(test: Json): readonly string[] | undefined {
  if (!isJsonObject(test)) return exactNames(asList(test).map(String), 'run');
  const subcommand = own(test, 'subcommand');
  const names = own(test, 'run') ?? (Array.isArray(subcommand) ? subcommand[0] : undefined);
  return names === undefined ? undefined : exactNames(asList(names).map(String), 'run');
}

function placeTokens(test: Json): readonly string[] | undefined {
  const whole: JsonObject = isJsonObject(test) ? test : { match: test };
  const tokens = ['match', 'set'].flatMap((key) => {
    const value = own(whole, key);
    return value === undefined ? [] : asList(value).map((place) => `${key} ${place}`);
  });
  return tokens.length === 0 ? undefined : tokens;
}

/** An exact host shares its name with the one that covers it. */
function hostTokens(test: JsonObject): readonly string[] | undefined {
  const host = own(test, 'host');
  const names = isJsonObject(host) ? Object.values(host).flat() : host;
  return names === undefined ? undefined : asList(names).map((name) => `host ${name}`);
}

/** A pattern covers names that are written otherwise. */
function exactNames(names: readonly string[], kind: string): readonly string[] | undefined {
  return names.some((name) => name.includes('*')) ? undefined : names.map((name) => `${kind} ${name}`);
}

/** By one argument with a plain regex: only the same one, an alternative of it or exact values imply it. */
function argumentTokens(spec: JsonObject): readonly string[] | undefined {
  for (const [path, test] of Object.entries(spec)) {
    if (typeof test === 'string') return [...alternativeTokens(path, test), `exact ${path}`];
  }
  return undefined;
}

function givenByTest([path, test]: readonly [string, Json]): readonly string[] {
  const regex = isJsonObject(test) ? own(test, 'regex') : test;
  const hasExact = isJsonObject(test) && (Object.hasOwn(test, 'equals') || Object.hasOwn(test, 'one_of'));
  return [
    ...(typeof regex === 'string' ? alternativeTokens(path, regex) : []),
    ...(hasExact ? [`exact ${path}`] : []),
  ];
}

function alternativeTokens(path: string, source: string): readonly string[] {
  return [`${path} ${source}`, ...source.split('|').map((part) => `${path} ${part}`)];
}
