/** The SHA-256 of bytes, or of a text's UTF-8, as 64 hex digits, as `sha256sum` prints it. */
export function sha256Of(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex');
}

/**
 * The SHA-256 of texts or bytes, as 64 hex digits. Each part counts with its length, so that text that moves to the next part
 * changes the digest. A string counts as its UTF-8 bytes.
 */
export function sha256Hex(parts: Iterable<string | Uint8Array>): string {
  // Bun's own: loading node:crypto would take longer than a whole decision.
  const hasher = new Bun.CryptoHasher('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    hasher.update(`${bytes.length}:`).update(bytes);
  }
  return hasher.digest('hex');
}

/** A 64-bit hash of a text, in base 36. Not cryptographic: for noticing change, never for trust. */
export function fastHash(text: string): string {
  return Bun.hash.wyhash(text).toString(36);
}
