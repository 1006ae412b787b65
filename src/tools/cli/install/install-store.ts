import { createRecordFiles } from '../../../hook/state/record-files.ts';
import { type JsonObject, own, ownString } from '../../../lib/json.ts';

/** A change that `policy install` has made to one configuration file. */
export interface InstallRecord {
  /** The text before; undefined if there was no file. */
  readonly before: string | undefined;
  /** Digest of the text that was written. */
  readonly written: string;
  /** Folders that were made for the file, outermost first. */
  readonly made: readonly string[];
  /** The program that was installed, and its digest. */
  readonly program: string;
  readonly programDigest: string;
  /** The `fileIdentity` of that file: the same one need not be read again. */
  readonly programFile: string | undefined;
}

/** Backups of written configurations, where an agent may not write. Throws `StateError`. */
export interface InstallStore {
  find(path: string): InstallRecord | undefined;
  /** The digest of a program that was installed anywhere as this very file. */
  digestOf(programFile: string): string | undefined;
  /** When the record of a file was written, in milliseconds since 1970; undefined if there is none. */
  installedMs(path: string): number | undefined;
  keep(path: string, record: InstallRecord): void;
  forget(path: string): void;
  /** The path of a file's record. */
  placeOf(path: string): string;
}

export function createInstallStore(env: Readonly<Record<string, string | undefined>>): InstallStore {
  const files = createRecordFiles(env, {
    subfolder: 'installed',
    what: 'the backup of',
    key: 'path',
    maxBytes: 64 * 1024 * 1024,
    read: recordFrom,
  });
  return {
    placeOf: files.placeOf,
    find: files.find,
    digestOf: (programFile) => files.all().find((each) => each.programFile === programFile)?.programDigest,
    installedMs: files.writtenMs,
    keep: (path, { before = null, programDigest, programFile = null, ...record }: Written) =>
      files.keep(
        path,
        { before, ...record, program_digest: programDigest, program_file: programFile },
        'keep',
      ),
    forget: (path) => void files.remove(path, 'delete'),
  };
}

/** A record with null for its missing fields. */
type Written = { readonly [K in keyof InstallRecord]: InstallRecord[K] | null };

function recordFrom(value: JsonObject): InstallRecord | undefined {
  const [written, program, programDigest] = ['written', 'program', 'program_digest'].map((key) =>
    ownString(value, key),
  );
  const made = own(value, 'made');
  if (written === undefined || program === undefined || programDigest === undefined) return undefined;
  if (!Array.isArray(made)) return undefined;
  const [before, programFile] = [ownString(value, 'before'), ownString(value, 'program_file')];
  return { before, written, made: made.map(String), program, programDigest, programFile };
}
