import type { AndOr, Command, ParsedScript, Pipeline, Redirect, Statement, Word, WordPart } from 'unbash';

/** Longer scripts are seldom plain. */
const MAX_CHARS = 4_096;
/** Words that mean something else as the first of a command, and programs whose operands may be assignments. */
export const NO_NAMES =
  ' if then else elif fi do done for while until in case esac function select coproc time export declare typeset local readonly alias ';
/** The signs that end a command; the empty text is the end of the script. */
const ENDS = ['', '\n', ';', '|', '&'];

/**
 * Makes the parser's syntax of a script of plain and quoted words that `;`, line ends, `|`, `&&` and `||` join, redirected to
 * /dev/null or another stream at most. Undefined for every other script. Most commands of agents are like this, and the parser
 * takes longer to load than all of them to read. A property test compares both.
 */
export function plainSyntax(text: string): ParsedScript | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const statements: Statement[] = [];
  let chain: (Command | Pipeline)[] = [];
  let operators: AndOr['operators'][number][] = [];
  let stages: Command[] = [];
  let name: Word | undefined;
  let suffix: (Word | Redirect)[] = [];
  for (let at = 0; at <= text.length; ) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t') at++;
    else if (!ENDS.includes(char)) {
      const end = endOfWord(text, at);
      const word = end === undefined ? undefined : wordAt(text, at, end);
      if (word === undefined) return undefined;
      if (text.charAt(word.end) === '>') {
        const redirect = name === undefined ? undefined : redirectAt(text, word);
        if (redirect === undefined) return undefined;
        suffix.push(redirect);
        at = redirect.end;
        continue;
      }
      if (name !== undefined) suffix.push(word);
      else if (word.text.includes('=') || NO_NAMES.includes(` ${word.value} `)) return undefined;
      else name = word;
      at = word.end;
    } else if (name === undefined) {
      // Blank lines may be anywhere; the end, where nothing is open.
      if (char !== '\n' && (char !== '' || chain.length + stages.length > 0)) return undefined;
      at++;
    } else {
      const isDouble = char !== '' && text.charAt(at + 1) === char;
      stages.push(commandOf(name, suffix));
      name = undefined;
      suffix = [];
      if (char === '|' && !isDouble) {
        at++;
        continue;
      }
      chain.push(pipelineOf(stages));
      stages = [];
      if (char === '|' || char === '&') {
        if (!isDouble) return undefined;
        operators.push(char === '|' ? '||' : '&&');
        at += 2;
        continue;
      }
      statements.push(statementOf(chain, operators));
      chain = [];
      operators = [];
      at++;
    }
  }
  return {
    ...{ type: 'Script', pos: 0, end: text.length, shebang: undefined },
    ...{ commands: statements, errors: undefined },
  };
}

/** The end of a word that is plain or in quotes as a whole; undefined for any other. It may be empty before `>`. */
function endOfWord(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  let end = start;
  if (quote === "'" || quote === '"') {
    end = text.indexOf(quote, start + 1) + 1;
    if (end === 0) return undefined;
    for (let at = start + 1; at < end - 1; at++) {
      const unit = text.charCodeAt(at);
      if ((unit < 32 && unit !== 10) || unit > 126) return undefined;
      if (quote === '"' && '$`\\!'.includes(text.charAt(at))) return undefined;
    }
  } else while (isPlain(text.charCodeAt(end))) end++;
  const next = text.charAt(end);
  if (next === '>') return quote === next || end - start === 1 ? end : undefined;
  return ENDS.includes(next) || next === ' ' || next === '\t' ? end : undefined;
}

/** Letters, digits and `%*+,-./:=?@^_~`. */
function isPlain(unit: number): boolean {
  const lower = unit | 32;
  if ((lower >= 97 && lower <= 122) || (unit >= 42 && unit <= 58)) return true;
  return (
    unit === 95 || unit === 61 || unit === 63 || unit === 64 || unit === 126 || unit === 37 || unit === 94
  );
}

function wordAt(text: string, pos: number, end: number): Word {
  const written = text.slice(pos, end);
  const quote = written.charAt(0);
  if (quote !== "'" && quote !== '"')
    return { type: 'Word', text: written, pos, end, value: written, parts: wildParts(written, pos) };
  const value = written.slice(1, -1);
  const inside = { type: 'Literal', pos: pos + 1, end: end - 1, value, text: value } as const;
  const part: WordPart =
    quote === "'"
      ? { type: 'SingleQuoted', pos, end, value, text: written }
      : { type: 'DoubleQuoted', pos, end, text: written, parts: [inside] };
  return { type: 'Word', text: written, pos, end, value, parts: [part] };
}

/** The stars and question marks of a word, and the text between them; undefined if it has none. Stars in a row are one. */
function wildParts(word: string, start: number): WordPart[] | undefined {
  if (!word.includes('*') && !word.includes('?')) return undefined;
  const parts: WordPart[] = [];
  for (let from = 0, at = 0; from < word.length; from = at) {
    const kind = word.charAt(from);
    const isWild = kind === '*' || kind === '?';
    at = from + 1;
    if (kind === '*') while (word.charAt(at) === '*') at++;
    else if (!isWild) while (at < word.length && word.charAt(at) !== '*' && word.charAt(at) !== '?') at++;
    const text = word.slice(from, at);
    const part = { pos: start + from, end: start + at, text, value: text };
    parts.push(
      isWild
        ? { type: 'Glob', kind: kind === '*' ? 'star' : 'question', ...part }
        : { type: 'Literal', ...part },
    );
  }
  return parts;
}

/** A redirection of a stream, `2>&1`, or `> /dev/null`. The text before the sign has been read as a word. */
function redirectAt(text: string, { text: stream, pos, end }: Word): Redirect | undefined {
  if (stream !== '' && stream !== '1' && stream !== '2') return undefined;
  const isCopy = text.charAt(end + 1) === '&';
  const start = isCopy || text.charAt(end + 1) === ' ' ? end + 2 : end + 1;
  const targetEnd = endOfWord(text, start);
  const target = targetEnd === undefined ? undefined : wordAt(text, start, targetEnd);
  if (target === undefined || text.charAt(target.end) === '>') return undefined;
  if (isCopy ? target.text !== '1' && target.text !== '2' : target.text !== '/dev/null') return undefined;
  const descriptor =
    stream === '' ? undefined : ({ type: 'FileDescriptor', pos, end, value: Number(stream) } as const);
  return { type: 'Redirect', pos, end: target.end, operator: isCopy ? '>&' : '>', descriptor, target };
}

function commandOf(name: Word, suffix: readonly (Word | Redirect)[]): Command {
  const args: Word[] = [];
  const redirects: Redirect[] = [];
  for (const item of suffix) {
    if (item.type === 'Word') args.push(item);
    else redirects.push(item);
  }
  const { end } = suffix.at(-1) ?? name;
  return { type: 'Command', pos: name.pos, end, name, prefix: [], suffix, args, redirects };
}

function pipelineOf(commands: readonly Command[]): Command | Pipeline {
  const [first, ...others] = commands as readonly [Command, ...Command[]];
  const { end } = others.at(-1) ?? first;
  if (others.length === 0) return first;
  const operators = others.map(() => '|' as const);
  return { type: 'Pipeline', pos: first.pos, end, prefixes: [], commands, operators };
}

function statementOf(commands: readonly (Command | Pipeline)[], operators: AndOr['operators']): Statement {
  const [first, ...others] = commands as readonly [Command | Pipeline, ...Command[]];
  const { pos } = first;
  const { end } = others.at(-1) ?? first;
  const command = others.length === 0 ? first : ({ type: 'AndOr', pos, end, commands, operators } as const);
  return { type: 'Statement', pos, end, command, background: undefined };
}
