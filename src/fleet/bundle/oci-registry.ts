import { join } from 'node:path';
import {
  asObject,
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  ownObject,
  ownString,
  parseJson,
} from '../../lib/json.ts';
import { type OciName, parseOciName } from '../../lib/oci-name.ts';
import { readBounded } from '../../lib/read-bounded.ts';
import { MAX_ARCHIVE_BYTES } from './archive.ts';
import { archiveDigest } from './bundle.ts';
import { BundleError } from './bundle-error.ts';
import { bodyOf, isLoopback, type Request, request, statusError } from './request.ts';

// A client for https://github.com/opencontainers/distribution-spec, as far as one file needs it.

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const ARTIFACT = 'application/vnd.policy.bundle.v1';
const LAYER = 'application/vnd.policy.bundle.v1.tar+gzip';
const EMPTY = 'application/vnd.oci.empty.v1+json';
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** How long a person waits for a registry. */
export const REGISTRY_MS = 120_000;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RegistryOptions {
  /** `DOCKER_CONFIG`, else `HOME`, says where the passwords of `docker login` are. */
  readonly env: Environment;
  readonly signal: AbortSignal;
}

export interface PulledBundle {
  readonly bytes: Uint8Array;
  /** The digest by which the registry has it, and nothing else. */
  readonly digest: string;
}

/**
 * Pulls a bundle. The bytes have the digest that the name or the registry gives.
 *
 * @throws BundleError if it cannot be had, or is no bundle
 */
export async function pullBundle(text: string, options: RegistryOptions): Promise<PulledBundle> {
  const name = nameIn(text);
  const registry = openRegistry(name, options);
  const reference = name.digest ?? name.tag ?? 'latest';
  const answer = await registry.ask(`manifests/${reference}`, { headers: { accept: MANIFEST } });
  if (answer.status === 404)
    throw new BundleError(
      'its registry has nothing of this name, or hides it: check the tag, or run docker login',
    );
  if (!answer.ok) throw statusError(answer);
  const manifest = await bodyOf(answer, MAX_MANIFEST_BYTES, 'its manifest is larger than 1 MiB');
  const digest = archiveDigest(manifest);
  if (name.digest !== undefined && digest !== name.digest)
    throw new BundleError(`its registry sends ${digest} in its place`);
  const layer = layerIn(manifest);
  const blob = await registry.ask(`blobs/${layer.digest}`);
  if (!blob.ok) throw statusError(blob);
  const bytes = await bodyOf(
    blob,
    Math.min(layer.size, MAX_ARCHIVE_BYTES),
    'it is larger than its manifest says',
  );
  if (archiveDigest(bytes) !== layer.digest)
    throw new BundleError(`its registry sends bytes that differ from ${layer.digest}`);
  return { bytes, digest };
}

/** The labels that a registry shows of a bundle. */
export interface Labels {
  readonly name: string;
  readonly version: string;
}

/**
 * Pushes a bundle, and returns its name with the digest by which the registry has it: the same for the same bytes.
 *
 * @throws BundleError if the registry does not take it
 */
export async function pushBundle(
  text: string,
  bytes: Uint8Array,
  { name: title, version }: Labels,
  options: RegistryOptions,
): Promise<string> {
  const name = nameIn(text);
  if (name.tag === undefined || name.digest !== undefined)
    throw new BundleError('name a tag to push to, as in oci://registry.example.com/team/policies:1.4.0');
  const registry = openRegistry(name, options);
  const empty = Buffer.from('{}');
  for (const blob of [empty, bytes]) await pushBlob(registry, blob);
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      artifactType: ARTIFACT,
      config: { mediaType: EMPTY, digest: archiveDigest(empty), size: empty.length },
      layers: [{ mediaType: LAYER, digest: archiveDigest(bytes), size: bytes.length }],
      annotations: {
        'org.opencontainers.image.title': title,
        'org.opencontainers.image.version': version,
      },
    }),
  );
  const answer = await registry.ask(`manifests/${name.tag}`, {
    method: 'PUT',
    headers: { 'content-type': MANIFEST },
    body: manifest,
  });
  if (!answer.ok) throw statusError(answer);
  return `oci://${name.host}/${name.repository}@${archiveDigest(manifest)}`;
}

async function pushBlob(registry: Registry, bytes: Uint8Array): Promise<void> {
  const digest = archiveDigest(bytes);
  if ((await registry.ask(`blobs/${digest}`, { method: 'HEAD' })).ok) return;
  const started = await registry.ask('blobs/uploads/', {
    method: 'POST',
    headers: { 'content-length': '0' },
  });
  const location = started.headers.get('location');
  if (!started.ok || location === null) throw statusError(started);
  const url = new URL(location, registry.base);
  url.searchParams.set('digest', digest);
  const done = await registry.ask(url.href, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  if (!done.ok) throw statusError(done);
}

interface Registry {
  readonly base: string;
  /** @param path below the repository, or a whole URL at the same server */
  readonly ask: (path: string, request?: Omit<Request, 'signal'>) => Promise<Response>;
}

/** Logs in when the registry wants that. */
function openRegistry({ host, repository }: OciName, { env, signal }: RegistryOptions): Registry {
  const scheme = isLoopback(host.replace(/:\d+$/, '')) ? 'http' : 'https';
  const base = `${scheme}://${host}/v2/${repository}/`;
  const password = passwordFor(host, env);
  let authorization: string | undefined;
  return {
    base,
    ask: async (path, { headers = {}, ...rest } = {}) => {
      const url = new URL(path, base);
      if (url.origin !== new URL(base).origin)
        throw new BundleError('its registry wants uploads on another server');
      const ask = () =>
        request(url.href, {
          ...rest,
          signal,
          headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
        });
      const answer = await ask();
      // Only the registry itself learns the password, or says who else does.
      if (answer.status !== 401 || new URL(answer.url).origin !== url.origin) return answer;
      authorization = await logIn(answer.headers.get('www-authenticate') ?? '', password, base, signal);
      return ask();
    },
  };
}

/** Answers a registry that asks who we are. */
async function logIn(
  challenge: string,
  password: string | undefined,
  base: string,
  signal: AbortSignal,
): Promise<string> {
  const basic = password === undefined ? undefined : `Basic ${password}`;
  const [, kind = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(challenge) ?? [];
  if (kind.toLowerCase() === 'basic') {
    if (basic !== undefined) return basic;
    throw new BundleError('its registry wants a password; run docker login, or oras login');
  }
  const parts = Object.fromEntries(
    [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  const realm = URL.parse(parts['realm'] ?? '');
  const isPrivate =
    realm?.protocol === 'https:' || (base.startsWith('http:') && isLoopback(realm?.hostname ?? ''));
  if (kind.toLowerCase() !== 'bearer' || realm === null || !isPrivate)
    throw new BundleError('its registry wants an unknown kind of login');
  for (const key of ['service', 'scope'])
    if (parts[key] !== undefined) realm.searchParams.set(key, parts[key]);
  const answer = await request(realm.href, {
    signal,
    headers: basic === undefined ? {} : { authorization: basic },
  });
  if (!answer.ok)
    throw new BundleError(
      `its registry denies access (HTTP status ${answer.status}); run docker login, or oras login`,
    );
  const body = jsonOf(await bodyOf(answer, MAX_MANIFEST_BYTES, 'its login is larger than 1 MiB'));
  const token = ownString(body, 'token') ?? ownString(body, 'access_token');
  if (token === undefined) throw new BundleError('its registry gives no token');
  return `Bearer ${token}`;
}

/** The password that `docker login` has kept, in base64 with the user's name; undefined if there is none. */
function passwordFor(host: string, env: Environment): string | undefined {
  const folder = env['DOCKER_CONFIG'] ?? join(env['HOME'] ?? '/', '.docker');
  try {
    const config = jsonOf(readBounded(join(folder, 'config.json'), MAX_MANIFEST_BYTES));
    const entry = ownObject(ownObject(config, 'auths') ?? {}, host);
    return entry === undefined ? undefined : ownString(entry, 'auth');
  } catch {
    // Without it the registry is asked as by anybody.
    return undefined;
  }
}

function nameIn(text: string): OciName {
  const name = parseOciName(text);
  if (name === undefined)
    throw new BundleError(
      'it does not name a registry: write oci://HOST/REPOSITORY:TAG or oci://HOST/REPOSITORY@sha256:…',
    );
  return name;
}

function layerIn(bytes: Uint8Array): { readonly digest: string; readonly size: number } {
  const layers = own(jsonOf(bytes), 'layers');
  const [layer, ...others]: readonly Json[] = Array.isArray(layers) ? layers : [];
  if (isJsonObject(layer) && others.length === 0 && ownString(layer, 'mediaType') === LAYER) {
    const digest = ownString(layer, 'digest') ?? '';
    const size = Number(own(layer, 'size'));
    if (/^sha256:[0-9a-f]{64}$/.test(digest) && size >= 0) return { digest, size };
  }
  throw new BundleError('it is not a bundle of policies: policy bundle push makes one');
}

function jsonOf(bytes: Uint8Array): JsonObject {
  return asObject(parseJson(new TextDecoder().decode(bytes)));
}
