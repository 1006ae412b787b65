import { takeChars } from '../../reading/bounds.ts';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import type { Span } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  originsOf,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { addRemoteCode } from '../../shell/run/shell-text.ts';
import { filesOf } from '../../shell/scope/scope.ts';
import type { Call, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { flagValue } from '../interpret/arguments.ts';
import { argumentSpan } from '../interpret/effects-of-words.ts';
import { runInner } from '../interpret/run-inner.ts';

/** Where make looks if it is given no makefile. */
const USUAL_NAMES = ['GNUmakefile', 'makefile', 'Makefile'].map(textWord);

/**
 * `make -f -` and `make --eval`: the recipes of a makefile that is given with the call; and whether it is one that the
 * script has fetched.
 */
const make: ProgramReader = (call, walker) => {
  let isGiven = false;
  for (const { name, value, arg } of call.parsed.flags) {
    if (value === undefined) continue;
    const span = argumentSpan(call, arg);
    if (name === '-E' || name === '--eval') readMakefile(value, span, call, walker);
    const file = MAKEFILE_FLAG.test(name) ? knownText(value) : undefined;
    const { input } = call.command;
    const isInput = file === '-' || file === '/dev/stdin';
    if (isInput && input !== undefined) readMakefile(input, span, call, walker);
    isGiven ||= MAKEFILE_FLAG.test(name);
    if (MAKEFILE_FLAG.test(name) && !isInput) noteFetched(value, span, call, walker);
  }
  const folder = flagValue(call.parsed, '-C', '--directory');
  const lead = folder === undefined ? EMPTY_WORD : joinWords(folder, textWord('/'));
  for (const name of isGiven ? [] : USUAL_NAMES) noteFetched(joinWords(lead, name), call.span, call, walker);
  return undefined;
};

/** Notes that a makefile was fetched as a file of its own: one that came with a whole folder is what one works with there. */
function noteFetched(file: Word, span: Span, call: Call, walker: Walker): void {
  const path = knownText(walker.resolve(file, call.command));
  const content = path === undefined ? undefined : filesOf(call.place.scope).contents.get(path);
  if (content !== undefined) addRemoteCode(call.command, originsOf(content), span, walker);
}

const MAKEFILE_FLAG = /^(?:-f|--file|--makefile)$/;

/** A recipe's line, or what stands behind `target: needs;`. */
const RECIPE = /^(?:\t|[^\t\n:#=;]*:[^\n:#=;]*;)[ \t]*[@+-]*(.+)$/;
const VARIABLE = /^[ ]*(?:export +|override +)?([\w.]+)[ \t]*(?:::?:?|\?|\+)?=[ \t]*(.*)$/;
const SHELL_FUNCTION = /\$\(shell ([^()\n]+)\)/g;

function readMakefile(source: Word, span: Span, call: Call, walker: Walker): void {
  const { text, placeholders } = withPlaceholders(source);
  if (!takeChars(walker.budget, text.length)) {
    walker.gap('unknown_code', span, 'Cannot read the makefile: it is too long');
    return;
  }
  const variables = new Map<string, string>();
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    for (const [, script = ''] of line.matchAll(SHELL_FUNCTION))
      runInner(call, fillPlaceholders(script, placeholders), span, walker);
    const [, name, value = ''] = VARIABLE.exec(line) ?? [];
    const recipe = RECIPE.exec(line)?.[1];
    if (recipe !== undefined) {
      const script = expanded(recipe, variables).flatMap((part) =>
        part.type === 'text' ? fillPlaceholders(part.text, placeholders) : [part],
      );
      runInner(call, script, span, walker);
    } else if (name !== undefined) variables.set(name, value);
  }
}

/** How many variables of a line are filled in. */
const MAX_VARIABLES = 256;

/** A line with its variables filled in; `$$` is a dollar sign for the shell. */
function expanded(line: string, variables: ReadonlyMap<string, string>): Word {
  let word: Word = [];
  let start = 0;
  let left = MAX_VARIABLES;
  for (const match of line.matchAll(/\$(?:\$|\(([^()]*)\)|\{([^{}]*)\}|(.))/g)) {
    if (--left < 0) return joinWords(word, unknownWord(line.slice(start)));
    const [whole, round, curly, single] = match;
    word = joinWords(word, textWord(line.slice(start, match.index)));
    start = match.index + whole.length;
    const value = variables.get(round ?? curly ?? single ?? '');
    const known = value === undefined || value.includes('$') ? unknownWord(whole) : textWord(value);
    word = joinWords(word, whole === '$$' ? textWord('$') : known);
  }
  return joinWords(word, textWord(line.slice(start)));
}

export const MAKEFILE_READERS: Readonly<Record<string, ProgramReader>> = { make, gmake: make };
