import { posix } from 'node:path';
import { type Json, type JsonObject, own } from '../../../lib/json.ts';
import { parsePath } from '../../../lib/json-path.ts';
import type { Facts } from '../../../model/facts.ts';
import type { FactValue } from '../../../model/policy.ts';
import { knownText, showWord, type Word } from '../../../reader/reading/word.ts';
import { argumentValues, textsOf } from '../arguments/values.ts';
import { callPaths } from '../call/paths.ts';
import { commandsOf } from '../call/some-commands.ts';
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
    case 'repository':
      return repositoryOf(facts);
    default: {
      const call = event.tool;
      if (call === undefined) return [];
      if (call.arguments === undefined) return undefined;
      return argumentValues(call, parsePath(value.replace(/^arguments\./, ''))).flatMap(textsOf);
    }
  }
}

/** The repository in which all of a call happens: its commands where they run, its files where they lie; undefined if there are several. */
function repositoryOf(facts: Facts): readonly string[] | undefined {
  const { surroundings } = facts;
  const commands = commandsOf(facts)?.filter(({ wrapper, name }) => !wrapper && name !== 'cd');
  const words = commands?.map(({ cwd }) => cwd) ?? callPaths(facts).paths.map(({ path }) => path);
  const folders = words.map(knownText);
  if (folders.includes(undefined)) return undefined;
  const absolute = folders.flatMap((folder) => (folder?.startsWith('/') ? [folder] : []));
  const places = commands === undefined ? absolute.map((path) => posix.dirname(path)) : absolute;
  const found = (places.length === 0 ? [undefined] : [...new Set(places)]).map((place) =>
    surroundings.repository?.(place),
  );
  const roots = new Set(found.map((each) => (each === undefined ? undefined : (each?.root ?? ''))));
  const [root, ...others] = roots;
  return root === undefined || others.length > 0 ? undefined : [root];
}

function allKnown(words: readonly Word[]): readonly string[] | undefined {
  const known = words.filter((word) => knownText(word) !== undefined).map(showWord);
  return known.length === words.length ? known : undefined;
}
