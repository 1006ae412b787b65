import { basename, sep } from 'node:path';
import { isPolicyName } from '../policy/source.ts';

/** What a file is to the server; undefined if it is none of ours. */
export type DocumentKind = 'policy' | 'test' | undefined;

const POLICY_FOLDER = `${sep}.policy${sep}`;
const SECTIONS = /^(?:policies|tools|judges|programs|extends|disable|defaults|exceptions|managed):/m;

/** Tells policy files from other YAML: by their folder, else by what they begin with, which half a file shows as well. */
export function documentKind(path: string, text: string): DocumentKind {
  if (/\.test\.ya?ml$/.test(basename(path))) {
    return path.includes(POLICY_FOLDER) || /^cases:/m.test(text) ? 'test' : undefined;
  }
  if (!isPolicyName(path)) return undefined;
  const looksSo = /^version: *1\b/m.test(text) && SECTIONS.test(text);
  return path.includes(POLICY_FOLDER) || looksSo ? 'policy' : undefined;
}

/** The folder whose `.policy` a file lies in; undefined if it lies in none. */
export function projectOf(path: string): string | undefined {
  const at = path.lastIndexOf(POLICY_FOLDER);
  return at < 0 ? undefined : path.slice(0, at) || sep;
}
