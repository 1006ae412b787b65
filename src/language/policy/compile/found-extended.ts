import type { DiagnosticCode } from '../../../model/diagnostic.ts';
import type { PolicyText } from '../files/policy-text.ts';
import type { ExtendedFolder } from './program-text.ts';

export interface ExtendedPlace {
  /** The path before links were followed. */
  readonly at: string;
  readonly real: string;
}

/** The files that an entry of `extends` names, or why they cannot be had; undefined if that has been said. */
export type FoundExtended =
  | {
      readonly places: readonly (ExtendedPlace | PolicyText)[];
      /** The folder they were looked for in, if the entry is a folder or a glob. */
      readonly folder?: ExtendedFolder;
    }
  | { readonly cause: string; readonly code?: DiagnosticCode; readonly hint?: string }
  | undefined;
