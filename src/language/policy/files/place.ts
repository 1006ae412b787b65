import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Allowance } from '../parse/allowance.ts';
import type { SourceStore } from '../sources/source-store.ts';
import type { ReadFile } from './read-file.ts';

/** The places to look for policies. */
export interface PolicyPlace {
  /** The values of `--policies`: files, folders or `builtin:NAME`. */
  readonly named: readonly string[];
  /** The process's working directory, absolute: names are relative to it. */
  readonly cwd: string;
  /** The directory of the agent's session, in which and above which projects are looked for. */
  readonly sessionDirectory: string;
  /** The start directory of the session, if it is known to be that directory or one above. */
  readonly startDirectory?: string;
  /** Its `POLICY_PATH`, `XDG_CONFIG_HOME` and `HOME` are used. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The organisation's folder with any owner; by default those of the system, which only root may change. */
  readonly organisationFolder?: string;
  /** The folder of the managed policies; by default that of the system, or none if `organisationFolder` is given. */
  readonly managedFolder?: string;
  /** Reads files; by default from the disk. */
  readonly readFile?: ReadFile;
  /** The files of sources; by default none. */
  readonly sources?: SourceStore;
}

/** Reads the files that another file names. */
export interface Reader {
  readonly place: PolicyPlace;
  readonly allowance: Allowance;
  readonly diagnostics: Diagnostic[];
  /** The texts read so far, by path: a second read could give another text. */
  readonly read: ReadonlyMap<string, string>;
}
