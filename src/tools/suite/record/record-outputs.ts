import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  parseDocument,
  stringify,
  type YAMLMap,
} from 'yaml';
import type { Reply } from '../../../hosts/host.ts';
import { hostNamed } from '../../../hosts/registry.ts';
import { asObject, type Json, ownItems } from '../../../lib/json.ts';
import type { TestCase } from '../cases/test-case.ts';
import { outputValue } from '../expect/output-value.ts';
import { endOfLine } from './add-case.ts';

/** An output to write into the test file. */
export interface Recording {
  readonly test: TestCase;
  readonly replies: readonly Reply[];
}

/** The text of a test file with outputs recorded, and the cases that are written in a form that cannot be changed. */
export interface Recorded {
  readonly text: string;
  readonly refused: readonly TestCase[];
}

const OUTPUTS: readonly string[] = ['stdout', 'exit'];

/** Writes outputs into the text of a test file: `stdout` and `exit` of `expect`. Everything else stays as it is. */
export function recordOutputs(text: string, recordings: readonly Recording[]): Recorded {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  let source = text.replaceAll('\r\n', '\n');
  const cases = parseDocument(source).get('cases', true);
  const refused: TestCase[] = [];
  // From the end, so that the places of the cases still to come stay true.
  for (const { test, replies } of recordings.toSorted((a, b) => b.test.index - a.test.index)) {
    const written = isSeq<ParsedNode>(cases) ? cases.items[test.index] : undefined;
    const recorded =
      isMap(written) && !written.flow ? withOutput(source, written, outputLines(test, replies)) : undefined;
    if (recorded === undefined || !keepsAliases(source, recorded, test.index)) refused.push(test);
    else source = recorded;
  }
  return { text: source.replaceAll('\n', lineBreak), refused };
}

/** False if an alias elsewhere needs the replaced value, or would mean something else. */
function keepsAliases(before: string, after: string, index: number): boolean {
  if (!before.includes('&')) return true;
  const others = othersIn(after, index);
  return others !== undefined && others === othersIn(before, index);
}

/** All that a file says but for one case; undefined if it cannot be read. */
function othersIn(text: string, index: number): string | undefined {
  try {
    const said = asObject(parseDocument(text).toJS());
    return JSON.stringify({ ...said, cases: ownItems(said, 'cases').toSpliced(index, 1) });
  } catch {
    return undefined;
  }
}

type WrittenMap = YAMLMap.Parsed;
type WrittenPair = Pair<ParsedNode, ParsedNode | null>;

/** The text with an output in a case; undefined if the expectation of the case is somewhere else. */
function withOutput(source: string, testCase: WrittenMap, output: readonly string[]): string | undefined {
  const indent = indentOf(source, testCase);
  const expect = pairOf(testCase, 'expect');
  if (expect === undefined)
    return insertLines(source, lastLine(source, testCase), indent, [
      'expect:',
      ...output.map((line) => `  ${line}`),
    ]);
  const { key, value } = expect;
  if (isMap(value) && !value.flow) {
    const added = insertLines(source, lastLine(source, value), indentOf(source, value), output);
    return OUTPUTS.map((name) => pairOf(value, name))
      .filter((pair) => pair !== undefined)
      .toSorted((a, b) => b.key.range[0] - a.key.range[0])
      .reduce(withoutLines, added);
  }
  if (value !== null && !isMap(value) && !isScalar(value)) return undefined;
  const said: unknown = value?.toJSON();
  const expected = typeof said === 'string' ? { action: said } : { ...(said as object | null) };
  const kept = Object.entries(expected).filter(([name]) => !OUTPUTS.includes(name));
  const lines = kept.map((entry) => stringify(Object.fromEntries([entry]), { lineWidth: 0 }).trimEnd());
  const text = insertLines('expect:', 'expect:'.length, indent + 2, [
    ...lines.join('\n').split('\n').filter(Boolean),
    ...output,
  ]);
  return (
    source.slice(0, key.range[0]) + text + source.slice(value?.range[1] ?? endOfLine(source, key.range[1]))
  );
}

function pairOf({ items }: WrittenMap, name: string): WrittenPair | undefined {
  return items.find(({ key }) => isScalar(key) && key.value === name);
}

/** The column of the keys. */
function indentOf(source: string, { items }: WrittenMap): number {
  const start = items[0]?.key.range[0] ?? 0;
  return start - (source.lastIndexOf('\n', start - 1) + 1);
}

/** The end of the last line that has something of a value. */
function lastLine(source: string, { range: [start, end] }: ParsedNode): number {
  return endOfLine(source, start + source.slice(start, end).trimEnd().length);
}

function insertLines(source: string, at: number, indent: number, lines: readonly string[]): string {
  return (
    source.slice(0, at) + lines.map((line) => `\n${' '.repeat(indent)}${line}`).join('') + source.slice(at)
  );
}

function withoutLines(source: string, { key, value }: WrittenPair): string {
  const before = source.lastIndexOf('\n', key.range[0]);
  return source.slice(0, before) + source.slice(lastLine(source, value ?? key));
}

/** The output in the form in which a test expects it. JSON is YAML. */
function outputLines({ host, input }: TestCase, replies: readonly Reply[]): readonly string[] {
  const framing = host === undefined ? undefined : hostNamed(host)?.framing;
  const several = input.type === 'raw' && input.messages.length > 1;
  const value = outputValue(replies, several);
  if (Array.isArray(value) && value.length > 0) {
    return ['stdout:', ...value.map((item: Json) => `  - ${JSON.stringify(item)}`)];
  }
  const stdout =
    typeof value === 'string' ? { exactly: replies.map((reply) => reply.stdout).join('') } : value;
  const lines = [`stdout: ${JSON.stringify(stdout)}`];
  // A host that talks in lines has no exit code to look at.
  return framing === 'lines' ? lines : [...lines, `exit: ${replies.at(-1)?.exitCode ?? 0}`];
}
