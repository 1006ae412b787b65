export interface PlainCommand {
  readonly words: readonly string[];
  /** The files that its output goes to. */
  readonly outputs: readonly string[];
  /** True if its input is the output of the one before it, or a text in the script. */
  readonly isFed: boolean;
}

/**
 * Splits a script into commands and these into words, if all of its words mean themselves in every shell: nothing is
 * expanded, started in the background or grouped, output goes to files and input is a text in the script at most. Undefined
 * for every other script. Without patterns: compiling them would take a process that judges one call longer than all else here.
 */
export function plainCommands(script: string): readonly PlainCommand[] | undefined {
  const commands: PlainCommand[] = [];
  let isFed = false;
  let words: string[] = [];
  let outputs: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  let isOutput = false;
  const endWord = () => {
    if (word === undefined) return;
    (isOutput ? outputs : words).push(word);
    isOutput = false;
    isQuoted = false;
    word = undefined;
  };
  const endCommand = (): boolean => {
    endWord();
    // A name below /dev may be a connection: `/dev/tcp/host/80`.
    if (words.length === 0 || isOutput || outputs.some((path) => path.startsWith('/dev/'))) return false;
    commands.push({ words, outputs, isFed });
    words = [];
    outputs = [];
    return true;
  };
  for (let at = 0; at < script.length; at++) {
    const char = script[at] ?? '';
    const next = script[at + 1];
    if (char === ' ') endWord();
    else if (char === '\n' || char === ';') {
      if (!endCommand()) return undefined;
      isFed = false;
    } else if (char === '|' || (char === '&' && next === '&')) {
      if (next === '&' && char === '|') return undefined;
      if (next === char) at++;
      if (!endCommand()) return undefined;
      isFed = char === '|' && next !== char;
    } else if (char === '>' || (char === '&' && next === '>')) {
      if (word !== undefined && (char === '&' || isQuoted || !isStream(word))) return undefined;
      // Two redirections without a file between them.
      if (isOutput) return undefined;
      word = undefined;
      const from = char === '&' ? at + 2 : at + 1;
      const length = silencingLength(script, from);
      isOutput = length === 0;
      at = from + (isOutput && script[from] === '>' ? 1 : length) - 1;
    } else if (char === '<') {
      const length = hereTextLength(script, at);
      if (length === 0 || word !== undefined || isOutput) return undefined;
      at += length - 1;
      isFed = true;
    } else if (char === "'" || char === '"') {
      const end = script.indexOf(char, at + 1);
      if (end < 0) return undefined;
      const quoted = script.slice(at + 1, end);
      // In quotes, a tilde is a name.
      if (!isQuotable(quoted, char === '"') || ((word ?? '') === '' && quoted.startsWith('~')))
        return undefined;
      word = (word ?? '') + quoted;
      isQuoted = true;
      at = end;
    } else if (char === '~' && !isKnownTilde(word, next)) return undefined;
    else if (isPlain(char.charCodeAt(0), word === undefined)) word = (word ?? '') + char;
    else return undefined;
  }
  return endCommand() ? commands : undefined;
}

/** False for the home of somebody else, and where shells differ or a tilde looks like the start of a word: `''~/x`, `a=~/x`. */
function isKnownTilde(word: string | undefined, next: string | undefined): boolean {
  if (word === undefined) return next === undefined || '/ \n;|&'.includes(next);
  return word !== '' && !word.endsWith('=') && !word.endsWith(':');
}

/** The digit in front of a redirection. */
function isStream(word: string): boolean {
  return word === '1' || word === '2';
}

const SILENT = ['&1', '&2', '/dev/null', ' /dev/null'];

/** The length of the rest of a redirection that writes nothing: `&1`, `/dev/null`; 0 for any other. */
function silencingLength(script: string, from: number): number {
  for (const each of SILENT) {
    const end = script[from + each.length];
    if (script.startsWith(each, from) && (end === undefined || ' \n;|&'.includes(end))) return each.length;
  }
  return 0;
}

/**
 * The length of a text in the script with the operator in front of it and the line that ends it, if it means itself, as after
 * `<<'EOF'`, and nothing is behind the operator in its line; 0 otherwise.
 */
function hereTextLength(script: string, from: number): number {
  const start = script[from + 2] === ' ' ? from + 3 : from + 2;
  const quote = script[start] ?? '';
  const close = script.indexOf(quote, start + 1);
  const delimiter = script.slice(start + 1, close);
  const isNamed = delimiter !== '' && isEach(delimiter, isLetterOrDigit);
  if (script[from + 1] !== '<' || !'\'"'.includes(quote) || !isNamed || script[close + 1] !== '\n') return 0;
  const last = `\n${delimiter}`;
  let end = script.indexOf(last, close + 1);
  while (end >= 0 && (script[end + last.length] ?? '\n') !== '\n') end = script.indexOf(last, end + 1);
  const isKnown = isEach(script.slice(close, end), (unit) => unit === 9 || unit === 10 || isPrintable(unit));
  return end < 0 || !isKnown || script.slice(close + 1, end).trim() === '' ? 0 : end + last.length - from;
}

/** Printable ASCII that means itself in these quotes. In double ones a backslash does, but in front of some characters. */
function isQuotable(text: string, isDouble: boolean): boolean {
  for (let at = 0; at < text.length; at++) {
    if (!isPrintable(text.charCodeAt(at))) return false;
    if (isDouble && '$`!'.includes(text[at] ?? '')) return false;
    if (isDouble && text[at] === '\\' && '\\'.includes(text[at + 1] ?? '')) return false;
  }
  return true;
}

/** Letters, digits and `%+,-./:@_^`; `=` and `~` where they mean nothing to a shell. */
function isPlain(unit: number, isFirst: boolean): boolean {
  if (isLetterOrDigit(unit)) return true;
  const char = String.fromCharCode(unit);
  return '%+,-./:@_^~'.includes(char) || (char === '=' && !isFirst);
}

function isLetterOrDigit(unit: number): boolean {
  const lower = unit | 32;
  return (lower >= 97 && lower <= 122) || (unit >= 48 && unit <= 57);
}

function isPrintable(unit: number): boolean {
  return unit >= 32 && unit <= 126;
}

function isEach(text: string, test: (unit: number) => boolean): boolean {
  for (let at = 0; at < text.length; at++) if (!test(text.charCodeAt(at))) return false;
  return true;
}
