/** A test file to run. */
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
