const MAX_CHARS = 1 << 16;

/** The text in base64; undefined if it is none or too long. */
export function decodeBase64(text: string): string | undefined {
  const compact = text.replace(/\s+/g, '');
  if (compact.length > MAX_CHARS || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) return undefined;
  return asText(
    Uint8Array.fromBase64(padded(compact.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))),
  );
}

/** UTF-16 in base64, as PowerShell's encoded commands are. */
export function decodeBase64Utf16(text: string): string | undefined {
  if (text.length > MAX_CHARS || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    return undefined;
  return new TextDecoder('utf-16le').decode(Uint8Array.fromBase64(text));
}

function padded(base64: string): string {
  // A single character more than full groups of four encodes nothing.
  const whole = base64.length % 4 === 1 ? base64.slice(0, -1) : base64;
  return whole.padEnd(Math.ceil(whole.length / 4) * 4, '=');
}

function asText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
