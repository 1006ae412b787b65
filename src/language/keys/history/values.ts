import { type Json, type JsonObject, own } from '../../../lib/json.ts';
import { parsePath } from '../../../lib/json-path.ts';
import type { Facts } from '../../../model/facts.ts';
import type { FactValue } from '../../../model/policy.ts';
import { knownText, showWord, type Word } from '../../../reader/reading/word.ts';
import { argumentValues, textsOf } from '../arguments/values.ts';
import { callPaths } from '../call/paths.ts';
import { callUrls } from '../call/urls.ts';
import { usedPathTest } from '../path/match.ts';

/** More of them than any call has that a person would compare. */
const MAX_VALUES = 256;

/**
 * The values of a call that it is compared or counted by, each once; undefined if they are not all known. Outside of a
 * repository `repository` is an empty text.
 *
 * @param when the keys of the fact that the call meets: of its paths those count that fit `path`
 */
export function factValues(
  facts: Facts,
  value: FactValue,
  when: JsonObject = {},
): readonly string[] | undefined {
  const values = valuesOf(facts, value, own(when, 'path'));
  if (values === undefined || values.length > MAX_VALUES) return undefined;
  return [...new Set(values)];
}

function valuesOf(facts: Facts, value: FactValue, path: Json | undefined): readonly string[] | undefined {
  const { event, surroundings } = facts;
  switch (value) {
    case 'path': {
      const { paths, complete } = callPaths(facts);
      const test = path === undefined ? () => true as const : usedPathTest(path);
      const fitting = paths.map((used) => ({ used, fits: test(used, surroundings) }));
      if (!complete || fitting.some(({ fits }) => fits === 'unknown')) return undefined;
      const known = allKnown(fitting.flatMap(({ used, fits }) => (fits ? [used.path] : [])));
      return known?.map((path) => (path.startsWith('/') ? surroundings.realPath(path) : path));
    }
    case 'url.host': {
      const { urls, complete } = callUrls(facts);
      return complete ? allKnown(urls.map(({ host }) => host))?.map((host) => host.toLowerCase()) : undefined;
    }
    case 'agent':
      return [String(event.context.agent ?? '')];
    case 'repository': {
      const repository = surroundings.repository?.();
      return repository === undefined ? undefined : [repository?.root ?? ''];
    }
    default: {
      const call = event.tool;
      if (call === undefined) return [];
      if (call.arguments === undefined) return undefined;
      return argumentValues(call, parsePath(value.replace(/^arguments\./, ''))).flatMap(textsOf);
    }
  }
}

function allKnown(words: readonly Word[]): readonly string[] | undefined {
  const known = words.filter((word) => knownText(word) !== undefined).map(showWord);
  return known.length === words.length ? known : undefined;
}
