import type { Json } from '../../../lib/json.ts';

const HOST = /^(?:\*\.)?\w(?:[\w-]*\w)?(?:\.[\w-]+)*(?::\d{1,5})?$/;

/** The test of each type, by its word; messages call one of them `a host`. */
const TYPES: Readonly<Record<string, { readonly one: string; readonly fits: (value: Json) => boolean }>> = {
  string: { one: 'a string', fits: (value) => typeof value === 'string' && value !== '' },
  integer: { one: 'an integer', fits: Number.isSafeInteger },
  number: { one: 'a number', fits: (value) => typeof value === 'number' },
  boolean: { one: 'true or false', fits: (value) => typeof value === 'boolean' },
  host: {
    one: 'a host, such as api.example.com, *.example.com or api.example.com:8443',
    fits: (value) => typeof value === 'string' && HOST.test(value),
  },
};

const LIST = /^list of (.+)s$/;

/** Every word for a type. */
export const PARAMETER_TYPES: readonly string[] = Object.keys(TYPES).flatMap((name) => [
  name,
  `list of ${name}s`,
]);

/** True for a type whose values are lists, which others can be added to. */
export function isListType(type: string): boolean {
  return LIST.test(type);
}

/** Why a value is not of a type: `"a b" is not a host, …`; undefined if it is. */
export function typeProblem(value: Json, type: string): string | undefined {
  const item = LIST.exec(type)?.[1];
  if (item === undefined) return singleProblem(value, type);
  if (!Array.isArray(value)) return `${JSON.stringify(value)} is not a list`;
  for (const each of value as readonly Json[]) {
    const problem = singleProblem(each, item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function singleProblem(value: Json, type: string): string | undefined {
  const known = TYPES[type];
  return known === undefined || known.fits(value)
    ? undefined
    : `${JSON.stringify(value)} is not ${known.one}`;
}
