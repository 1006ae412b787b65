import type { Span } from '../../reading/reading.ts';
import { EMPTY_WORD, joinWords, knownText, originsOf, textWord, type Word } from '../../reading/word.ts';
import { addRemoteCode } from '../../shell/run/shell-text.ts';
import { filesOf } from '../../shell/scope/scope.ts';
import type { Call, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { flagValue } from '../interpret/arguments.ts';
import { argumentSpan } from '../interpret/effects-of-words.ts';

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
    if (name === '-E' || name === '--eval') noteGiven(value, span, call, walker);
    const file = MAKEFILE_FLAG.test(name) ? knownText(value) : undefined;
    const { input } = call.command;
    const isInput = file === '-' || file === '/dev/stdin';
    if (isInput && input !== undefined) noteGiven(input, span, call, walker);
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

/** Recipes that stand in the call itself are not read. */
function noteGiven(recipes: Word, span: Span, call: Call, walker: Walker): void {
  addRemoteCode(call.command, originsOf(recipes), span, walker);
  walker.gap('unknown_code', span, 'Cannot tell what the recipes run that make is given');
}

const MAKEFILE_FLAG = /^(?:-f|--file|--makefile)$/;

export const MAKEFILE_READERS: Readonly<Record<string, ProgramReader>> = { make, gmake: make };
