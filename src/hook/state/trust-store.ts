import type { TrustLookup, TrustRecord } from '../../language/policy/compile/trust.ts';
import { type JsonObject, own, ownString } from '../../lib/json.ts';
import { createRecordFiles } from './record-files.ts';

/**
 * The trusted sets of projects. One file a project beside the state file: asking costs a fraction of opening SQLite,
 * and a damaged state file does not take trust away. Throws `StateError` if it cannot tell or keep something.
 */
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
