import { OWN_KEYS } from '../schema/sections.ts';
import { readPolicyFile } from './read-file.ts';

/** True for names that other programs put beside policies: of git, packages, an editor's lock, a mounted folder. */
export function isPassedOver(name: string): boolean {
  return name === 'node_modules' || name === '.git' || /^\.[.#_]/.test(name);
}

/** True for names as `.github`: there a file counts only if it says itself that it is ours. */
export function isHidden(name: string): boolean {
  return name.startsWith('.') && name !== '.policy';
}

/** True for a hidden file that says so, or that cannot be read. */
export function isOursAt(path: string): boolean {
  const read = readPolicyFile(path, undefined);
  return !read.ok || saysItIsOurs(read.text, path);
}

const COLON = `["']?\\s*:`;

/** True for a text with policies at its top, for one with version 1 and another section, and for tests with cases; valid or not. */
export function saysItIsOurs(text: string, path: string): boolean {
  const bare = text.replace(/^(?:\ufeff|---\s)+/, '');
  const [, indent = '', first] = /^([ \t]*)(?!#|---|%)(\S)/m.exec(bare) ?? [];
  const start = first === '{' ? '(?:^|[{,])[ \\t]*' : `^${indent}`;
  const has = (keys: string, value = '') =>
    new RegExp(`${start}["']?(?:${keys})${COLON}${value}`, 'm').test(bare);
  if (/\.test\.ya?ml$/.test(path)) return has('cases');
  return has('policies') || (has('version', '\\s*1\\s*(?:[#,}]|$)') && has(OWN_KEYS.join('|')));
}
