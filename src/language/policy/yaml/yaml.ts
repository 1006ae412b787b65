import type { Json } from '../../../lib/json.ts';
import type { Diagnostic, Position } from '../../../model/diagnostic.ts';
import { createLineIndex, type LineIndex } from './line-index.ts';
import { MAX_DEPTH, syntaxProblem } from './mistakes/syntax-problem.ts';
import { problem } from './problem.ts';
import { buildYaml } from './yaml-build.ts';
import type { YamlEntry, YamlNode } from './yaml-node.ts';
import { type Repair, YamlProblem } from './yaml-problem.ts';

/** Keys and indexes that lead from a document to one of its values. */
export type YamlPath = readonly (string | number)[];

/** A parsed document and the place of each of its keys and values. */
export interface YamlDocument {
  readonly value: Json;
  /** Number of keys and values in it; a long text counts as several, an alias as its target. */
  readonly size: number;
  /** The place of the value at a path, or of its key. The nearest key that exists, if the path does not. */
  readonly positionOf: (path: YamlPath, what: 'key' | 'value') => Position;
}

/** A parsed text; without a document, the diagnostics say why. Keys that occur twice leave a document. */
export interface YamlResult {
  readonly document: YamlDocument | undefined;
  /** Without a document: the value of the text if its mistakes are passed over. Good for finding further ones only. */
  readonly meant?: YamlDocument;
  readonly diagnostics: readonly Diagnostic[];
}

/** More lines, keys and items than this take longer to parse than a hook can wait: about half a second. */
const MAX_MARKS = 500_000;
/** A text is read again behind each mistake, as long as that takes no time to speak of. */
const MAX_READ_AGAIN_CHARS = 1_000_000;

type Yaml = typeof import('js-yaml');

/**
 * Parses one YAML 1.2 document strictly: no duplicate keys, no second document, no tags but `!!str`, no numbers that
 * JSON cannot carry, bounded depth, aliases and size. Keys are taken as text, as written. Linear in the text.
 *
 * @param file how positions name the file
 */
export function parseYaml(text: string, file: string): YamlResult {
  // Only files that changed since the last run are parsed, so the parser stays out of the usual start.
  const yaml = require('js-yaml') as Yaml;
  const lines = createLineIndex(text);
  const mistakes: YamlProblem[] = [];
  const diagnosticOf = ({ message, start, end, hint }: YamlProblem) =>
    problem('yaml', positionAt(file, lines, start, end), message, hint);
  for (let source = text; ; ) {
    const problems: YamlProblem[] = [];
    try {
      refuseTooLarge(text);
      const document = documentOf(buildYaml(yaml, parseEvents(yaml, source), source, problems), file, lines);
      const diagnostics = [...mistakes, ...problems].map(diagnosticOf);
      return mistakes.length === 0
        ? { document, diagnostics }
        : { document: undefined, meant: document, diagnostics };
    } catch (error) {
      if (!(error instanceof YamlProblem)) throw error;
      mistakes.push(error);
      if (error.fix === undefined || mistakes.length * text.length > MAX_READ_AGAIN_CHARS)
        return { document: undefined, diagnostics: [...mistakes, ...problems].map(diagnosticOf) };
      source = fixed(source, error.fix);
    }
  }
}

function fixed(text: string, { at, with: replacement }: Repair): string {
  return text.slice(0, at) + replacement + text.slice(at + replacement.length);
}

/** The findings in a text with mistakes, without those that may only follow from them. */
export function independentFindings(
  found: readonly Diagnostic[],
  mistakes: readonly Diagnostic[],
): readonly Diagnostic[] {
  const lines = new Set(mistakes.map(({ position }) => position.line));
  return found.filter((each) => mistakes.includes(each) || !lines.has(each.position.line));
}

function positionAt(file: string, lines: LineIndex, start: number, end: number): Position {
  return { file, ...lines.at(start), length: lines.length(start, end) };
}

/** Counts the signs that can begin a key, an item or a line. The parser's work is linear in that, and cannot be interrupted. */
function refuseTooLarge(text: string): void {
  if (text.length <= MAX_MARKS) return;
  let marks = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Line feed, carriage return, comma and opening brackets; dash, colon and question mark before a space.
    if (code === 10 || code === 13 || code === 44 || code === 91 || code === 123) marks++;
    else if ((code === 45 || code === 58 || code === 63) && text.charCodeAt(i + 1) <= 32) marks++;
  }
  if (marks <= MAX_MARKS) return;
  const message = 'Cannot read the file: it has too many lines and values';
  throw new YamlProblem(message, 0, 0, 'split it into several files');
}

function parseEvents(yaml: Yaml, text: string): ReturnType<Yaml['parseEvents']> {
  try {
    return yaml.parseEvents(text, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error;
    throw syntaxProblem(text, error.reason, error.mark?.position ?? 0);
  }
}

function documentOf(root: YamlNode, file: string, lines: LineIndex): YamlDocument {
  const keyOrValue = (entry: YamlEntry | undefined, node: YamlNode, what: 'key' | 'value'): Position => {
    if (what === 'key' && entry !== undefined) return positionAt(file, lines, entry.keyStart, entry.keyEnd);
    return positionAt(file, lines, node.start, node.end);
  };
  return {
    value: root.value,
    size: root.size,
    positionOf: (path, what) => {
      let node = root;
      let entry: YamlEntry | undefined;
      for (const step of path) {
        const next = node.children?.get(step);
        if (next === undefined) return keyOrValue(entry, node, 'key');
        entry = next;
        node = next.node;
      }
      return keyOrValue(entry, node, what);
    },
  };
}
