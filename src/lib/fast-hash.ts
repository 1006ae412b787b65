/** A 64-bit hash of a text, in base 36. Not cryptographic: for noticing change, never for trust. */
export function fastHash(text: string): string {
  return Bun.hash.wyhash(text).toString(36);
}
