import { isSeq, type ParsedNode, parseDocument } from 'yaml';
import { formatYaml } from '../../../language/policy/format/format-yaml.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { TEST_LAYOUT } from '../cases/test-layout.ts';

/** The text with the case, or why it cannot be written there. */
export type CaseAdded =
  | { readonly ok: true; readonly text: string; readonly line: number }
  | { readonly ok: false; readonly cause: string };

export function fileWithCase(testCase: JsonObject): string {
  return `version: 1\ncases:\n${caseLines(testCase, '  ').join('\n')}\n`;
}

/** Puts a case behind the last one of a test file. Everything else stays as it is. */
export function addCase(text: string, testCase: JsonObject): CaseAdded {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const source = text.replaceAll('\r\n', '\n');
  const spans = casesIn(source);
  if (typeof spans === 'string') return { ok: false, cause: spans };
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return { ok: false, cause: 'it has no cases' };
  const indent = ' '.repeat(source.slice(source.lastIndexOf('\n', first.start - 1) + 1).search(/\S/));
  const end = endOfLine(source, last.end);
  const gap = isSpaced(source, spans) ? ['', ''] : [''];
  const added = [...gap, ...caseLines(testCase, indent)].join('\n');
  const result = source.slice(0, end) + added + source.slice(end);
  return {
    ok: true,
    text: (result.endsWith('\n') ? result : `${result}\n`).replaceAll('\n', lineBreak),
    line: source.slice(0, end).split('\n').length + gap.length,
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The places of the cases, without the white space behind them. */
function casesIn(text: string): readonly Span[] | string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) return error.message.split('\n', 1)[0] ?? error.code;
  const cases = document.get('cases', true);
  if (!isSeq<ParsedNode>(cases)) return 'it has no list of cases';
  if (cases.flow) return 'its cases are written in brackets';
  return cases.items.map(({ range: [start, end] }) => ({
    start,
    end: start + text.slice(start, end).trimEnd().length,
  }));
}

/** The lines of a case, as `policy fmt` writes it. */
function caseLines(testCase: JsonObject, indent: string): readonly string[] {
  const lines = Object.entries(testCase).map(([key, value]) => `${asYaml(key)}: ${asYaml(value)}`);
  const [first = '', ...rest] = lines;
  const whole = `cases:\n  - ${[first, ...rest].join('\n    ')}\n`;
  const result = formatYaml(whole, 'case', TEST_LAYOUT);
  if (result.type !== 'formatted') throw new Error('A case that was made of JSON is YAML');
  return result.text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => (line === '' ? '' : indent + line.slice(2)));
}

/** The end of the line in which an offset is, a comment behind it included. */
export function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}

/** True unless cases follow each other without a blank line. */
function isSpaced(text: string, spans: readonly Span[]): boolean {
  return spans.every((span, index) => {
    const before = spans[index - 1];
    return before === undefined || /\n[ \t]*\n/.test(text.slice(before.end, span.start));
  });
}

/** A string in JSON that is an absolute path of plain names, and no key. */
const PATH = /(?<!\\)"((?:\/[\p{L}\p{N}._-]+)+)"(?!:)/gu;

/** JSON is YAML; a character that JSON writes as it is may be a line break to a reader. */
function asYaml(value: Json): string {
  return JSON.stringify(value)
    .replace(PATH, '$1')
    .replace(
      /[\p{C}\u2028\u2029\u00a0]/gu,
      (char) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
    );
}
