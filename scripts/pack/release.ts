import type { Target } from './targets.ts';

/** A file that a release brings. */
export interface Asset {
  /** The file name. */
  readonly name: string;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** A platform's archive: `bin`, `share/man` and the like, to be laid into any prefix. */
export interface Archive extends Asset {
  readonly target: Target;
}

/** All that package descriptions say about a release; versions and digests are here and nowhere else. */
export interface Release {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** Address of the repository, without a slash at its end. */
  readonly repository: string;
  readonly archives: readonly Archive[];
}

/** The name in every registry: `policy` alone is taken, or says too little. The command is `policy` all the same. */
export const PACKAGE = 'policy-hook';

/** The address of a file of the release. */
export function assetUrl({ repository, version }: Release, { name }: Asset): string {
  return `${repository}/releases/download/v${version}/${name}`;
}
