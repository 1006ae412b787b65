import type { CommandPattern, ImportedSubject } from './imported.ts';

/**
 * A glob over the text of a command as words: `git push *` are two and whatever follows.
 *
 * @param rest true if more words may follow, if the host says so apart from the text
 */
export function patternOf(glob: string, rest?: boolean): CommandPattern {
  const trimmed = glob.trim();
  const open = trimmed.endsWith(' *');
  const text = open ? trimmed.slice(0, -2).trimEnd() : trimmed;
  const words = splitWords(text).map((word) => [word]);
  // A wildcard at the end of a word runs on over the rest.
  const follows = rest === true || open || /[^\s*]\*$/.test(text);
  return { words, rest: follows, glob: follows && !text.endsWith('*') ? `${text} *` : text };
}

/** Words as a shell takes them apart; quotes are taken off. */
export function splitWords(text: string): readonly string[] {
  const found = text.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\]|['"\\])+/g) ?? [];
  return found.map((word) =>
    word.replace(
      /'([^']*)'|"((?:\\.|[^"\\])*)"/g,
      (_, single: string | undefined, double: string | undefined) => single ?? double ?? '',
    ),
  );
}

export function hasWildcard(text: string): boolean {
  return /[*?]/.test(text);
}

/** A regex of the texts that a glob matches as a whole. */
export function globRegex(glob: string, any = '.*'): string {
  const escaped = [...glob]
    .map((unit) => (unit === '*' ? any : unit === '?' ? '.' : unit.replace(/[\\^$.|+()[\]{}]/g, '\\$&')))
    .join('');
  // Behind a space the last wildcard may be missing with it.
  return glob.endsWith(' *') ? `${escaped.slice(0, -any.length - 1)}(?: ${any})?` : escaped;
}

/** A tool and the text in brackets behind it; undefined for any of it. */
export function partsOf(text: string): { readonly tool: string; readonly within: string | undefined } {
  const [, tool = '', within] = /^([^()]+?)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
  return { tool, within: within === '' || within === '*' ? undefined : within };
}

/** Tools by the value of an argument. */
export function argumentSubject(names: readonly string[], argument: string, value: string): ImportedSubject {
  const test = hasWildcard(value) ? `^${globRegex(value)}$` : { equals: value };
  const sample = value.replace(/\*+$/, '').replace(/\*+/g, 'x');
  return { kind: 'tool', names, arguments: { [argument]: test }, sample: { [argument]: sample } };
}

/** True if whatever the second pattern fits, the first one fits. */
export function coversCommand(a: CommandPattern, b: CommandPattern): boolean {
  if (a.regex !== undefined || b.regex !== undefined) return a.regex === b.regex && a.glob === b.glob;
  if (isAny(a)) return true;
  if (a.words.length > b.words.length || (!a.rest && (b.rest || a.words.length !== b.words.length)))
    return false;
  return a.words.every((options, at) => {
    const others = b.words[at] ?? [];
    const isEnd = at === a.words.length - 1 && a.rest;
    return others.every((other) => options.some((option) => coversWord(option, other, isEnd)));
  });
}

function coversWord(option: string, other: string, isEnd: boolean): boolean {
  if (option === other || option === '*') return true;
  if (!hasWildcard(option)) return false;
  // In the middle a wildcard may run over words, which is not compared.
  return isEnd || option.endsWith('*') ? new RegExp(`^${globRegex(option)}$`).test(other) : false;
}

/** True if there may be a command that both fit. */
export function commandsOverlap(a: CommandPattern, b: CommandPattern): boolean {
  if (a.regex !== undefined || b.regex !== undefined) return true;
  const shared = Math.min(a.words.length, b.words.length);
  for (let at = 0; at < shared; at++) {
    const [ours = [], theirs = []] = [a.words[at], b.words[at]];
    if ([...ours, ...theirs].some(hasWildcard)) return ours.some((a) => theirs.some((b) => mayFit(a, b)));
    if (ours.some((word) => word.startsWith('-')) || theirs.some((word) => word.startsWith('-'))) return true;
    if (!ours.some((word) => theirs.includes(word))) return false;
  }
  return true;
}

/** True if there may be a text that both words fit, one of which has a wildcard that may run over the rest. */
function mayFit(a: string, b: string): boolean {
  const [start = ''] = a.split(/[*?]/);
  const [other = ''] = b.split(/[*?]/);
  if (!hasWildcard(b)) return b.startsWith(start);
  return hasWildcard(a) ? start.startsWith(other) || other.startsWith(start) : a.startsWith(other);
}

export function isAny({ words, rest, regex }: CommandPattern): boolean {
  if (regex !== undefined) return false;
  return (words.length === 0 && rest) || (words.length === 1 && /^\*+$/.test(words[0]?.[0] ?? ''));
}
