import { checkTime } from '../../../lib/time-limit.ts';
import { isExhausted, takeStep } from '../../reading/bounds.ts';
import { withPlaceholders } from '../../reading/placeholders.ts';
import { EMPTY_WORD, knownText, originsOf, textWord, unknownWord, type Word } from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { usePath } from '../interpret/effects-of-words.ts';
import { hasFlag } from '../interpret/flags.ts';
import { rememberContent } from '../interpret/input-text.ts';
import { runInner } from '../interpret/run-inner.ts';

/** The places where a command of sed may begin, with blanks before it. Linear, as each blank has one place. */
const START = '(?:^|[;{}\\n0-9$/])[^\\S\\n]*';
/** `e command`. */
const RUNS = new RegExp(`${START}e\\s+([^;\\n]+)`, 'g');
/** `e` alone: the line itself is run. */
const RUNS_LINE = new RegExp(`${START}e[^\\S\\n]*(?:$|[;}\\n])`);
/** `s/pattern/command/e`: the line that it leaves is run. The delimiter is any character of ASCII but a letter or a digit. */
const SUBSTITUTES_AND_RUNS = new RegExp(
  `${START}s([!-/:-@\\[\\]^-\`{-~])(?:\\\\.|(?!\\1)[^\\\\])*\\1((?:\\\\.|(?!\\1)[^\\\\])*)\\1[gpiImM0-9]*e`,
  'gs',
);
/** `s/^/text/` and the like: a text is put in front of a line, or in its place. */
const BEGINS_LINES = new RegExp(
  `${START}s([!-/:-@\\[\\]^-\`{-~])(?:\\^|\\.\\*)(?:\\\\.|(?!\\1)[^\\\\])*\\1[^\\n]`,
  's',
);
const WRITES = new RegExp(`${START}[wW]\\s+([^\\s;}]+)`, 'g');
const READS = new RegExp(`${START}[rR]\\s+([^\\s;}]+)`, 'g');

const ADDRESS = '(?:[0-9]+|\\$|/(?:\\\\.|[^\\\\/\\n])+/)';
/** One command that prints nothing elsewhere and leaves something: `s/a/b/g`, `/a/d`, `$a text`. */
const EDIT = new RegExp(
  `^(?:(?:${ADDRESS}(?:,${ADDRESS})?!?)?s([!-/:-@\\[\\]^-\`{-~])(?:\\\\.|(?!\\1)[^\\\\\\n])*\\1(?:\\\\.|(?!\\1)[^\\\\\\n])*\\1[gpiImM0-9]*|${ADDRESS}(?:,${ADDRESS})?!?(?:d|[aic].*))$`,
);

/** Deletes each line, or each that has a character: `d`, `1,$d`, `/./d`. */
const EMPTIES = /^\s*(?:(?:1\s*,\s*\$|\/(?:[$^]|\^?\.(?:\*\$?)?|\.\$)\/)\s*)?d[\s;]*$/;

/** `sed -i` writes files, and shows nothing if it only edits lines; `1e cmd` and the `e` flag run commands. */
const sed: ProgramReader = (call) => {
  const { parsed, command } = call;
  const inPlace = hasFlag(parsed, '-i', '--in-place');
  const given = hasFlag(parsed, '-e', '--expression', '-f', '--file');
  const scripts = given
    ? parsed.flags
        .filter(({ name }) => name === '-e' || name === '--expression')
        .map(({ value }) => value ?? EMPTY_WORD)
    : parsed.operands.slice(0, hasEmptySuffix(call) ? 2 : 1).map(({ word }) => word);
  const onlyEdits = inPlace && !hasFlag(parsed, '-f', '--file') && scripts.every(isEdit);
  for (const { word, arg } of parsed.operands.slice(given ? 0 : 1)) {
    usePath(call, onlyEdits ? 'list' : 'read', { word, arg });
    if (inPlace) usePath(call, 'write', { word, arg });
    if (inPlace && scripts.some((script) => EMPTIES.test(knownText(script) ?? '')))
      rememberContent(call, { word, arg }, EMPTY_WORD);
  }
  for (const script of scripts) readSedScript(knownText(script) ?? '', call);
  if (!scripts.some((script) => BEGINS_LINES.test(knownText(script) ?? ''))) return undefined;
  // Lines that begin with text of its own are no longer those of any file.
  const origins = originsOf(command.input ?? EMPTY_WORD).filter(({ type }) => type !== 'file');
  return unknownWord('the output of sed', origins);
};

function readSedScript(script: string, call: Call): void {
  const { interpreter } = call;
  checkTime();
  const { budget } = interpreter;
  for (const [, run = ''] of script.matchAll(RUNS))
    if (!isExhausted(budget)) runInner(call, textWord(run), call.span);
  const { input } = call.command;
  if (input !== undefined && RUNS_LINE.test(script)) runInner(call, input, call.span);
  for (const [, , run = ''] of script.matchAll(SUBSTITUTES_AND_RUNS))
    if (!isExhausted(budget)) runInner(call, textWord(run), call.span);
  if (RUNS_LINE.test(script))
    interpreter.gap('unknown_script', call.span, 'Cannot read the lines that sed runs');
  for (const [, file = ''] of script.matchAll(WRITES))
    if (takeStep(budget)) interpreter.path(call.command, 'write', textWord(file));
  for (const [, file = ''] of script.matchAll(READS))
    if (takeStep(budget)) interpreter.path(call.command, 'read', textWord(file));
}

/** `sed -i '' script`: some have the suffix of a copy as a word of its own. */
function hasEmptySuffix({ parsed }: Call): boolean {
  return knownText(parsed.operands[0]?.word ?? textWord('x')) === '' && hasFlag(parsed, '-i');
}

/** True if a script is an edit; the value of a variable is read as text of the edit. */
function isEdit(script: Word): boolean {
  const { text } = withPlaceholders(script);
  return text === '' || EDIT.test(text);
}

/** `gawk -i inplace` writes the files that it reads, as `sed -i` does. */
const awk: ProgramReader = (call) => {
  const { flags, operands } = call.parsed;
  const inPlace = flags.some(
    ({ name, value }) =>
      /^(?:-i|--include)$/.test(name) && /^inplace(?:\.awk)?$/.test(knownText(value ?? EMPTY_WORD) ?? ''),
  );
  const given = hasFlag(call.parsed, '-f', '--file', '-e', '--source');
  if (inPlace) for (const each of operands.slice(given ? 0 : 1)) usePath(call, 'write', each);
  return undefined;
};

export const SED_READERS: Readonly<Record<string, ProgramReader>> = { sed, gsed: sed, awk, gawk: awk };
