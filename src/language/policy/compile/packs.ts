import { PACKS } from '../../generated/packs.ts';
import type { FileDraft } from '../parse/file-draft.ts';

/** The packs that `builtin:NAME` names. */
export interface PackSource {
  /** Sorted. */
  readonly names: readonly string[];
  /** A pack, compiled; without its examples. */
  readonly draft: (name: string) => FileDraft | undefined;
  /** Its policy file. */
  readonly text: (name: string) => string | undefined;
  readonly tests: (name: string) => Readonly<Record<string, string>>;
}

/** The packs of this build, compiled when it was built. */
export const BUILTIN_PACKS: PackSource = {
  names: Object.keys(PACKS),
  draft: (name) => {
    const json = Object.hasOwn(PACKS, name) ? PACKS[name] : undefined;
    return json === undefined ? undefined : (JSON.parse(json) as FileDraft);
  },
  text: (name) => {
    const { PACK_TEXTS } =
      require('../../generated/pack-texts.ts') as typeof import('../../generated/pack-texts.ts');
    return Object.hasOwn(PACK_TEXTS, name) ? PACK_TEXTS[name] : undefined;
  },
  tests: (name) => {
    const { PACK_TESTS } =
      require('../../generated/pack-tests.ts') as typeof import('../../generated/pack-tests.ts');
    return (Object.hasOwn(PACK_TESTS, name) ? PACK_TESTS[name] : undefined) ?? {};
  },
};
