/** A repository of git. */
export interface Repository {
  /** The folder that holds `.git`, without links. */
  readonly root: string;
  /** `host/owner/name` of its remote; null if it has none, undefined if that is unknown. */
  readonly name: string | null | undefined;
  /** The branch that is checked out; null if none is, undefined if that is unknown. */
  readonly branch?: string | null | undefined;
}

/** The machine as matchers may know it, and their bounded questions to the disk. */
export interface Surroundings {
  /** The user's home directory, absolute; undefined if unknown. */
  readonly home: string | undefined;
  /** The folder that the agent works in, absolute; undefined if unknown. */
  readonly workspace: string | undefined;
  /** The folder below it that the agent is in now, absolute, where that is another. */
  readonly directory?: string | undefined;
  /**
   * An absolute path with symbolic links resolved as far as it exists. The path itself if nothing of it is a link or if
   * it cannot be looked at. Throws `OutOfTime` where a time limit is set and over.
   */
  readonly realPath: (path: string) => string;
  /** True if something is at an absolute path. If that is unknown, a path that is named in full counts as there. */
  readonly isThere?: (path: string) => boolean;
  /** True if an absolute path is that of a regular file, links followed. */
  readonly isFile?: (path: string) => boolean;
  /**
   * The places by which policies know the guards of the agent, wherever they lie: this engine's folders, its program, the policy
   * files in force, and the hosts' files. For a folder that is meant with all below it (`below`) every guard in it. Nothing for
   * other paths. Asked for paths without links. `folded`: paths are the same that fold to the same.
   */
  readonly knownAs?: (path: string, below: boolean, folded: boolean) => readonly string[];
  /**
   * True if the volume of an absolute path takes names in any letter case for the same: in one folder of the way to it at least.
   * Undefined is a path with an unknown start. No volume does unless given.
   */
  readonly foldsNames?: (path: string | undefined) => boolean;
  /** True if two absolute paths lead to the same file or folder, as the volume reads them. */
  readonly isSame?: (path: string, other: string) => boolean;
  /** True where paths on volumes that fold names are to be read as folded; otherwise they are read as written. */
  readonly readsFolded?: true;
  /** The files below an absolute folder whose paths end in a relative one. */
  readonly namedBelow?: (folder: string, ending: string) => readonly string[];
  /** The agent's guards that are there, at most so many folders below an absolute one. */
  readonly guardedBelow?: (folder: string, depth: number) => readonly string[];
  /** The repository that an absolute folder lies in, or that the agent works in; null if there is none, undefined if that is unknown. */
  readonly repository?: (folder?: string) => Repository | null | undefined;
  /** A stable digest that identifies this machine. */
  readonly machine?: () => string;
}

/** Knows nothing and never touches the disk: for tests and for calls of another machine. */
export const NO_SURROUNDINGS: Surroundings = {
  home: undefined,
  workspace: undefined,
  realPath: (path) => path,
};
