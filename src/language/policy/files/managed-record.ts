import { isJsonObject, type Json, ownString, parseJson } from '../../../lib/json.ts';
import { ON_STALE, type OnStale } from '../schema/managed-schema.ts';

const TREE = /^sha256:([0-9a-f]{64})$/;

export interface ManagedBundle {
  readonly name: string;
  readonly version: string;
  /** The digest of the tree of its files, `sha256:` and 64 hex digits. */
  readonly digest: string;
  /** The id of the key that counted. */
  readonly signedBy: string;
  /** When its team wants it to be gone: ISO 8601 in UTC. */
  readonly expires: string | undefined;
}

/** The record that `policy sync` leaves for the hook. */
export interface ManagedRecord {
  /** Undefined as long as none could be had. */
  readonly bundle: ManagedBundle | undefined;
  /** When its server was last asked with success; undefined for never. */
  readonly checked: string | undefined;
  /** From when on `onStale` counts; undefined for never. */
  readonly staleAt: string | undefined;
  readonly onStale: OnStale;
}

export function managedRecordText({ bundle, checked, staleAt, onStale }: ManagedRecord): string {
  const record = {
    version: 1,
    bundle:
      bundle === undefined
        ? null
        : {
            name: bundle.name,
            version: bundle.version,
            digest: bundle.digest,
            signed_by: bundle.signedBy,
            expires: bundle.expires ?? null,
          },
    checked: checked ?? null,
    stale_at: staleAt ?? null,
    on_stale: onStale,
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** Undefined if the text is none of this version. */
export function parseManagedRecord(text: string): ManagedRecord | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value) || value['version'] !== 1) return undefined;
  const onStale = ON_STALE.find((known) => known === value['on_stale']);
  const bundle = value['bundle'] === null ? undefined : bundleIn(value['bundle'] ?? null);
  if (onStale === undefined || (value['bundle'] !== null && bundle === undefined)) return undefined;
  const staleAt = ownString(value, 'stale_at');
  if (staleAt !== undefined && Number.isNaN(Date.parse(staleAt))) return undefined;
  return { bundle, checked: ownString(value, 'checked'), staleAt, onStale };
}

/** The path of a bundle's files in the folder of the managed policies. */
export function treeFolder(digest: string): readonly [string, string] {
  return ['sha256', TREE.exec(digest)?.[1] ?? ''];
}

function bundleIn(value: Json): ManagedBundle | undefined {
  if (!isJsonObject(value)) return undefined;
  const [name, version, digest, signedBy] = ['name', 'version', 'digest', 'signed_by'].map((key) =>
    ownString(value, key),
  );
  if (name === undefined || version === undefined || digest === undefined || signedBy === undefined)
    return undefined;
  return TREE.test(digest)
    ? { name, version, digest, signedBy, expires: ownString(value, 'expires') }
    : undefined;
}
