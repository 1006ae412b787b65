import { didYouMean } from '../../../lib/closest.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { LAYERS, type Layer } from '../../../model/policy.ts';
import { packIn } from '../files/pack-names.ts';
import type { Named } from '../parse/file-draft.ts';
import { problem, warning } from '../yaml/problem.ts';
import type { PackSource } from './packs.ts';
import type { SetFile } from './resolve.ts';
import { TRUSTED_LAYERS } from './trusted-layers.ts';

/** Whether a file is switched off, or one of its policies. */
export interface Disabled {
  readonly pack: (file: SetFile) => boolean;
  readonly rule: (file: SetFile, id: string) => boolean;
}

/**
 * Disables policies of packs. A file reaches shipped packs and those of its own and lower layers, not the organisation's
 * additions.
 */
export function disabledIn(
  files: readonly SetFile[],
  packs: PackSource,
  diagnostics: Diagnostic[],
  warnings: Diagnostic[],
): Disabled {
  const strongest = new Map<string, number>();
  const complain = createComplaint(packs);
  for (const { draft, layer } of files) {
    for (const name of draft.disable) {
      const unknown = complain(name);
      if (unknown !== undefined) diagnostics.push(unknown);
      else if (TRUSTED_LAYERS.includes(layer)) {
        strongest.set(name.text, Math.min(strongest.get(name.text) ?? LAYERS.length, LAYERS.indexOf(layer)));
      } else {
        const message = `Cannot disable "${name.text}" in a ${layer} file: it has no effect`;
        warnings.push(warning('trust', name.position, message, 'only the user and the organisation can'));
      }
    }
  }
  const reaches = (target: string, layer: Layer): boolean => {
    const from = strongest.get(target);
    return from !== undefined && (layer === 'builtin' || from <= LAYERS.indexOf(layer));
  };
  return {
    pack: ({ pack, layer }) => pack !== undefined && reaches(`builtin:${pack}`, layer),
    rule: ({ pack, layer }, id) =>
      pack !== undefined && (reaches(`builtin:${pack}`, layer) || reaches(id, layer)),
  };
}

/** Looking for the meant name takes long, and loading may not: nobody needs it for more names than these. */
const MAX_SUGGESTIONS = 20;

/** Describes a name that is neither a pack nor a policy of one. */
function createComplaint(packs: PackSource): (name: Named) => Diagnostic | undefined {
  const packNames = new Set(packs.names.map((name) => `builtin:${name}`));
  let policyIds: ReadonlySet<string> | undefined;
  let suggestions = 0;
  const namesLike = (text: string): ReadonlySet<string> => {
    if (packIn(text) !== undefined) return packNames;
    policyIds ??= idsIn(packs);
    return policyIds;
  };
  return ({ text, position }) => {
    const known = namesLike(text);
    if (known.has(text)) return undefined;
    const candidates = suggestions++ < MAX_SUGGESTIONS ? known : [];
    const hint = didYouMean(
      text,
      candidates,
      'name a pack as builtin:NAME or one of its policies as NAME/policy-id',
    );
    const message = `Cannot disable "${text}": no built-in pack or policy has this name`;
    return problem('bad-value', position, message, hint);
  };
}

function idsIn(packs: PackSource): ReadonlySet<string> {
  return new Set(packs.names.flatMap((name) => packs.draft(name)?.rules.map(({ id }) => id) ?? []));
}
