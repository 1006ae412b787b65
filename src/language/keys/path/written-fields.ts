import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { CLOSED, LIST } from '../../../lib/schema-parts.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import { showWord } from '../../../reader/reading/word.ts';
import { NO_TEXT, type WrittenText } from '../../../reader/reading/written-text.ts';
import { sourceTest } from './set-variables.ts';
import { type PathTest, WHICH_PATHS } from './spec.ts';

const name = { type: 'string', pattern: '^[\\w.*-]+$' } as const;
const NAMES = { anyOf: [name, { ...LIST, items: name }] } as const;

/** JSON Schema of a test on the fields in the text that is written to a file. */
export const WRITTEN_FIELDS_SCHEMA: JsonObject = {
  anyOf: [
    ...NAMES.anyOf,
    {
      ...CLOSED,
      required: ['any'],
      properties: {
        any: {
          ...NAMES,
          description: 'One of these is written, or may come out of what a program puts together',
        },
        unseen: {
          const: true,
          description:
            'Or the written text is unknown: it comes from another file or program, or is a value without its field',
        },
        from: { ...WHICH_PATHS, description: 'For "unseen", content copied from these files counts as seen' },
      },
    },
  ],
  description:
    'It writes fields of these names (* matches any characters), in JSON, YAML or TOML; of Markdown the front matter counts',
};

export function writtenFieldsTest(spec: Json): PathTest {
  const { any, unseen, from } = isJsonObject(spec) ? spec : { any: spec };
  const names = (Array.isArray(any) ? any : [any])
    .map((each) => String(each).replaceAll('.', '\\.').replaceAll('*', '[\\w.-]*'))
    .join('|');
  const isNamed = namesIn(names);
  const isInCode = namesInCode(names);
  const mayBecome = namesInPiece(names);
  const isSeen = sourceTest(from);
  return (used, surroundings) => {
    const text = used.text?.() ?? NO_TEXT;
    const file = showWord(used.path).toLowerCase();
    const fields = fieldsOf(text, file);
    if (isNamed(fields, file) || (text.extent !== 'whole' && isInCode(fields))) return true;
    for (const piece of text.pieces) {
      checkTime();
      if (!text.lines.includes(piece) && mayBecome(piece)) return true;
    }
    if (unseen === undefined) return false;
    return isValueAlone(text, file) || !text.sources.every((source) => isSeen(source, used, surroundings));
  };
}

/** Says whether a file has a field of one of some names. */
export function namesField(names: readonly string[]): (text: string, file: string) => boolean {
  const isNamed = namesIn(names.join('|'));
  return (lines, file) => isNamed(fieldsOf({ ...NO_TEXT, lines, extent: 'whole' }, file), file);
}

/** The part of the written text in which fields count. */
function fieldsOf({ lines, extent }: WrittenText, file: string): string {
  if (!isMarkdown(file)) return lines;
  // The place of a part in the file is unknown.
  if (extent === 'part') return lines;
  return frontMatter(lines) ?? (extent === 'whole' ? '' : lines);
}

function isMarkdown(file: string): boolean {
  return /\.(?:md|mdc|markdown)$/.test(file);
}

function namesIn(names: string): (text: string, file: string) => boolean {
  // A name in quotes is a field if a colon follows; one without quotes only at a place where a field may begin.
  const quoted = `(["'])(?:${names})\\1\\s*[:=]`;
  const plain = `[^\\S\\n]*(?:[!&]\\S{0,99}[^\\S\\n]+)?(?:${names})\\s*[:=]`;
  const brace = `(?:[^\\n:]{1,99}:[^\\S\\n]+(?:&\\S{1,99}[^\\S\\n]+)?)?\\{(?:[^\\n]*,)?`;
  const prose = new RegExp(`${quoted}|^(?:[+]|[^\\S\\n]*(?:[?]|${brace}))?${plain}`, 'm');
  const field = new RegExp(`${quoted}|(?:^[+?]?|[{,])${plain}`, 'm');
  const table = new RegExp(
    `^[+]?[^\\S\\n]*\\[[^\\]\\n]*\\b(?:${names})\\b|^[\\w."' \\t-]{0,200}\\b(?:${names})\\b["']?\\s*\\.[^=\\n]{0,200}=`,
    'm',
  );
  return (written, file) => {
    const text = withoutEscapes(written);
    if (isMarkdown(file)) return prose.test(text);
    return (
      field.test(text) ||
      (file.endsWith('.toml') && table.test(text)) ||
      (/\.jsonc?$/.test(file) && field.test(withoutComments(text)))
    );
  };
}

/** Without characters that are written by their numbers and line ends that are taken out, as JSON and YAML have them. */
function withoutEscapes(text: string): string {
  return text
    .replace(/\\\r?\n[^\S\n]*/g, '')
    .replace(/\\(?:u|x(?=[\da-f]{2})|U0000)([\da-f]{4}|[\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
}

function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, (found) =>
    found.startsWith('/') ? '' : found,
  );
}

/** Names in texts of code that an interpreter reads from its input: behind a line end or a quote, or assigned. */
function namesInCode(names: string): (text: string) => boolean {
  const field = new RegExp(`(?:\\\\n|["'])[^\\S\\n]*(?:${names})["'\\\\]*\\]?\\s*[:=]|\\.(?:${names})\\s*=`);
  return (text) => field.test(withoutEscapes(text));
}

/** Names in the code of programs: scripts of sed, filters of jq, assignments. */
function namesInPiece(names: string): (piece: string) => boolean {
  const start = `(?:^|[^\\w\\s-]|\\W[aic]\\\\?\\s|\\d[aic]\\\\?)[^\\S\\n]*`;
  const field = new RegExp(`${start}(?:${names})["'\\\\]*\\]?\\s*(?:[:=]|[+|]=)`, 'm');
  const step = new RegExp(`\\.["']?(?:${names})["']?\\s*[.[=|+]`);
  return (piece) => {
    const text = withoutEscapes(piece.replaceAll('\\n', '\n'));
    return field.test(text) || step.test(text);
  };
}

/** A change that begins within a value may be one of any field. */
function isValueAlone({ lines, pieces, extent }: WrittenText, file: string): boolean {
  if (extent !== 'part') return false;
  const field = /\.jsonc?$/.test(file)
    ? /^[\s{},\]]*"(?:[^"\\]|\\.)*"\s*:/
    : /^[-\s{},\]]*(?:["'\w.]["'\w.-]*|(?<=-))\s*[:=](?:\s|$)/;
  // A formatter is given flags and the file alone.
  const isName = (part: string) =>
    /^--?[\w-]+$/.test(part) || file.endsWith(part.replace(/^\.\//, '').toLowerCase());
  const parts = pieces.size === 0 ? [lines] : [...pieces].filter((part) => !isName(part));
  return parts.some((part) => /[^\s{},\]]/.test(part) && !field.test(part));
}

/**
 * The front matter of a Markdown text, between lines `---`; to its end without a second one. Undefined if there is none. Time:
 * linear.
 */
function frontMatter(text: string): string | undefined {
  const lines = text.replace(/\r\n?/g, '\n');
  const start = /^\uFEFF?\s*---(?!-)[^\n]*\n/.exec(lines);
  if (start === null) return undefined;
  const rest = lines.slice(start[0].length);
  const end = /^---[^\S\n]*$/m.exec(rest);
  return end === null ? rest : rest.slice(0, end.index);
}
