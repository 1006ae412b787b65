import { YamlProblem } from '../yaml-problem.ts';
import { type Line, lineNumber, linesAbove, type Stop } from './stop.ts';

/** A key or an item, and how many columns are before it. */
interface Level {
  readonly indent: number;
  readonly line: Line;
  /** Undefined for an item. */
  readonly key: string | undefined;
}

const KEY_LINE = /^( *)((?:- +)*)("[^"]*"|'[^']*'|[^\s:#'"][^\s:]*):(?:\s|$)/;

export function tabProblem({ line, offset }: Stop): YamlProblem | undefined {
  const spaces = /^ */.exec(line.text)?.[0].length ?? 0;
  const tabs = /^\t+/.exec(line.text.slice(spaces))?.[0].length ?? 0;
  const start = line.start + spaces;
  const isBlank = line.text.slice(0, offset - line.start).trim() === '';
  if (tabs === 0 || !isBlank) return undefined;
  const hint = 'indent with spaces, here and in every other line';
  return new YamlProblem('Cannot indent with a tab: YAML takes only spaces', start, start + tabs, hint);
}

/** A key or item between the levels of the lines above it. */
export function misplacedProblem({ text, line, before }: Stop): YamlProblem | undefined {
  if (before.trim() !== '') return undefined;
  const indent = before.length;
  const isItem = /^ *-(?:\s|$)/.test(line.text);
  const key = KEY_LINE.exec(line.text)?.[3];
  const open = levelsAbove(text, line);
  const levels = open.filter((level) => (level.key === undefined) === isItem);
  const distance = Math.min(...levels.map((level) => Math.abs(level.indent - indent)));
  const nearest = levels.filter((level) => Math.abs(level.indent - indent) === distance);
  const start = line.start + indent;
  const [deepest] = open;
  const isBelowItem = deepest?.key === undefined && deepest?.indent === indent;
  if (!isItem && key === undefined && isBelowItem) {
    const words = line.text.trim();
    const message = 'Cannot read this line as an item: it has no dash';
    return new YamlProblem(message, start, start + words.length, `write "- ${words}"`);
  }
  if (isItem && levels.length === 0) {
    const message = 'Cannot place this item: what is above it are keys';
    return new YamlProblem(message, start, start + 1, 'write it below a key of its own');
  }
  if (nearest.length === 0 || distance === 0) return undefined;
  const what = isItem ? 'this item' : key === undefined ? 'this line' : `"${bare(key)}"`;
  const others = [...new Set(levels.map((level) => level.indent))].join(', ').replace(/, (\d+)$/, ' and $1');
  const message = `Cannot place ${what}: it is indented by ${spaces(indent)}, the ${isItem ? 'items' : 'keys'} above it by ${others}`;
  const hint = nearest.map((level) => likeHint(level, text)).join(', or ');
  return new YamlProblem(message, start, start + (isItem ? 1 : (key?.length ?? 1)), hint);
}

/** A key that is indented so far that it continues the value above it. */
export function tooDeepProblem({ text, line }: Stop, above: Line): YamlProblem | undefined {
  const key = KEY_LINE.exec(line.text);
  const level = levelsOf(above).find((each) => each.key !== undefined);
  if (key === null || level === undefined) return undefined;
  const [, lead = '', dashes = '', name = ''] = key;
  const start = line.start + lead.length + dashes.length;
  const message = `Cannot read "${bare(name)}" as a key: so far in, it continues the text of "${level.key}"`;
  return new YamlProblem(message, start, start + name.length, likeHint(level, text));
}

/** Lines below `|` or `>` that are no part of its text. */
export function blockTextProblem(line: Line, above: Line): YamlProblem | undefined {
  const mark = /[:-] +([|>])[-+0-9]*[ \t]*(?:#.*)?$/.exec(above.text)?.[1];
  const level = levelsOf(above).at(-1);
  if (mark === undefined || level === undefined) return undefined;
  const start = line.start + line.text.length - line.text.trimStart().length;
  const message = `Cannot read this line: it is not indented as the text of "${mark}"`;
  const hint = `indent the text by ${spaces(level.indent + 2)}`;
  return new YamlProblem(message, start, line.start + line.text.trimEnd().length, hint);
}

/** The open levels above a line, each with the line nearest to it, the deepest first. */
function levelsAbove(text: string, line: Line): readonly Level[] {
  const levels: Level[] = [];
  let below = Number.POSITIVE_INFINITY;
  for (const above of linesAbove(text, line)) {
    for (const level of [...levelsOf(above)].reverse()) {
      // Items may be at the column of their key, and lie deeper nevertheless.
      const depth = level.key === undefined ? level.indent + 0.5 : level.indent;
      if (depth >= below) continue;
      levels.push(level);
      below = depth;
    }
    if (below === 0) break;
  }
  return levels;
}

function levelsOf(line: Line): readonly Level[] {
  const [, lead = '', dashes = '', name] =
    KEY_LINE.exec(line.text) ?? /^( *)((?:- +)+)/.exec(line.text) ?? [];
  const items = [...dashes.matchAll(/-/g)].map(({ index }) => ({
    indent: lead.length + index,
    line,
    key: undefined,
  }));
  return name === undefined
    ? items
    : [...items, { indent: lead.length + dashes.length, line, key: bare(name) }];
}

function likeHint({ indent, line, key }: Level, text: string): string {
  const like = `like ${key === undefined ? 'the item' : `"${key}"`} in line ${lineNumber(text, line)}`;
  return indent === 0 ? `do not indent it, ${like}` : `indent it by ${spaces(indent)}, ${like}`;
}

/** A key without its quotes. */
export function bare(key: string): string {
  return key.replace(/^(["'])(.*)\1$/, '$2');
}

function spaces(count: number): string {
  return count === 1 ? '1 space' : `${count} spaces`;
}
