import { basename, sep } from 'node:path';
import { OWN_KEYS } from '../schema/sections.ts';
import { isPolicyName } from './list-policy-files.ts';

/** The kind of a YAML file; undefined if it belongs to another tool. */
export type DocumentKind = 'policy' | 'test' | undefined;

const POLICY_FOLDER = `${sep}.policy${sep}`;
const SECTION = new RegExp(`^(?:${OWN_KEYS.join('|')}):`, 'm');

/** Tells policy files from other YAML: by their folder, else by how their lines begin, which half a file shows as well. */
export function documentKind(path: string, text: string): DocumentKind {
  const isOurs = path.includes(POLICY_FOLDER);
  if (/\.test\.ya?ml$/.test(basename(path))) return isOurs || /^cases:/m.test(text) ? 'test' : undefined;
  if (!isPolicyName(path)) return undefined;
  return isOurs || (/^version: *1\s*(?:#|$)/m.test(text) && SECTION.test(text)) ? 'policy' : undefined;
}

/** The folder whose `.policy` a file lies in; undefined if it lies in none. */
export function projectOf(path: string): string | undefined {
  const at = path.lastIndexOf(POLICY_FOLDER);
  return at < 0 ? undefined : path.slice(0, at) || sep;
}
