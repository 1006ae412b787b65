import { dirname, relative, resolve, sep } from 'node:path';
import { compileGlob } from '../../../lib/glob/glob.ts';
import { RegexError } from '../../../lib/regex/regex.ts';
import { displayPath, kindOf } from '../files/folders.ts';
import { linksTo } from '../files/follow-link.ts';
import { isPolicyName, listingState, listPolicyFiles } from '../files/list-policy-files.ts';
import type { Reader } from '../files/place.ts';
import type { PolicyText } from '../files/policy-text.ts';
import { readAllowed } from '../files/read-allowed.ts';
import { findPolicyFile } from '../files/read-file.ts';
import { openPlaceAbove, ownersOf } from '../files/root-only.ts';
import type { Named } from '../parse/file-draft.ts';
import { isSourceName } from '../sources/source-name.ts';
import { startOf } from '../yaml/problem.ts';
import { findInSource, type SourceReader, WILD } from './find-in-source.ts';
import type { ExtendedPlace, FoundExtended } from './found-extended.ts';

/** The part of an entry of `extends` without wildcards: a file or a folder. */
export function extendedBase(name: string, by: Pick<PolicyText, 'path'>): string {
  return resolve(dirname(by.path), splitGlob(name).base);
}

/** Finds the files of an entry: a file, the policy files of a folder, or those that fit a glob, sorted. */
export function findExtended(entry: Named, by: PolicyText, reader: SourceReader): FoundExtended {
  try {
    if (isFromSource(entry.text, by)) return findInSource(entry, by, reader);
    const found = findRelative(entry.text, by, reader);
    return openToOthers(found, by) ?? found;
  } catch (error) {
    if (error instanceof RegexError) return { cause: `its wildcards cannot be used: ${error.message}` };
    throw error;
  }
}

/** True for an entry that is looked for in a source, not on the disk. */
export function isFromSource(name: string, by: PolicyText): boolean {
  return by.source !== undefined || isSourceName(name);
}

/** The organisation's files name no file that others than root may change, as there are none among them. */
function openToOthers(found: FoundExtended, { layer }: PolicyText): FoundExtended {
  if (layer !== 'organisation' || found === undefined || !('places' in found)) return undefined;
  const owners = ownersOf('root');
  for (const place of found.places) {
    if (!('at' in place)) continue;
    for (const each of linksTo(place.at)) {
      const open = openPlaceAbove(each, owners);
      if (open === undefined) continue;
      const hint = `run chown root "${open}" and chmod go-w "${open}"`;
      return { cause: `others than root may change "${open}"`, code: 'owner', hint };
    }
  }
  return undefined;
}

/** @throws RegexError if it is a glob that does not compile */
function findRelative(name: string, by: PolicyText, reader: Reader): FoundExtended {
  const whole = resolve(dirname(by.path), name);
  const isFile = kindOf(whole) === 'file';
  const { base, glob } = isFile ? { base: name, glob: undefined } : splitGlob(name);
  const at = resolve(dirname(by.path), base);
  if (glob === undefined && kindOf(at) !== 'folder') return findFile(at, by);
  return findInFolder(at, glob, by, reader);
}

function findFile(at: string, { root }: PolicyText): FoundExtended {
  const found = findPolicyFile(at, root);
  if (found.ok && !isPolicyName(at)) return { cause: 'it is not a policy file: *.yaml or *.yml' };
  return found.ok ? { places: [{ at, real: found.real }] } : found;
}

/** @throws RegexError if the glob does not compile */
function findInFolder(
  at: string,
  glob: string | undefined,
  { root }: PolicyText,
  reader: Reader,
): FoundExtended {
  const levels = glob === undefined || glob.includes('**') ? undefined : glob.split('/').length - 1;
  const listing = listPolicyFiles(at, root, levels);
  const { allowance, diagnostics, place } = reader;
  const folder = displayPath(at, place.cwd);
  if (root !== undefined && !allowance.take('entries', listing.entries, startOf(folder), diagnostics))
    return undefined;
  const compiled = glob === undefined ? undefined : compileGlob(glob);
  const fits = (path: string) =>
    compiled === undefined || compiled.test(relative(at, path).replaceAll(sep, '/')) === true;
  const [wrong] = listing.problems.filter(({ path }) => path === at || fits(path));
  if (wrong !== undefined) {
    const where = wrong.path === at ? '' : `${displayPath(wrong.path, place.cwd)}: `;
    return { cause: where + wrong.cause };
  }
  const places = listing.files
    .filter(({ path }) => fits(path))
    .map(({ path, real }): ExtendedPlace => ({ at: path, real }));
  if (places.length === 0)
    return { cause: glob === undefined ? 'it has no policy files' : 'no policy file fits it' };
  return {
    places,
    folder: { at, root: root ?? null, levels: levels ?? null, state: listingState(listing) },
  };
}

/** The folders without wildcards, and the rest. */
function splitGlob(name: string): { readonly base: string; readonly glob: string | undefined } {
  const segments = name.split('/');
  const wild = segments.findIndex((segment) => WILD.test(segment));
  if (wild === -1) return { base: name, glob: undefined };
  const base = segments.slice(0, wild).join('/');
  return { base: name.startsWith('/') && base === '' ? '/' : base, glob: segments.slice(wild).join('/') };
}

/** Reads an extended file, in the layer and for the project of the file that names it. */
export function readExtended(
  found: ExtendedPlace | PolicyText,
  { layer, root }: PolicyText,
  reader: Reader,
): PolicyText | { readonly cause: string } | undefined {
  if ('text' in found) return mayLoad(found, reader) ? found : undefined;
  const { at, real } = found;
  const file = displayPath(at, reader.place.cwd);
  const known = reader.read.get(real);
  if (known !== undefined) return { path: real, file, layer, root, text: known };
  const read = readAllowed(real, file, root, reader);
  if (read === undefined) return undefined;
  return read.ok ? { path: read.path, file, layer, root, text: read.text } : { cause: read.cause };
}

/** True if the allowance suffices for a text of a source; if not, a diagnostic says so. */
function mayLoad({ root, path, file, text }: PolicyText, { allowance, diagnostics, read }: Reader): boolean {
  if (root === undefined || read.has(path)) return true;
  return (
    allowance.take('files', 1, startOf(file), diagnostics) &&
    allowance.take('bytes', Buffer.byteLength(text), startOf(file), diagnostics)
  );
}
