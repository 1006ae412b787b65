import { basename, dirname, join } from 'node:path';
import { kindOf } from '../../../language/policy/files/folders.ts';
import { organisationFiles, ownerProblem } from '../../../language/policy/files/organisation.ts';
import { readRealFile } from '../../../language/policy/files/read-file.ts';
import { parsePolicyFile } from '../../../language/policy/parse/parse.ts';
import { type OnStale, onStaleOf } from '../../../language/policy/schema/managed-schema.ts';
import { parseYaml } from '../../../language/policy/yaml/yaml.ts';
import { parseDuration } from '../../../lib/duration.ts';
import {
  isJsonObject,
  type JsonObject,
  ownItems,
  ownObject,
  ownString,
  ownTexts,
} from '../../../lib/json.ts';

/** The bundle that the organisation manages, and its signers. */
export interface Managed {
  /** The file that says so. */
  readonly file: string;
  readonly url: string;
  readonly name: string | undefined;
  readonly keys: readonly string[];
  /** The identities that may sign it through Sigstore. */
  readonly identities: readonly { readonly subject: string; readonly issuer: string }[];
  /** The path of the trusted root of a Sigstore of one's own. */
  readonly trustedRoot: string | undefined;
  readonly withdrawn: readonly string[];
  readonly everyMs: number;
  readonly maxAgeMs: number | undefined;
  readonly onStale: OnStale;
}

const EVERY_MS = 60 * 60 * 1_000;

/** The bundle that files in the organisation's folders manage, or why that is not known; undefined for none. */
export function readManaged(folders: readonly string[]): Managed | { readonly cause: string } | undefined {
  const found: Managed[] = [];
  for (const folder of folders.filter((each) => kindOf(each) === 'folder')) {
    const open = ownerProblem(folder);
    if (open !== undefined) return { cause: `${open.message}; ${open.hint}` };
    for (const { path, real } of organisationFiles(folder)) {
      const read = readRealFile(real);
      if (!read.ok) return { cause: `Cannot read "${path}": ${read.cause}` };
      const { diagnostics } = parsePolicyFile(read.text, path, basename(path).replace(/\.ya?ml$/, ''));
      const wrong = diagnostics.find(({ severity }) => severity === 'error');
      if (wrong !== undefined) return { cause: `Cannot use "${path}": ${wrong.message}; run policy check` };
      const value = parseYaml(read.text, path).document?.value;
      const managed = isJsonObject(value) ? ownObject(value, 'managed') : undefined;
      if (managed !== undefined) found.push(managedIn(managed, path));
    }
  }
  const [first, second] = found;
  return second === undefined
    ? first
    : { cause: `Cannot manage two bundles: ${first?.file} names one and ${second.file} another` };
}

function managedIn(managed: JsonObject, file: string): Managed {
  const trustedRoot = ownString(managed, 'trusted_root');
  const spanOf = (key: string) => parseDuration(ownString(managed, key) ?? '');
  return {
    file,
    url: ownString(managed, 'url') ?? '',
    name: ownString(managed, 'name'),
    keys: ownTexts(managed, 'keys'),
    identities: identitiesIn(managed),
    trustedRoot: trustedRoot === undefined ? undefined : join(dirname(file), trustedRoot),
    withdrawn: ownTexts(managed, 'withdrawn'),
    everyMs: spanOf('every') ?? EVERY_MS,
    maxAgeMs: spanOf('max_age'),
    onStale: onStaleOf(managed),
  };
}

function identitiesIn(managed: JsonObject): Managed['identities'] {
  return ownItems(managed, 'identities')
    .filter(isJsonObject)
    .map((item) => ({ subject: ownString(item, 'subject') ?? '', issuer: ownString(item, 'issuer') ?? '' }));
}
