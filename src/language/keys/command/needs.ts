import { isJsonObject, type Json } from '../../../lib/json.ts';
import { CONSEQUENCE_KINDS, causeNamed } from '../../../model/consequences.ts';
import type { CallNeeds } from '../../../model/policy.ts';
import { pathNeeds } from '../path/path-needs.ts';
import { COMMAND_KEYS } from './keys.ts';
import { PUSH_WORDS } from './pushes.ts';

const PATH_KEYS = COMMAND_KEYS.filter(({ kind }) => kind === 'paths').map(({ key }) => key);
const TRAITS_OF_KEY = new Map(COMMAND_KEYS.map(({ key, traits }) => [key, traits]));

/** The needs of a command test. Cheap: for most policies of a one-shot process nothing else is ever made of it. */
export function needsOf(spec: Json): CallNeeds {
  if (!isJsonObject(spec)) return { names: namesIn(spec) };
  let names: Json | undefined;
  let words: Json | undefined;
  let partner: Json | undefined;
  let causes: readonly string[] | undefined;
  let wrappers: readonly string[] | undefined;
  const traits: number[] = [];
  for (const key of Object.keys(spec)) {
    const value = spec[key] ?? null;
    if (key === 'run') names = value;
    else if (key === 'subcommand' && Array.isArray(value)) {
      names ??= value[0];
      words = value[1];
    } else if (key === 'pipes_to' || key === 'pipes_from') {
      // The other command is one of the same reading, and the rarer one.
      if (isJsonObject(value)) traits.push(...(needsOf(value).traits ?? []));
      else partner = value;
    } else if (key === 'pushes_to') {
      names ??= PUSH_WORDS.run;
      words ??= [...PUSH_WORDS.words];
    } else {
      const kind = CONSEQUENCE_KINDS.find((each) => each === key);
      if (kind !== undefined) causes = namesIn(value).map((each) => causeNamed(kind, each));
      if (key === 'wrapped_by') wrappers = namesIn(value);
      const bits = TRAITS_OF_KEY.get(key)?.(value) ?? 0;
      if (bits !== 0) traits.push(bits);
    }
  }
  names = partner ?? names;
  return {
    ...(names === undefined ? {} : { names: namesIn(names) }),
    ...(words === undefined ? {} : { words: namesIn(words) }),
    ...(causes === undefined ? {} : { causes }),
    ...(wrappers === undefined ? {} : { wrappers }),
    ...(traits.length === 0 ? {} : { traits }),
  };
}

/** The same, with the needs of its paths. */
export function needsOfCall(spec: Json): CallNeeds {
  const needs = needsOf(spec);
  if (!isJsonObject(spec)) return needs;
  const paths = PATH_KEYS.filter((key) => Object.hasOwn(spec, key)).map((key) =>
    pathNeeds(spec[key] ?? null),
  );
  return { ...needs, ...paths.find((each) => each.paths !== undefined) };
}

function namesIn(spec: Json): readonly string[] {
  return [spec].flat(2).filter((name) => typeof name === 'string');
}
