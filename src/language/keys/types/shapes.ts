import type { JsonObject } from '../../../lib/json.ts';
import { TEXT } from '../../../lib/schema-parts.ts';

/** The form of a text that can match something. The pattern is in the schema, so that editors know it. */
export interface TextShape {
  /** A regex of JSON Schema. */
  readonly pattern: string;
  /** The fault of a text that does not fit, in words. */
  readonly state: string;
  /** The form that works instead. */
  readonly hint: (text: string) => string;
  /** Texts of this form that nothing is called. They load, because a name may have any characters; `policy check` warns. */
  readonly unheard?: { readonly of: string; readonly test: RegExp };
}

/** A program's name. `/` alone is no program's, which is of use if only unknown ones are meant. */
const PROGRAM: TextShape = {
  pattern: '^(?:/|[^/;|&<>$`^?\\\\(){}]+)$',
  state: 'a program is known by its name alone, in which * matches any characters',
  hint: programHint,
  // `,` and `,deploy` are programs; nobody lists programs with a comma in front.
  unheard: { of: 'program', test: /^[^,]+,/ },
};

function programHint(text: string): string {
  if (/\$./.test(text)) return 'write {unreadable: unknown_program} for programs that nobody can know';
  const names = text
    .split(/[\s;,|&<>`^$?\\(){}]+/)
    .map((part) => part.split('/').findLast((name) => name !== '') ?? '');
  const [first, ...others] = names.filter((name) => name !== '');
  return `write ${others.length === 0 ? (first ?? 'the name') : `[${[first, ...others].join(', ')}]`}`;
}

const SCHEME: TextShape = {
  pattern: '^[a-z][a-z0-9+.-]*$',
  state: 'a scheme is in small letters and has no colon',
  hint: (text) => `write ${/^[a-z0-9+.-]*/.exec(text.toLowerCase())?.[0] || 'https'}`,
};

const NAME = '[^/\\\\:?#@\\s]+';
const IPV6 = '[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[^/\\]\\s]+)?';
const IPV4_RANGE = '[0-9.]+/[0-9]+';
const IPV6_RANGE = `${IPV6}/[0-9]+|\\[${IPV6}\\]/[0-9]+`;
const PORT_RANGE = '[0-9]+(?:-[0-9]+)?';

/** A host, an IP address or a range of addresses; an IPv6 address has colons, in brackets or without. */
const HOST: TextShape = {
  pattern: `^(?:${NAME}|${IPV6}|\\[${IPV6}\\]|${IPV4_RANGE}|${IPV6_RANGE})$`,
  state: 'a host has no scheme, port or path',
  hint: hostHint,
  unheard: { of: 'host', test: /[,|$^(){}]/ },
};

/** The same, with a port or a range of ports behind it. */
const PLACE: TextShape = {
  pattern: `^(?:(?:${NAME}|\\[${IPV6}\\])(?::${PORT_RANGE})?|${IPV6}|${IPV4_RANGE}|${IPV6_RANGE})$`,
  state: 'a host has no scheme or path',
  hint: hostHint,
};

/** Ports from the first to the last. */
const PORTS: TextShape = {
  pattern: `^${PORT_RANGE}$`,
  state: 'a port is a number',
  hint: () => 'write a port as 443, or a range as 8000-8999',
};

/** A glob for paths, which are compared without a slash at the end. */
const PATH: TextShape = {
  pattern: '^/$|[^/]$',
  state: 'paths are compared without a slash at the end',
  hint: (text) => {
    const folder = text.replace(/(?<!\/)\/+$/, '');
    return `write ${folder}/** for what lies in the folder, ${folder} for the folder itself`;
  },
};

const MODEL: TextShape = {
  pattern: '^[^*]+$',
  state: 'it is the start of a name, and not a pattern',
  hint: (text) => listHint(text) ?? `write ${text.replace(/\*.*$/s, '') || 'the start of the name'}`,
  // A proxy may have models called `provider,model`.
  unheard: { of: 'model', test: /\||[-\d]\s*,|,\s/ },
};

/** The only list of shapes; the schema names them by their patterns. */
const SHAPES: readonly TextShape[] = [PROGRAM, SCHEME, HOST, PLACE, PORTS, PATH, MODEL];

/** JSON Schema of a text of each shape. */
export const PROGRAM_TEXT = schemaOf(PROGRAM);
export const SCHEME_TEXT = schemaOf(SCHEME);
export const HOST_TEXT = schemaOf(HOST);
export const PLACE_TEXT = schemaOf(PLACE);
export const PORTS_TEXT = schemaOf(PORTS);
export const PATH_TEXT = schemaOf(PATH);
export const MODEL_TEXT = schemaOf(MODEL);

/** The shape behind a pattern of the schema; undefined if it has none. */
export function shapeOf(pattern: unknown): TextShape | undefined {
  return SHAPES.find((shape) => shape.pattern === pattern);
}

/** A text of a shape that nothing is called. */
export function unheardText(
  { pattern }: { readonly pattern: string },
  text: string,
): { readonly message: string; readonly hint: string } | undefined {
  const shape = shapeOf(pattern);
  if (shape?.unheard?.test.test(text) !== true) return undefined;
  const { of } = shape.unheard;
  return { message: `Cannot match ${of} "${text}": no ${of} has this name`, hint: shape.hint(text) };
}

function schemaOf({ pattern }: TextShape) {
  return { ...TEXT, pattern } as const satisfies JsonObject;
}

/** For several values in one text: `gpt-,claude-`, `a.example|b.example`. */
function listHint(text: string): string | undefined {
  const parts = text.split(/[\s,|]+/).filter((part) => part !== '');
  return parts.length > 1 ? `write [${parts.join(', ')}]` : undefined;
}

function hostHint(text: string): string {
  if (/^\{?\$/.test(text)) return 'write {$parameter: NAME}, without quotes around it, for a parameter';
  const list = /[\\/(]/.test(text) ? undefined : listHint(text);
  if (list !== undefined) return list;
  // A regex: `.*\.example\.com`, `^example\.com$`.
  if (/^\^|^\.[*+]|\\|\$$/.test(text)) {
    const name = text
      .replace(/^\^?(?:\.[*+])?/, (start) => (start.includes('.') ? '*' : ''))
      .replace(/\\|\$$/g, '');
    return `write '${name}': a host is no regex`;
  }
  const [, scheme, host = '', port, path] =
    /^(?:([a-z][a-z0-9+.-]*):\/+)?(?:[^/@]*@)?([\d.]+\/\d+(?=:|$)|[^/:?#]*)(?::(\d+(?:-\d+)?))?(\/[^?#]*)?/i.exec(
      text,
    ) ?? [];
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
