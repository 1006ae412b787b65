import type { Reply } from '../../hosts/host.ts';
import { hostNamed } from '../../hosts/registry.ts';
import type { YamlDocument } from '../../language/policy/yaml/yaml.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { outputValue } from './expect-output.ts';
import type { TestCase } from './test-case.ts';

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

/**
 * Writes outputs into the text of a test file: `stdout` and `exit` of `expect`. Everything else stays as it is. A case
 * must have its keys on lines of their own.
 */
export function recordOutputs(
  text: string,
  document: YamlDocument,
  recordings: readonly Recording[],
): Recorded {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r\n|\n/);
  const refused: TestCase[] = [];
  // From the end, so that the positions of what is still to come stay true.
  const fromEnd = [...recordings].sort((a, b) => b.test.index - a.test.index);
  for (const recording of fromEnd) {
    if (!recordOne(lines, document, recording)) refused.push(recording.test);
  }
  return { text: lines.join(lineBreak), refused };
}

function recordOne(lines: string[], document: YamlDocument, { test, replies }: Recording): boolean {
  const base = ['cases', test.index];
  const inCase = (key: string) => entryAt(lines, document, [...base, key]);
  const host = inCase('host');
  if (host === undefined) return false;
  const output = outputLines(test, replies);
  const expect = own(caseAt(document, test.index), 'expect');
  const inside = `${' '.repeat(host.indent)}  `;
  if (expect === undefined) {
    const end = endOfCase(lines, host);
    lines.splice(end, 0, `${' '.repeat(host.indent)}expect:`, ...output.map((line) => inside + line));
    return true;
  }
  const entry = inCase('expect');
  if (entry === undefined) return false;
  const kept = keptLines(lines, document, [...base, 'expect'], expect);
  if (kept === undefined) return false;
  const head = `${(lines[entry.start] ?? '').slice(0, entry.indent)}expect:`;
  lines.splice(
    entry.start,
    entry.end - entry.start,
    head,
    ...[...kept, ...output].map((line) => `${' '.repeat(entry.indent)}  ${line}`),
  );
  return true;
}

/** Lines of a key and its value: `start` up to but without `end`. */
interface Entry {
  readonly start: number;
  readonly end: number;
  readonly indent: number;
}

/** The lines of a key that begins its line; undefined for one inside of braces. */
function entryAt(
  lines: readonly string[],
  document: YamlDocument,
  path: readonly (string | number)[],
): Entry | undefined {
  const { line, column } = document.positionOf(path, 'key');
  const before = (lines[line - 1] ?? '').slice(0, column - 1);
  if (!/^\s*(?:-\s+)*$/.test(before)) return undefined;
  return { start: line - 1, end: endOfValue(lines, line, column - 1), indent: column - 1 };
}

/** The line after a value: the first that is indented as little as its key and is no item of it. */
function endOfValue(lines: readonly string[], from: number, indent: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const width = line.length - line.trimStart().length;
    if (width < indent || (width === indent && !/^\s*-(\s|$)/.test(line))) break;
    end = at + 1;
  }
  return end;
}

function endOfCase(lines: readonly string[], { start, indent }: Entry): number {
  let end = start + 1;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (line.length - line.trimStart().length < indent) break;
    end = at + 1;
  }
  return end;
}

/** What `expect` says beside the output, without its indentation; undefined if it cannot be kept. */
function keptLines(
  lines: readonly string[],
  document: YamlDocument,
  path: readonly (string | number)[],
  expect: Json,
): readonly string[] | undefined {
  if (typeof expect === 'string') return [`action: ${expect}`];
  const entry = entryAt(lines, document, path);
  if (!isJsonObject(expect) || entry === undefined) return undefined;
  const outputs = ['stdout', 'exit'].filter((key) => Object.hasOwn(expect, key));
  const first = document.positionOf(path, 'value').line;
  if (first === entry.start + 1) {
    return Object.entries(expect)
      .filter(([key]) => !outputs.includes(key))
      .map(
        ([key, value]) =>
          `${key}: ${typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value)}`,
      );
  }
  const replaced = outputs.map((key) => entryAt(lines, document, [...path, key]));
  const width = document.positionOf(path, 'value').column - 1;
  return lines
    .slice(entry.start + 1, entry.end)
    .filter((_line, index) => {
      const at = entry.start + 1 + index;
      return !replaced.some((each) => each !== undefined && at >= each.start && at < each.end);
    })
    .map((line) => line.slice(Math.min(width, line.length - line.trimStart().length)));
}

/** Words that YAML takes for text and nothing else. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off)$)[a-z][a-z_/-]*$/i;

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

function caseAt({ value }: YamlDocument, index: number): JsonObject {
  const cases = isJsonObject(value) ? own(value, 'cases') : undefined;
  const found: Json | undefined = Array.isArray(cases) ? cases[index] : undefined;
  return isJsonObject(found) ? found : {};
}
