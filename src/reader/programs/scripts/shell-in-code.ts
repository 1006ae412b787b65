import { programName } from '../../reading/program-name.ts';
import { textWord } from '../../reading/word.ts';
import { parseShell } from '../../shell/parse/syntax.ts';
import { programRow } from '../spec/rows.ts';
import { callRow, type Language, syntaxOf } from './rows.ts';

/** A name or path, and after a blank something that no language puts behind a name: another word, a flag, a path. */
const COMMAND_LINE = /^\s*([\w./-]+)[ \t]+(--?[A-Za-z]|\.{0,2}\/\w|[~./]|\w+|["'$*])/;
/** Words that begin a statement, and are programs or builtins of shells too. */
const STATEMENTS = new Set(
  'alias and break case class const continue def delete do echo eval exec export for from function if import in let local my our print printf puts read require return select set sub test time unset until use var while with yield'.split(
    ' ',
  ),
);
/** Words that stand between two names. */
const OPERATORS = new Set(
  'and as cmp do else eq for ge gt if in instanceof is le lt ne not of or then unless until while'.split(' '),
);

/**
 * Is this code, given to an interpreter, no code of its language but a command line? Two words side by side are a mistake
 * in every language, unless the first is one of the few that begin a statement.
 */
export function isCommandLine(text: string, language: Language): boolean {
  const [, program = '', next = ''] = COMMAND_LINE.exec(text) ?? [];
  if (program === '' || STATEMENTS.has(program) || OPERATORS.has(next)) return false;
  const isCall = syntaxOf(language).bare_calls === true && callRow(language, [program]) !== undefined;
  if (isCall && !/^[-/~.]/.test(next)) return false;
  return programRow(programName(textWord(program))) !== undefined && parseShell(text).error === undefined;
}
