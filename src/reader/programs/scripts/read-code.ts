import { isExhausted, takeChars } from '../../reading/bounds.ts';
import { withPlaceholders } from '../../reading/placeholders.ts';
import { programName } from '../../reading/program-name.ts';
import { knownText, originsOf, textWord, type Word } from '../../reading/word.ts';
import { parseShell } from '../../shell/parse/syntax.ts';
import { noteUnreadable } from '../../shell/run/shell-text.ts';
import { noteFetchedRun } from '../interpret/fetched-runs.ts';
import { programRow } from '../spec/rows.ts';
import type { CodeFrame, CodeStart } from './code-frame.ts';
import { evaluate } from './evaluate.ts';
import { parseCode } from './parse.ts';
import { callRow, type Language, syntaxOf } from './rows.ts';
import { inFolders, runShell } from './run-from-code.ts';
import type { FunctionNode } from './tree.ts';
import { useCall } from './use-call.ts';
import { elementOf, listValue, textValue, type Value } from './values.ts';
import type { Run } from './variables.ts';

const MAX_NESTING = 4;
/** How many values one piece of code may work out. */
const MAX_WORK = 100_000;

/**
 * Finds the calls of code that run commands or use files or the network. Computed names are not followed; computed code is a
 * gap.
 */
export function readCode(source: Word, start: CodeStart | CodeFrame): void {
  const frame: CodeFrame = { depth: 0, folder: { cwd: undefined }, environment: new Map(), ...start };
  const { text, placeholders } = withPlaceholders(source);
  const { interpreter, span, language } = frame;
  const aliases = new Map<string, readonly string[]>();
  const isShort = frame.depth <= MAX_NESTING && takeChars(interpreter.budget, text.length);
  const code = isShort ? parseCode(text, language, aliases) : undefined;
  if (code === undefined) {
    interpreter.gap('unknown_code', span, `Cannot read the ${language} code: it is too large or too deep`);
    return;
  }
  // A slip or an attempt: the interpreter would only complain, a shell would do it.
  if (isCommandLine(text, language)) runShell(source, frame);
  const state = {
    evaluate,
    language,
    aliases,
    placeholders,
    variables: givenVariables(frame),
    environment: frame.environment,
    setAt: new Map(),
    functions: new Map(),
    entered: new Set<FunctionNode>(),
    isDynamic: syntaxOf(language).dynamic?.test(text) === true,
    depth: 0,
    nesting: 0,
  };
  const onCall: Run['onCall'] = (row, found) => {
    if (!isExhausted(interpreter.budget)) inFolders(frame, (here) => useCall(row, found, here, runCode));
  };
  let work = MAX_WORK;
  const pass = (report: Run['onCall']) => {
    const run: Run = { ...state, onCall: report, work };
    evaluate(run, code);
    work = run.work;
  };
  // First for the meanings of names, since a function may use a variable that is set behind it, and be called in front of its own
  // place; then for their uses.
  pass(undefined);
  if (state.functions.size > 0) pass(undefined);
  pass(onCall);
  if (work < 0)
    interpreter.gap('unknown_code', span, `Cannot read the ${language} code: it computes too much`);
}

function runCode(source: Word, frame: CodeFrame): void {
  const isKnown =
    knownText(source) !== undefined || source.some((part) => part.type === 'text' && part.text.trim() !== '');
  if (isKnown) readCode(source, { ...frame, depth: frame.depth + 1 });
  else {
    // Code from a file counts as a run of that file.
    const { call, span, interpreter } = frame;
    for (const { type, source: file } of originsOf(source)) {
      if (type !== 'file') continue;
      noteFetchedRun(call, file, span);
      const written = interpreter.fileAt(call, file);
      if (written !== undefined) readCode(written, { ...frame, depth: frame.depth + 1 });
    }
    noteUnreadable(call, source, span, 'the code that is evaluated', 'unknown_code');
  }
}

/** The variables that hold the words that code is started with. */
function givenVariables({ language, given }: CodeFrame): Map<string, Value> {
  const variables = new Map<string, Value>();
  const row = syntaxOf(language).given;
  if (given === undefined || row === undefined) return variables;
  const others = new Array<Value>(row.before).fill(textValue(textWord('')));
  const list = listValue([...others, ...given.map(textValue)]);
  variables.set(row.name, list);
  for (const owner of row.owners ?? []) variables.set(`${owner}.${row.name}`, list);
  // Without a list they take one of these.
  if (language === 'perl') for (const taker of ['shift', 'pop']) variables.set(taker, elementOf(list));
  return variables;
}

/** A name or path, and after a blank something that no language puts behind a name: another word, a flag, a path. */
const COMMAND_LINE = /^\s*([\w./-]+)[ \t]+(--?[A-Za-z]|\.{0,2}\/\w|[~./]|\w+|["'$*])/;
/** Words that begin a statement, and are programs or builtins of shells too. */
const STATEMENTS = new Set(
  'alias and break case class const continue def delete do echo eval exec export for from function if import in let local my our print printf puts read require return select set sub test time unset until use var while with yield'.split(
    ' ',
  ),
);
/** Words that are between two names. */
const OPERATORS = new Set(
  'and as cmp do else eq for ge gt if in instanceof is le lt ne not of or then unless until while'.split(' '),
);

/** True if a text for an interpreter is a command line: two words in a row, of which the first begins no statement. */
export function isCommandLine(text: string, language: Language): boolean {
  const [, program = '', next = ''] = COMMAND_LINE.exec(text) ?? [];
  if (program === '' || STATEMENTS.has(program) || OPERATORS.has(next)) return false;
  const isCall = syntaxOf(language).bare_calls === true && callRow(language, [program]) !== undefined;
  if (isCall && !/^[-/~.]/.test(next)) return false;
  return programRow(programName(textWord(program))) !== undefined && parseShell(text).error === undefined;
}
