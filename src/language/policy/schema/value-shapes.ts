import type { JsonObject } from '../../../lib/json.ts';

/** The form of a string, and the message for one without it. */
interface ValueShape {
  readonly pattern: string;
  readonly state: string;
  readonly hint: string;
}

/** A span of time, which `parseDuration` reads. */
const SPAN: ValueShape = {
  pattern: '^[1-9][0-9]{0,5}[mhdw]$',
  state: 'it is not a duration',
  hint: 'write a number and m, h, d or w, as in 30m or 7d',
};

/** A day, which counts to its end, or a moment in UTC. */
const END: ValueShape = {
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?Z)?$',
  state: 'it is not a date or a time in UTC',
  hint: 'write 2026-12-31 or 2026-12-31T18:00Z',
};

/** The address of a bundle: encrypted, or on this machine. */
const BUNDLE_URL: ValueShape = {
  pattern: '^(https://[^/]|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?/|file:///|oci://[^/])',
  state: 'a bundle is not fetched from there',
  hint: 'write https://, oci://, file:///, or http:// with an address of this machine',
};

/** An Ed25519 key begins in the same way, whichever it is. */
const PUBLIC_KEY: ValueShape = {
  pattern:
    '^(-----BEGIN PUBLIC KEY-----)?\\s*MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=\\s*(-----END PUBLIC KEY-----)?\\s*$',
  state: 'it is not a public key',
  hint: 'write the contents of NAME.pub from policy bundle keygen, or its middle line',
};

/** A file in the same folder, which only those may change who may change the folder. */
const FILE_NAME: ValueShape = {
  pattern: '^[^/\\\\]+$',
  state: 'it is not a file name',
  hint: 'put the file into the same folder, and write its name',
};

/** The only list of shapes; the schema names them by their patterns. */
const SHAPES: readonly ValueShape[] = [SPAN, END, BUNDLE_URL, PUBLIC_KEY, FILE_NAME];

/** JSON Schema of a string of each shape. */
export const SPAN_TEXT = schemaOf(SPAN);
export const END_TEXT = schemaOf(END);
export const BUNDLE_URL_TEXT = schemaOf(BUNDLE_URL);
export const PUBLIC_KEY_TEXT = schemaOf(PUBLIC_KEY);
export const FILE_NAME_TEXT = schemaOf(FILE_NAME);

/** The shape behind a pattern of the schema; undefined if it has none. */
export function valueShapeOf(pattern: unknown): ValueShape | undefined {
  return SHAPES.find((shape) => shape.pattern === pattern);
}

function schemaOf({ pattern }: ValueShape) {
  return { type: 'string', pattern } as const satisfies JsonObject;
}
