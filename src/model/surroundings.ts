/** What matchers may know of the machine: three facts, and one bounded question to the disk. */
export interface Surroundings {
  /** The user's home directory, absolute; undefined if it is not known. */
  readonly home: string | undefined;
  /** The folder that the agent works in, absolute; undefined if it is not known. */
  readonly workspace: string | undefined;
  /**
   * An absolute path with symbolic links resolved as far as it exists. The path itself if nothing of it is a link or if
   * it cannot be looked at. Throws `OutOfTime` where a time limit is set and over.
   */
  readonly realPath: (path: string) => string;
  /**
   * The place by which policies know what is the engine's own, wherever it lies: its folders, its program, the policy
   * files in force. Every other path is known as itself. Asked for paths without links.
   */
  readonly knownAs?: (path: string) => string;
}

/** Nothing is known and the disk is not asked: for tests and for judging calls of another machine. */
export const NO_SURROUNDINGS: Surroundings = {
  home: undefined,
  workspace: undefined,
  realPath: (path) => path,
};
