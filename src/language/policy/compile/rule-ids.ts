import { relative, sep } from 'node:path';
import { sha256Hex } from '../../../lib/digest.ts';
import type { SetFile } from './resolve.ts';

/** The owners of the ids in a set. */
export interface RuleIds {
  /** The file whose policy has the plain id. */
  readonly ownerOf: (id: string) => SetFile | undefined;
  /** The id under which the policy of another file holds. It depends on nothing but where that file lies. */
  readonly qualified: (id: string, file: SetFile) => string;
}

/** Gives each id to the first file that has it: packs are above all, then the layers in their order. */
export function ruleIds(files: readonly SetFile[]): RuleIds {
  const owners = new Map<string, SetFile>();
  const firstInLayer = new Map<string, SetFile>();
  const isPack = ({ pack }: SetFile) => pack !== undefined;
  for (const file of [...files.filter(isPack), ...files.filter((each) => !isPack(each))]) {
    for (const { id } of file.draft.rules) {
      if (!owners.has(id)) owners.set(id, file);
      const inLayer = `${id}@${file.layer}`;
      if (!isPack(file) && !firstInLayer.has(inLayer)) firstInLayer.set(inLayer, file);
    }
  }
  const taken = new Set<string>();
  return {
    ownerOf: (id) => owners.get(id),
    qualified: (id, file) => {
      const inLayer = `${id}@${file.layer}`;
      const long = `${inLayer}/${placeOf(file)}`;
      const candidates = firstInLayer.get(inLayer) === file ? [inLayer] : [long];
      const found =
        candidates.find((each) => !taken.has(each)) ?? `${long}/${sha256Hex([file.path]).slice(0, 8)}`;
      taken.add(found);
      return found;
    },
  };
}

/** The place of a file, the same for every directory that the program is started in. */
function placeOf({ file, path, root, source }: SetFile): string {
  if (source !== undefined) return file;
  if (root !== undefined) return relative(root, path).replaceAll(sep, '/');
  return path.split(sep).slice(-2).join('/');
}
