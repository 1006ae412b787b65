import { basename, sep } from 'node:path';
import { isPolicyName } from '../../language/policy/files/list-policy-files.ts';
import { policySchema } from '../../language/policy/schema/schema.ts';
import { keysAt } from '../../language/policy/schema/schema-keys.ts';

/** What a file is to the server; undefined if it is none of ours. */
export type DocumentKind = 'policy' | 'test' | undefined;

const POLICY_FOLDER = `${sep}.policy${sep}`;
/** Keys of a policy file that other YAML may have as well. */
const USUAL = new Set(['version', 'name', 'description']);
let sections: RegExp | undefined;

function hasSection(text: string): boolean {
  const names = () => [...keysAt([], policySchema()).keys()].filter((name) => !USUAL.has(name));
  sections ??= new RegExp(`^(?:${names().join('|')}):`, 'm');
  return sections.test(text);
}

/** Tells policy files from other YAML: by their folder, else by what they begin with, which half a file shows as well. */
export function documentKind(path: string, text: string): DocumentKind {
  if (/\.test\.ya?ml$/.test(basename(path))) {
    return path.includes(POLICY_FOLDER) || /^cases:/m.test(text) ? 'test' : undefined;
  }
  if (!isPolicyName(path)) return undefined;
  const looksSo = /^version: *1\b/m.test(text) && hasSection(text);
  return path.includes(POLICY_FOLDER) || looksSo ? 'policy' : undefined;
}

/** The folder whose `.policy` a file lies in; undefined if it lies in none. */
export function projectOf(path: string): string | undefined {
  const at = path.lastIndexOf(POLICY_FOLDER);
  return at < 0 ? undefined : path.slice(0, at) || sep;
}
