import { isRooted } from '../../../lib/path/drive-path.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import type { Truth } from '../../../model/truth.ts';
import { inFolder, REPOSITORY_ROOT, resolvePath } from '../../../reader/reading/path.ts';
import {
  joinWords,
  knownText,
  leadingText,
  textWord,
  type Word,
  wordStartsWith,
} from '../../../reader/reading/word.ts';
import type { UsedPath } from '../call/used-path.ts';
import { foldedForms } from './folded.ts';
import { matchedGuards } from './matched-guards.ts';

interface Forms {
  readonly surroundings: Surroundings;
  readonly forms: readonly UsedPath[];
}

const asWritten = new WeakMap<UsedPath, Forms>();
const asFolded = new WeakMap<UsedPath, Forms>();

/** The path as written and where its links lead, folded if its volume ignores case. Kept, as many policies ask. */
export function formsOf(used: UsedPath, surroundings: Surroundings): readonly UsedPath[] {
  const remembered = surroundings.readsFolded ? asFolded : asWritten;
  const known = remembered.get(used);
  if (known?.surroundings === surroundings) return known.forms;
  const found = [used, ...matchedGuards(used, surroundings)].flatMap((each) => findForms(each, surroundings));
  const forms = surroundings.readsFolded ? found.flatMap((form) => asRead(form, surroundings)) : found;
  remembered.set(used, { surroundings, forms });
  return forms;
}

function asRead(form: UsedPath, surroundings: Surroundings): readonly UsedPath[] {
  return isFolded(form.path, surroundings) ? foldedForms(form) : [form];
}

/** True if a path, or one that its links lead to, may be spelled otherwise than it is written. */
export function mayBeFolded(used: UsedPath, surroundings: Surroundings): boolean {
  if (surroundings.foldsNames === undefined) return false;
  return formsOf(used, surroundings).some(({ path }) => isFolded(path, surroundings));
}

/** Of a path that is known in part, the part counts that is. */
function isFolded(path: Word, { foldsNames }: Surroundings): boolean {
  const start = leadingText(path);
  return foldsNames?.(isRooted(start) ? start : undefined) === true;
}

/** The repository's root is read as the folder that the agent works in. */
function fromWorkspace(used: UsedPath, workspace: string | undefined): UsedPath {
  const [first, ...rest] = used.path;
  if (first?.type !== 'unknown' || first.variable !== REPOSITORY_ROOT) return used;
  return { ...used, path: resolvePath(joinWords(textWord(workspace ?? '.'), rest), NOWHERE) };
}

const NOWHERE = { cwd: undefined, home: undefined };

function findForms(given: UsedPath, surroundings: Surroundings): readonly UsedPath[] {
  const used = fromWorkspace(given, surroundings.directory ?? surroundings.workspace);
  if (used.name === undefined) return realForms(used, surroundings);
  const text = knownText(used.path);
  // A file that is put somewhere replaces the one that is there, or lies in it.
  if (text !== undefined && surroundings.isThere?.(text) === false) return realForms(used, surroundings);
  const inside = { ...used, path: resolvePath(inFolder(used.path, used.name), NOWHERE), name: undefined };
  return [...realForms(used, surroundings), ...realForms(inside, surroundings)];
}

function realForms(used: UsedPath, surroundings: Surroundings): readonly UsedPath[] {
  const { realPath, knownAs, readsFolded = false } = surroundings;
  const text = knownText(used.path);
  if (text === undefined || !isRooted(text)) return [used];
  const [first] = used.path;
  // The system goes through a link before it climbs; who only reads the path climbs first.
  const roundabout = first?.type === 'text' ? first.roundabout : undefined;
  const forms = [used];
  const below = changesAllBelow(used, text, surroundings);
  for (const written of roundabout === undefined ? [text] : [text, roundabout]) {
    // A link that is deleted is gone itself, not its target.
    const isLeaf = used.use === 'delete' && !written.endsWith('/..');
    const leaf = knownAs === undefined && !isLeaf ? '' : realLeaf(written, realPath);
    const real = isLeaf ? leaf : realPath(written);
    // A file written instead of a link guards the agent as the target of the link does.
    const places = used.use === 'write' && used.name === undefined ? new Set([real, leaf]) : [real];
    const known = [...places].flatMap((place) => knownAs?.(place, below, readsFolded) ?? []);
    for (const path of [real, ...known]) if (path !== text) forms.push({ ...used, path: textWord(path) });
  }
  return forms;
}

/** True if a use changes all that lies below a path. A write to the folder that the agent works in, or one around it, seldom does. */
function changesAllBelow(used: UsedPath, path: string, surroundings: Surroundings): boolean {
  const { workspace, directory = workspace, isThere } = surroundings;
  const { use, recursive, bars, name, only, chosen } = used;
  if (!(recursive || bars) || only !== undefined || chosen) return false;
  if (use === 'delete' || bars) return true;
  if (use !== 'write' || (name !== undefined && isThere?.(path) === true)) return false;
  return directory === undefined || insideTruth(textWord(directory), path) !== true;
}

/** The real path of a path's folder, with the name as it is written. */
function realLeaf(path: string, realPath: Surroundings['realPath']): string {
  const cut = path.lastIndexOf('/');
  const above = path.slice(0, cut);
  const folder = realPath(above === '' || above.endsWith(':') ? `${above}/` : above);
  return (folder.endsWith('/') ? folder.slice(0, -1) : folder) + path.slice(cut) || '/';
}

export function insideTruth(path: Word, folder: string): Truth {
  const known = knownText(path);
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  if (known !== undefined) return known === folder || folder === '/' || known.startsWith(start);
  return folder === '/' || wordStartsWith(path, start);
}
