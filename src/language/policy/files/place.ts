import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Allowance } from '../parse/allowance.ts';
import type { SourceStore } from '../sources/source-store.ts';
import type { ReadFile } from './read-file.ts';

/** The places to look for policies. */
export interface PolicyPlace {
  /** The names behind `--policies`: files, folders or `builtin:NAME`. */
  readonly named: readonly string[];
  /** The process's working directory, absolute: names are relative to it. */
  readonly cwd: string;
  /** The directory of the agent's session: projects are looked for at and above it. */
  readonly sessionDirectory: string;
  /** The start of the session, if that is known to lie around that directory. */
  readonly startDirectory?: string;
  /** `POLICY_PATH`, `XDG_CONFIG_HOME` and `HOME` are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The organisation's folder, whoever owns it. Unless given, those of the system, which only root may change. */
  readonly organisationFolder?: string;
  /** The folder of the managed policies; unless given, that of the system, or none where the organisation's is given. */
  readonly managedFolder?: string;
  /** How the files are read: from the disk unless given. */
  readonly readFile?: ReadFile;
  /** The files of sources; there are none unless given. */
  readonly sources?: SourceStore;
}

/** The state of the set that a reader of another's file needs. */
export interface Reader {
  readonly place: PolicyPlace;
  readonly allowance: Allowance;
  readonly diagnostics: Diagnostic[];
  /** The texts that have been read, by path: reading again could give another text. */
  readonly read: ReadonlyMap<string, string>;
}
