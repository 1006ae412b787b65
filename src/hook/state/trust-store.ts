import { join } from 'node:path';
import { sha256Hex } from '../../lib/digest.ts';
import { isJsonObject, type Json, own, ownString } from '../../lib/json.ts';
import { readPrivateFile, removeIfThere, writePrivateFile } from './private-file.ts';
import { StateError, stateError } from './state-error.ts';
import { findStateSubfolder, openStateSubfolder } from './state-folder.ts';

const SUBFOLDER = 'trust';
const VERSION = 1;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** What somebody has agreed to: a whole set, and each rule of it that needed that. */
export interface TrustRecord {
  readonly digest: string;
  readonly ruleDigests: readonly string[];
}

/**
 * Which project sets are trusted. One file a project beside the state file: asking costs a fraction of opening SQLite,
 * and a damaged state file does not take trust away. Throws `StateError` if it cannot tell or keep something.
 */
export interface TrustStore {
  /** What was agreed to for the project at this root; undefined if nothing was. */
  trusted(projectRoot: string): TrustRecord | undefined;
  record(projectRoot: string, record: TrustRecord): void;
  /** Says whether there was something to take back. */
  revoke(projectRoot: string): boolean;
}

export function createTrustStore(env: Readonly<Record<string, string | undefined>>): TrustStore {
  const existing = (projectRoot: string): string | undefined => {
    const folder = findStateSubfolder(env, SUBFOLDER);
    return folder === undefined ? undefined : join(folder, nameFor(projectRoot));
  };

  return {
    trusted: (projectRoot) => {
      const path = existing(projectRoot);
      return path === undefined
        ? undefined
        : guarded('read', projectRoot, () => readRecord(path, projectRoot));
    },
    record: (projectRoot, { digest, ruleDigests }) => {
      const path = join(openStateSubfolder(env, SUBFOLDER), nameFor(projectRoot));
      const text = JSON.stringify({ version: VERSION, root: projectRoot, digest, rule_digests: ruleDigests });
      guarded('record', projectRoot, () => writePrivateFile(path, text));
    },
    revoke: (projectRoot) => {
      const path = existing(projectRoot);
      return path === undefined ? false : guarded('revoke', projectRoot, () => removeIfThere(path));
    },
  };
}

function nameFor(projectRoot: string): string {
  return `${sha256Hex([projectRoot])}.json`;
}

function readRecord(path: string, projectRoot: string): TrustRecord | undefined {
  const text = readPrivateFile(path, MAX_FILE_BYTES);
  if (text === undefined) return undefined;
  const value = parse(text);
  const record = value === undefined ? undefined : recordFrom(value, projectRoot);
  if (record === undefined) throw new Error('it is not what was written');
  return record;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function recordFrom(value: Json, projectRoot: string): TrustRecord | undefined {
  if (!isJsonObject(value) || own(value, 'version') !== VERSION || own(value, 'root') !== projectRoot)
    return undefined;
  const digest = ownString(value, 'digest');
  const ruleDigests = own(value, 'rule_digests');
  if (digest === undefined || !Array.isArray(ruleDigests)) return undefined;
  const texts = ruleDigests.filter((item) => typeof item === 'string');
  return texts.length === ruleDigests.length ? { digest, ruleDigests: texts } : undefined;
}

function guarded<T>(verb: string, projectRoot: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof StateError
      ? error
      : stateError(`Cannot ${verb} the trust in "${projectRoot}"`, error);
  }
}
