import type { CompiledFiles } from '../../language/policy/compile/compile-files.ts';
export interface PlannedFile {
  readonly path: string;
  /** As positions name it. */
  readonly file: string;
}

/** A folder with tests, or with policies that have examples. */
export interface SuitePlan {
  /** As reports name it. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  readonly testFiles: readonly PlannedFile[];
  /** The policy files, as positions name them, whose examples are run here. */
  readonly policyFiles: readonly string[];
}

/** True for a folder without tests whose files have no policy of their own, and extend those of others. */
export function onlyExtends({ policyFiles, testFiles }: SuitePlan, { program }: CompiledFiles): boolean {
  const isOwn = (file: string) => policyFiles.includes(file);
  return (
    testFiles.length === 0 &&
    program.rules.length > 0 &&
    !program.rules.some(({ position }) => isOwn(position.file))
  );
}
