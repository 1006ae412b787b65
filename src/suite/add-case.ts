import type { JsonObject } from '../lib/json.ts';
import { formatYaml } from '../policy/format/format-yaml.ts';
import { mappingLines } from '../policy/format/json-yaml.ts';
import { type CollectionNode, type SyntaxEntry, UnusualSyntax } from '../policy/format/syntax-node.ts';
import { syntaxTree } from '../policy/format/syntax-tree.ts';
import { YamlProblem } from '../policy/yaml-problem.ts';
import { TEST_LAYOUT } from './test-layout.ts';

/** The text with the case, or why it cannot be written there. */
export type CaseAdded =
  | { readonly ok: true; readonly text: string; readonly line: number }
  | { readonly ok: false; readonly cause: string };

/** A new test file with one case. */
export function fileWithCase(testCase: JsonObject): string {
  return `version: 1\ncases:\n${caseLines(testCase, '  ').join('\n')}\n`;
}

/** Puts a case behind the last one of a test file. Everything else stays as it is. */
export function addCase(text: string, testCase: JsonObject): CaseAdded {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const source = text.replaceAll('\r\n', '\n');
  const cases = casesIn(source);
  if (typeof cases === 'string') return { ok: false, cause: cases };
  const [first] = cases.entries;
  const last = cases.entries.at(-1);
  if (first === undefined || last === undefined) return { ok: false, cause: 'it has no cases' };
  const indent = ' '.repeat(columnOf(source, first));
  const end = endOfLine(source, last.value.end);
  const gap = isSpaced(source, cases.entries) ? ['', ''] : [''];
  const added = [...gap, ...caseLines(testCase, indent)].join('\n');
  const result = source.slice(0, end) + added + source.slice(end);
  return {
    ok: true,
    text: (result.endsWith('\n') ? result : `${result}\n`).replaceAll('\n', lineBreak),
    line: source.slice(0, end).split('\n').length + gap.length,
  };
}

function casesIn(text: string): CollectionNode | string {
  try {
    const root = syntaxTree(text);
    const cases =
      root.type === 'mapping'
        ? root.entries.find(({ key }) => key?.type === 'scalar' && key.text === 'cases')?.value
        : undefined;
    if (cases?.type !== 'list') return 'it has no list of cases';
    return cases.style === 'block' ? cases : 'its cases are written in brackets';
  } catch (error) {
    if (error instanceof YamlProblem || error instanceof UnusualSyntax) return error.message;
    throw error;
  }
}

/** The lines of a case, as `policy fmt` writes it. */
function caseLines(testCase: JsonObject, indent: string): readonly string[] {
  const [first = '', ...rest] = mappingLines(testCase);
  const whole = `cases:\n  - ${[first, ...rest].join('\n    ')}\n`;
  const result = formatYaml(whole, 'case', TEST_LAYOUT);
  if (result.type !== 'formatted') throw new Error('A case that was made of JSON is YAML');
  return result.text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => (line === '' ? '' : indent + line.slice(2)));
}

function columnOf(text: string, { start }: SyntaxEntry): number {
  return start - (text.lastIndexOf('\n', start - 1) + 1);
}

/** The end of the line in which an offset is, a comment behind it included. */
function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}

/** True unless cases follow each other without a blank line. */
function isSpaced(text: string, entries: readonly SyntaxEntry[]): boolean {
  return entries.every((entry, index) => {
    const before = entries[index - 1];
    return before === undefined || /\n[ \t]*\n/.test(text.slice(before.value.end, entry.start));
  });
}
