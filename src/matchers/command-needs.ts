import { isJsonObject, type Json } from '../lib/json.ts';
import type { CallNeeds } from '../model/policy.ts';
import type { PathUse } from '../reading/reading.ts';
import { TRAITS } from './traits.ts';

/** Which path effects a key of a command test looks at. */
export const USES_OF_KEY = {
  reads: ['read', 'execute'],
  writes: ['write'],
  deletes: ['delete'],
} as const satisfies Readonly<Record<string, readonly PathUse[]>>;

/** What a command test needs. Cheap: for most policies of a one-shot process nothing else is ever made of it. */
export function needsOf(spec: Json): CallNeeds {
  if (!isJsonObject(spec)) return { names: namesIn(spec) };
  let names: Json | undefined;
  let words: Json | undefined;
  const traits: number[] = [];
  for (const key of Object.keys(spec)) {
    const value = spec[key] ?? null;
    if (key === 'run') names = value;
    else if (key === 'subcommand' && Array.isArray(value)) {
      names ??= value[0];
      words = value[1];
    } else if (key === 'pipes_to' || key === 'pipes_from') {
      // The other command is one of the same reading.
      if (isJsonObject(value)) traits.push(...(needsOf(value).traits ?? []));
    } else {
      const bits = traitsOf(key, value);
      if (bits !== 0) traits.push(bits);
    }
  }
  return {
    ...(names === undefined ? {} : { names: namesIn(names) }),
    ...(words === undefined ? {} : { words: namesIn(words) }),
    ...(traits.length === 0 ? {} : { traits }),
  };
}

function namesIn(spec: Json): readonly string[] {
  return [spec].flat(2).filter((name) => typeof name === 'string');
}

function traitsOf(key: string, value: Json): number {
  switch (key) {
    case 'reads':
      return TRAITS.read | TRAITS.execute;
    case 'writes':
      return TRAITS.write;
    case 'deletes':
      return TRAITS.delete;
    case 'network':
      return value === false ? 0 : TRAITS.network;
    case 'uploads':
      return value === true ? TRAITS.network : 0;
    case 'downloads_and_runs':
      return value === true ? TRAITS.remote_code : 0;
    case 'environment':
      return TRAITS.assignment;
    case 'wrapped_by':
      return TRAITS.via;
    case 'privileged':
      return value === true ? TRAITS.privileged : 0;
    case 'elsewhere':
      return value === true ? TRAITS.elsewhere : 0;
    default:
      return 0;
  }
}
