import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Allowance } from '../parse/allowance.ts';
import type { SourceStore } from '../sources/source-store.ts';
import type { ReadFile } from './read-file.ts';

/** Where policies are looked for. */
export interface PolicyPlace {
  /** What `--policies` names: files, folders or `builtin:NAME`. */
  readonly named: readonly string[];
  /** The process's working directory, absolute: names are relative to it. */
  readonly cwd: string;
  /** The directory of the agent's session: projects are looked for at and above it. */
  readonly sessionDirectory: string;
  /** Where the session was started, if that is known to lie around that directory. */
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

/** What reading a file that another names needs to know of the set. */
export interface Reader {
  readonly place: PolicyPlace;
  readonly allowance: Allowance;
  readonly diagnostics: Diagnostic[];
  /** What has been read, by its path: reading it again could give another text. */
  readonly read: ReadonlyMap<string, string>;
}
