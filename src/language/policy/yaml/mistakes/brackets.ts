import { YamlProblem } from '../yaml-problem.ts';
import { bare } from './indentation.ts';
import { linesAbove, type Stop } from './stop.ts';

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}', '"': '"', "'": "'" };

/** The quote or bracket that is still open where the parser gave up. */
export function openProblem({ text, line, before }: Stop): YamlProblem | undefined {
  const lines = [{ start: line.start, text: before }, ...linesAbove(text, line)];
  for (const { start, text: upToHere } of lines) {
    const index = openIn(upToHere);
    if (index === undefined) continue;
    const mark = upToHere.charAt(index);
    const closing = CLOSING[mark] ?? '';
    const isQuote = mark === closing;
    const [message, hint] = isQuote
      ? ['Cannot find the end of the text that begins here', 'close the quote']
      : [`Cannot find the "${closing}" that closes this "${mark}"`, `write "${closing}" where it ends`];
    const offset = start + index;
    return new YamlProblem(
      message,
      offset,
      offset + 1,
      `${hint}; further lines of it are indented more than its key`,
    );
  }
  return undefined;
}

/** Finds the quote or, last of all, the bracket that a line does not close. Quotes inside plain texts are text. */
function openIn(line: string): number | undefined {
  const brackets: number[] = [];
  let beginsValue = true;
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    const isInside = brackets.length > 0;
    if (char === ' ' || char === '\t') continue;
    if (char === '#' && /[ \t]|^$/.test(line.charAt(i - 1))) break;
    if (beginsValue && (char === '"' || char === "'")) {
      const end = closingQuote(line, i);
      if (end === -1) return i;
      i = end;
      // A key in quotes needs no space after its colon.
      beginsValue = isInside && line[i + 1] === ':';
      if (beginsValue) i++;
    } else if ((beginsValue || isInside) && (char === '[' || char === '{')) {
      brackets.push(i);
      beginsValue = true;
    } else if (isInside && (char === ']' || char === '}')) {
      brackets.pop();
      beginsValue = false;
    } else {
      const isMark: boolean = char === ':' || (beginsValue && char === '-');
      beginsValue = (isInside && char === ',') || (isMark && /[ \t]|^$/.test(line.charAt(i + 1)));
    }
  }
  return brackets.at(-1);
}

function closingQuote(line: string, start: number): number {
  const quote = line.charAt(start);
  for (let i = start + 1; i < line.length; i++) {
    if (line[i] === '\\' && quote === '"') i++;
    else if (line[i] === quote && quote === "'" && line[i + 1] === "'") i++;
    else if (line[i] === quote) return i;
  }
  return -1;
}

/** Reports a character in brackets where a comma or the closing bracket belongs. */
export function commaProblem({ offset, char, line, before }: Stop): YamlProblem {
  const refuse = (message: string, hint: string) => new YamlProblem(message, offset, offset + 1, hint);
  if (char === ',') return refuse('Cannot use "," here: there is no value before it', 'remove it');
  if (char === ']' || char === '}') {
    const [opening, closing] = char === ']' ? ['{', '}'] : ['[', ']'];
    return refuse(`Cannot close "${opening}" with "${char}"`, `write "${closing}"`);
  }
  const word = /^[^\s,:[\]{}]+/.exec(line.text.slice(before.length))?.[0] ?? char;
  const message = `Cannot read on at "${bare(word)}": there is no comma before it`;
  const isQuoted = /^["']/.test(word);
  const hint = `write a comma between the two${isQuoted ? '' : ', or put the whole text in single quotes'}`;
  return new YamlProblem(message, offset, offset + word.length, hint);
}

/** A closing bracket where none is open, or text that is left over behind one. */
export function afterBracketProblem({ offset, char, before }: Stop): YamlProblem | undefined {
  const closing = /[\]}](?=[ \t]*$)/.exec(before)?.[0];
  if ((char === ']' || char === '}') && (closing !== undefined || before.trim() === '')) {
    return new YamlProblem(`Cannot use "${char}" here: nothing is open`, offset, offset + 1, 'remove it');
  }
  if (closing === undefined) return undefined;
  const opening = closing === ']' ? '[' : '{';
  const hint = `put a string that begins with "${opening}" in single quotes`;
  const message = `Cannot read on here: the "${closing}" before it ends the value`;
  return new YamlProblem(message, offset, offset + 1, hint);
}
