/** Letters and digits that nobody takes for another: Crockford's. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 6;

/** A new code: six characters, of which there are a billion. */
export function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** A code as a person types it: case does not matter, nor hyphens, nor whether a zero looks like an O. */
export function typedCode(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}
