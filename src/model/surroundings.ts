export interface Repository {
  /** The folder that holds `.git`, without links. */
  readonly root: string;
  /** `host/owner/name` of its remote; null if it has none, undefined if that is unknown. */
  readonly name: string | null | undefined;
  /** The branch that is checked out; null if none is, undefined if that is unknown. */
  readonly branch?: string | null | undefined;
}

/** The facts about the machine that matchers may ask for. Each question does bounded work on the disk. */
export interface Surroundings {
  /** The user's home directory, absolute; undefined if unknown. */
  readonly home: string | undefined;
  /** The folder that the agent works in, absolute; undefined if unknown. */
  readonly workspace: string | undefined;
  /** The absolute folder that the agent is in now, if it is another one below the workspace. */
  readonly directory?: string | undefined;
  /** An absolute path with links resolved as far as it exists, else unchanged. Throws `OutOfTime` at the time limit. */
  readonly realPath: (path: string) => string;
  /** True if an absolute path exists. If that is unknown, a path without wildcards counts as existing. */
  readonly isThere?: (path: string) => boolean;
  /** True if an absolute path, with links followed, is a regular file. */
  readonly isFile?: (path: string) => boolean;
  /**
   * The names of a guard of the agent: a folder, program, policy or host file; none for other paths. Asked for paths without
   * links. `below`: those of all guards in it; `folded`: without case.
   */
  readonly knownAs?: (path: string, below: boolean, folded: boolean) => readonly string[];
  /** True if some folder on an absolute path, or one with an unknown start, ignores letter case. By default none does. */
  readonly foldsNames?: (path: string | undefined) => boolean;
  /** True if two absolute paths lead to the same file or folder, as the volume reads them. */
  readonly isSame?: (path: string, other: string) => boolean;
  /** True if paths are read as folded where folders ignore letter case; otherwise as written. */
  readonly readsFolded?: true;
  /** The files below an absolute folder whose paths end in a relative one. */
  readonly namedBelow?: (folder: string, ending: string) => readonly string[];
  /** The guards of the agent that exist up to `depth` folders below an absolute one. */
  readonly guardedBelow?: (folder: string, depth: number) => readonly string[];
  /** The repository that an absolute folder lies in, or that the agent works in; null if there is none, undefined if that is unknown. */
  readonly repository?: (folder?: string) => Repository | null | undefined;
  /** A stable digest that identifies this machine. */
  readonly machine?: () => string;
}

/** No facts and no disk: for tests, and for calls of another machine. */
export const NO_SURROUNDINGS: Surroundings = {
  home: undefined,
  workspace: undefined,
  realPath: (path) => path,
};
