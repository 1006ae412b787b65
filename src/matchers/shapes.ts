import type { JsonObject } from '../lib/json.ts';

/** What a text must look like to match anything. The pattern is in the schema, so that editors know it. */
export interface TextShape {
  /** A regex of JSON Schema. */
  readonly pattern: string;
  /** What is wrong with a text that does not fit, in words. */
  readonly state: string;
  /** The form that works in the place of such a text. */
  readonly hint: (text: string) => string;
}

/** A program's name. `/` alone is no program's, which is of use where only what cannot be known is meant. */
const PROGRAM: TextShape = {
  pattern: '^(?:/|[^/]+)$',
  state: 'programs are known by their name, without a folder',
  hint: (text) => `write ${/[^/]*$/.exec(text.replace(/\/+$/, ''))?.[0] ?? 'the name'}`,
};

/** A host or IP address; an IPv6 address has colons, in brackets or without. */
const HOST: TextShape = {
  pattern: '^(?:[^/\\\\:?#@\\s]+|\\[?[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[^/\\]\\s]+)?\\]?)$',
  state: 'a host has no scheme, port, path or address range',
  hint: hostHint,
};

/** A glob for paths, which are compared without a slash at the end. */
const PATH: TextShape = {
  pattern: '^/$|[^/]$',
  state: 'paths are compared without a slash at the end',
  hint: (text) => {
    const folder = text.replace(/\/+$/, '');
    return `write ${folder}/** for what lies in the folder, ${folder} for the folder itself`;
  },
};

/** The start of a model's name. */
const MODEL: TextShape = {
  pattern: '^[^*]+$',
  state: 'it is the start of a name, and not a pattern',
  hint: (text) => `write ${text.replace(/\*.*$/s, '') || 'the start of the name'}`,
};

/** The only list of shapes; the schema names them by their patterns. */
const SHAPES: readonly TextShape[] = [PROGRAM, HOST, PATH, MODEL];

/** JSON Schema of a text of each shape. */
export const PROGRAM_TEXT = schemaOf(PROGRAM);
export const HOST_TEXT = schemaOf(HOST);
export const PATH_TEXT = schemaOf(PATH);
export const MODEL_TEXT = schemaOf(MODEL);

/** The shape that a pattern of the schema stands for; undefined if it is none of a shape. */
export function shapeOf(pattern: unknown): TextShape | undefined {
  return SHAPES.find((shape) => shape.pattern === pattern);
}

function schemaOf({ pattern }: TextShape) {
  return { type: 'string', minLength: 1, pattern } as const satisfies JsonObject;
}

function hostHint(text: string): string {
  if (/^[\d.]+\/\d+$|^[\da-f:]+\/\d+$/i.test(text))
    return 'list the addresses, or write {private: true} for all private networks';
  const [, scheme, host = '', port, path] =
    /^(?:([a-z][a-z0-9+.-]*):\/+)?(?:[^/@]*@)?([^/:?#]*)(?::(\d+))?(\/[^?#]*)?/i.exec(text) ?? [];
  const keys = [
    ...(scheme === undefined ? [] : [`scheme: ${scheme.toLowerCase()}`]),
    `host: ${host || 'example.com'}`,
    ...(port === undefined ? [] : [`port: ${port}`]),
    ...(path === undefined || path === '/'
      ? []
      : [`path: {glob: '${path.replace(/\/?\*{0,2}$/, '')}{,/**}'}`]),
  ];
  return keys.length === 1 ? `write ${host || 'the host alone'}` : `write {${keys.join(', ')}}`;
}
