import type { TrustLookup, TrustRecord } from '../../language/policy/compile/trust.ts';
import { type JsonObject, own, ownString } from '../../lib/json.ts';
import { createRecordFiles } from './record-files.ts';

/** The trusted sets of projects, one file each: faster than SQLite, and safe from a damaged state file. Throws `StateError`. */
export interface TrustStore extends TrustLookup {
  record(projectRoot: string, record: TrustRecord): void;
  /** Says whether there was something to take back. */
  revoke(projectRoot: string): boolean;
}

export function createTrustStore(env: Readonly<Record<string, string | undefined>>): TrustStore {
  const files = createRecordFiles(env, {
    subfolder: 'trust',
    what: 'the trust in',
    key: 'root',
    maxBytes: 16 * 1024 * 1024,
    read: recordFrom,
  });
  return {
    trusted: files.find,
    record: (projectRoot, { digest, ruleDigests }) =>
      files.keep(projectRoot, { digest, rule_digests: ruleDigests }, 'record'),
    revoke: (projectRoot) => files.remove(projectRoot, 'revoke'),
  };
}

function recordFrom(value: JsonObject): TrustRecord | undefined {
  const digest = ownString(value, 'digest');
  const ruleDigests = own(value, 'rule_digests');
  if (digest === undefined || !Array.isArray(ruleDigests)) return undefined;
  const texts = ruleDigests.filter((item) => typeof item === 'string');
  return texts.length === ruleDigests.length ? { digest, ruleDigests: texts } : undefined;
}
