import { delimiter } from 'node:path';

const PACK_PREFIX = 'builtin:';

/** Splits `POLICY_PATH` at the system's path delimiter, which may be the colon of `builtin:NAME`. */
export function splitPolicyPath(text: string): readonly string[] {
  const names: string[] = [];
  for (const part of text.split(delimiter)) {
    if (names.at(-1) === 'builtin') names.splice(-1, 1, PACK_PREFIX + part);
    else names.push(part);
  }
  return names.filter((name) => name !== '');
}

/** The pack that a name such as `builtin:baseline` means; undefined if it is a path. */
export function packIn(name: string): string | undefined {
  return name.startsWith(PACK_PREFIX) ? name.slice(PACK_PREFIX.length) : undefined;
}
