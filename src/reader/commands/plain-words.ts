export interface PlainCommand {
  readonly words: readonly string[];
  /** True if its input is the output of the one before it. */
  readonly isFed: boolean;
}

/**
 * Splits a script into commands and these into words, if all of its words mean themselves in every shell: nothing is
 * expanded, started in the background, grouped or redirected but to /dev/null. Undefined for every other script. Without
 * patterns: compiling them would take a process that judges one call longer than all else here.
 */
export function plainCommands(script: string): readonly PlainCommand[] | undefined {
  const commands: PlainCommand[] = [];
  let isFed = false;
  let words: string[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (): boolean => {
    endWord();
    if (words.length === 0) return false;
    commands.push({ words, isFed });
    words = [];
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
      if (char === '&' ? word !== undefined : word !== undefined && !isStream(word)) return undefined;
      word = undefined;
      const length = silencingLength(script, char === '&' ? at + 2 : at + 1);
      if (length === 0) return undefined;
      at += length + (char === '&' ? 1 : 0);
    } else if (char === "'" || char === '"') {
      const end = script.indexOf(char, at + 1);
      if (end < 0) return undefined;
      const quoted = script.slice(at + 1, end);
      // In quotes, a tilde is a name.
      if (!isQuotable(quoted, char === '"') || (word === undefined && quoted.startsWith('~')))
        return undefined;
      word = (word ?? '') + quoted;
      at = end;
    } else if (char === '~' && word === undefined && !(next === undefined || '/ \n;|&'.includes(next))) {
      // The home of somebody else.
      return undefined;
    } else if (isPlain(char.charCodeAt(0), word === undefined)) word = (word ?? '') + char;
    else return undefined;
  }
  endWord();
  return words.length === 0 || !endCommand() ? undefined : commands;
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

/** Printable ASCII that means itself in these quotes. In double ones a backslash does, but in front of some characters. */
function isQuotable(text: string, isDouble: boolean): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 32 || unit > 126) return false;
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
