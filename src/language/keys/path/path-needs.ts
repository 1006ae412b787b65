import { globLiterals } from '../../../lib/glob/glob-literals.ts';
import { isJsonObject, type Json } from '../../../lib/json.ts';
import type { CallNeeds } from '../../../model/policy.ts';
import { globsIn } from './spec.ts';

/** More of them cost more to look for than the policy that they rule out. */
const MAX_FRAGMENTS = 256;

/** The needs of a path test: fragments of which a call's paths must contain one; empty if they are unknown. */
export function pathNeeds(spec: Json): Pick<CallNeeds, 'paths' | 'around'> {
  const whole = isJsonObject(spec) ? spec : { match: spec };
  const globs = globsIn(whole);
  const found = globs.map(fragmentsOf);
  if (found.length === 0 || found.some((each) => each === undefined)) return {};
  const paths = withoutLonger(found.flatMap((each = []) => each));
  if (paths.length > MAX_FRAGMENTS || paths.includes('/')) return {};
  return whole['around'] === false || !globs.some(namesFolders) ? { paths } : { paths, around: true };
}

/** True if a glob says in which folders something lies. A name at any depth has none of its own. */
function namesFolders(glob: string): boolean {
  return glob.replace(/^\*\*\//, '').includes('/');
}

/** Strings of which a known path that fits the glob has one. A glob that starts with a variable fits no known path. */
function fragmentsOf(glob: string): readonly string[] | undefined {
  if (glob.startsWith('$')) return [];
  if (glob === '.' || glob === '~') return undefined;
  return globLiterals(glob.startsWith('~/') ? glob.slice(1) : glob);
}

/** A string that has another one of the list in it says nothing more. Ends where there are too many. */
function withoutLonger(fragments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const each of [...new Set(fragments)].sort((one, other) => one.length - other.length)) {
    if (kept.length > MAX_FRAGMENTS) break;
    if (!kept.some((shorter) => each.includes(shorter))) kept.push(each);
  }
  return kept;
}
