import { archiveDigest } from '../../src/fleet/bundle/bundle.ts';

/** A registry that has one bundle, under every name and tag. */
export function ociRegistryOf(bytes: Uint8Array) {
  const digest = archiveDigest(bytes);
  const manifest = JSON.stringify({
    layers: [{ mediaType: 'application/vnd.policy.bundle.v1.tar+gzip', digest, size: bytes.length }],
  });
  const answer = ({ url }: Request): Response => {
    const { pathname } = new URL(url);
    if (pathname.includes('/manifests/')) return new Response(manifest);
    return pathname.endsWith(`/blobs/${digest}`) ? new Response(bytes) : new Response('', { status: 404 });
  };
  return { manifest, answer };
}
