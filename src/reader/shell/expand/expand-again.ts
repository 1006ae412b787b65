import { withPlaceholders } from '../../reading/placeholders.ts';
import { joinAll, textWord, withoutWildcards } from '../../reading/word.ts';
import type { Arg, Frame } from '../scope/interpreter.ts';
import { OPENER } from './cover.ts';

/** No text has a line like this one. */
const DELIMITER = '\u{F8FF}';

/**
 * Runs what is substituted in a text that the shell expands once more, as inside double quotes: a prompt, the name in
 * `${!x}`, a name with a subscript that a builtin is given. The script that does the same is read.
 */
export function expandAgain({ word, span }: Arg, frame: Frame): void {
  const { interpreter } = frame;
  const text = withoutWildcards(word);
  const { text: written } = withPlaceholders(text);
  if (!OPENER.test(written)) return;
  if (written.includes(DELIMITER))
    interpreter.gap('syntax', span, 'Cannot read a text that is expanded once more');
  const script = joinAll([textWord(`: <<${DELIMITER}\n`), text, textWord(`\n${DELIMITER}\n`)]);
  interpreter.runScript({ word: script, span }, { ...frame, captured: false });
}
