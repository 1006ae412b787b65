import { PACKS } from '../generated/packs.ts';
import type { FileDraft } from './file-draft.ts';

/** The names of the packs in this build, sorted. */
export function packNames(): readonly string[] {
  return Object.keys(PACKS);
}

/** A pack of this build, compiled when it was built; without its examples. */
export function packDraft(name: string): FileDraft | undefined {
  const text = Object.hasOwn(PACKS, name) ? PACKS[name] : undefined;
  return text === undefined ? undefined : (JSON.parse(text) as FileDraft);
}

/** The policy file of a pack of this build. */
export function packText(name: string): string | undefined {
  const { PACK_TEXTS } = require('../generated/pack-texts.ts') as typeof import('../generated/pack-texts.ts');
  return Object.hasOwn(PACK_TEXTS, name) ? PACK_TEXTS[name] : undefined;
}
