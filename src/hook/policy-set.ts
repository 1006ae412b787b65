import type { Engine } from '../engine/engine.ts';

/** The policies in force: ready to judge, or the reason why they cannot be used. */
export type PolicySet =
  | { readonly ok: true; readonly engine: Engine }
  /** `cause` quotes positions and kinds of problems, never file contents. */
  | { readonly ok: false; readonly cause: string };
