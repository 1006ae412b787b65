import { LAYERS } from './policy.ts';

/** An ending tells policies of one name apart: `@user`, `@project/web/.policy/git.yaml`. No author can write one. */
const QUALIFIED = new RegExp(`^([^/]*/[A-Za-z0-9._:-]+)@(?:${LAYERS.join('|')})(?:/.*)?$`, 's');

/** A policy's id as its file has it: `git/x` for `git/x@user`. */
export function plainId(id: string): string {
  return QUALIFIED.exec(id)?.[1] ?? id;
}

/** The part of a policy's id that is unique in its file: `x` for `git/x@user`. */
export function localId(id: string): string {
  return plainId(id).slice(id.indexOf('/') + 1);
}

/** True if a name means a policy: its whole id, that of its file, or the part that is unique there. */
export function isNamed(id: string, name: string): boolean {
  return id === name || plainId(id) === name || localId(id) === name;
}
