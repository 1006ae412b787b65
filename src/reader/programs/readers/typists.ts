import type { ProgramRow } from '../../../model/program-row.ts';
import { EMPTY_WORD, joinList, knownText, showWord, textWord, type Word } from '../../reading/word.ts';
import type { Arg, Call, Interpreter, ProgramReader } from '../../shell/scope/interpreter.ts';
import { parseArguments } from '../interpret/arguments.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';
import { operandContent } from '../interpret/input-text.ts';
import { frameInside, runInner } from '../interpret/run-inner.ts';
import { character, type Keystroke, typeKeys, withoutBackslashes } from './type-keys.ts';

/** A row with flags that take a value; the first operand ends them. */
function taking(flags: string): ProgramRow {
  return { flags: flags.split(' ').map((flag) => `${flag}=`), flags_first: true };
}

const NO_FLAGS: ProgramRow = { flags_first: true };
const SEND_KEYS = taking('-t -N -c');
const BUFFER = taking('-b -t -n -s');
const BINDING = taking('-T -N -t -p -I');
const TMUX = taking('-f -L -S -c -T');
const KEY_NAME =
  /^(?:[CMS]-.+|\^.|enter|escape|space|tab|b?tab|bspace|dc|delete|end|home|ic|insert|npage|pagedown|pgdn|ppage|pageup|pgup|up|down|left|right|f\d{1,2}|kp.+)$/i;

/** `tmux send-keys`, `set-buffer` and `load-buffer`, which `paste-buffer` types, in any of several commands. */
const tmux: ProgramReader = (call) => {
  const start = parseArguments(call.args, TMUX).operands[0]?.arg ?? call.args.length;
  const [first = [], ...others] = commandsOfTmux(call.args.slice(start));
  const inside = frameInside(call, { kind: 'wrapper', name: 'tmux' });
  const program = { word: textWord('tmux'), span: call.span };
  const run = (words: readonly Arg[]) => call.interpreter.runCommand([program, ...words], inside);
  for (const words of others) if (words.length > 0) run(words);
  typeWithTmux(first, call);
  for (const [text, ...words] of commandsInside(first))
    if (text !== undefined && words.length > 0) run([text, ...words]);
    else if (text !== undefined) runInner(call, joinList([program.word, text.word]), call.span);
  return undefined;
};

/** Commands of tmux that run others, now or when something happens: `bind-key x send-keys y`, `if-shell true 'send-keys y'`. */
const RUNS_OTHERS = /^(?:bind(?:-k.*)?|if(?:-s.*)?|set-h.*|confirm(?:-b.*)?|command-p.*)$/;

/** The commands in the words of another: behind the key of a binding, as texts elsewhere. */
function commandsInside([name, ...args]: readonly Arg[]): readonly (readonly Arg[])[] {
  const command = knownText(name?.word ?? EMPTY_WORD) ?? '';
  if (!RUNS_OTHERS.test(command)) return [];
  const { operands } = parseArguments(args, BINDING);
  if (command.startsWith('bind')) return [args.slice(operands[1]?.arg ?? args.length)];
  return operands.slice(/^(?:if|set)/.test(command) ? 1 : 0).map(({ arg }) => args.slice(arg, arg + 1));
}

function typeWithTmux([name, ...args]: readonly Arg[], call: Call): void {
  const command = knownText(name?.word ?? EMPTY_WORD) ?? '';
  if (/^send(?:-k.*)?$/.test(command)) {
    sendKeys(args, call);
    return;
  }
  const [operand] = parseArguments(args, BUFFER).operands;
  if (operand === undefined) return;
  const isFile = /^(?:loadb|load-b.*)$/.test(command);
  if (!isFile && !/^(?:setb|set-b.*)$/.test(command)) return;
  const text = isFile ? operandContent(operand.word, call) : operand.word;
  if (text !== undefined && (!isFile || knownText(text) !== undefined)) typeKeys(call, 'buffer', [{ text }]);
}

/** A semicolon, or one at the end of a word, begins the next command. */
function commandsOfTmux(args: readonly Arg[]): readonly (readonly Arg[])[] {
  const commands: Arg[][] = [[]];
  for (const arg of args) {
    const text = knownText(arg.word);
    const ends = text?.endsWith(';') === true && !text.endsWith('\\;');
    if (!ends) commands.at(-1)?.push(arg);
    else {
      if (text !== ';') commands.at(-1)?.push({ ...arg, word: textWord(text.slice(0, -1)) });
      commands.push([]);
    }
  }
  return commands;
}

function sendKeys(args: readonly Arg[], call: Call): void {
  const parsed = parseArguments(args, SEND_KEYS);
  if (hasFlag(parsed, '-X')) return;
  const pieces = parsed.operands.map(({ word }): Keystroke => {
    const text = knownText(word);
    if (text === undefined || hasFlag(parsed, '-l')) return { text: word };
    if (hasFlag(parsed, '-H')) return { text: textWord(character(text, 16)) };
    return KEY_NAME.test(text) ? { key: text.replace(/^\^/, 'C-') } : { text: word };
  });
  typeKeys(call, showWord(flagValue(parsed, '-t') ?? EMPTY_WORD), pieces);
  // Words are typed without blanks; who leaves them out may mean them all the same.
  for (const texts of textsInLine(pieces)) if (texts.length > 1) runInner(call, joinList(texts), call.span);
}

/** The texts between keys. */
function textsInLine(pieces: readonly Keystroke[]): readonly (readonly Word[])[] {
  const lines: Word[][] = [[]];
  for (const piece of pieces) {
    if ('text' in piece) lines.at(-1)?.push(piece.text);
    else lines.push([]);
  }
  return lines;
}

/** The text that a program types: the operands behind a word, or its input. */
interface Typing {
  /** The words in front, one of several for each. */
  readonly behind: readonly RegExp[];
  readonly row?: ProgramRow;
  readonly escapes?: (text: string) => string;
  /** Turns an operand into text or a key; without it operands are text as they are. */
  readonly as?: (text: string) => Keystroke | undefined;
  readonly input?: true;
  readonly pane?: string;
}

/** Reads each of the typings that the words of a command fit. */
function typist(...typings: readonly Typing[]): ProgramReader {
  return (call) => {
    for (const typing of typings) {
      const args = argsBehind(call.args, typing.behind);
      if (args !== undefined) typeArgs(args, typing, call);
    }
    return undefined;
  };
}

function argsBehind(args: readonly Arg[], words: readonly RegExp[]): readonly Arg[] | undefined {
  let from = 0;
  for (const word of words) {
    const at = args.findIndex((arg, index) => index >= from && word.test(knownText(arg.word) ?? ''));
    if (at < 0) return undefined;
    from = at + 1;
  }
  return args.slice(from);
}

function typeArgs(args: readonly Arg[], typing: Typing, call: Call): void {
  const { row = NO_FLAGS, escapes, as, input } = typing;
  const parsed = parseArguments(args, row);
  const pane = parsed.flags.find(({ name, value }) => value !== undefined && typing.pane === name)?.value;
  const words = parsed.operands.map(({ word }): Keystroke | undefined => {
    const text = knownText(word);
    if (as !== undefined) return text === undefined ? undefined : as(text);
    return { text: text === undefined || escapes === undefined ? word : textWord(escapes(text)) };
  });
  const typed = call.command.input;
  const pieces =
    words.length === 0 && input === true && typed !== undefined
      ? [{ text: knownText(typed) === undefined ? EMPTY_WORD : typed }]
      : words.filter((piece) => piece !== undefined);
  typeKeys(call, showWord(pane ?? EMPTY_WORD), withBlanks(pieces));
}

/** Words that are typed one after the other have blanks between them. */
function withBlanks(pieces: readonly Keystroke[]): readonly Keystroke[] {
  return pieces.flatMap((piece, index) =>
    index > 0 && 'text' in piece ? [{ text: textWord(' ') }, piece] : [piece],
  );
}

/** The codes of keys on a keyboard, as far as they answer anything. */
const CODES: Readonly<Record<string, Keystroke>> = {
  1: { key: 'Escape' },
  28: { key: 'Enter' },
  96: { key: 'Enter' },
  57: { key: 'Space' },
  21: { text: textWord('y') },
  49: { text: textWord('n') },
  ...Object.fromEntries('1234567890'.split('').map((digit, index) => [index + 2, { text: textWord(digit) }])),
};

/** `28:1` presses the key, `28:0` lets it go. */
function fromCode(text: string): Keystroke | undefined {
  const [code = '', down] = text.split(':');
  return down === '1' ? CODES[code] : undefined;
}

/** A key by its name: one letter is typed. */
function namedKey(name: string): Keystroke {
  return /^.$/.test(name) ? { text: textWord(name) } : { key: name.replace(/^KP_/, 'KP') };
}

const kitty = typist(
  {
    behind: [/^@/, /^send-text$/],
    row: taking('-m --match -t --match-tab --from-file --to'),
    escapes: withoutBackslashes,
    input: true,
    pane: '--match',
  },
  { behind: [/^@/, /^send-key$/], row: taking('-m --match -t --match-tab --to'), as: namedKey },
);

/** A pretended terminal whose input answers the questions there. */
const pretendedTerminal: ProgramReader = (call) => {
  const { input } = call.command;
  const text = input === undefined ? undefined : knownText(input);
  const lines = text?.split('\n').map((line) => line.trim()) ?? [];
  const isAnswer = text !== undefined && lines.every((line) => /^(?:y|yes|n|no|\d{0,2})$/i.test(line));
  const { commands } = call.interpreter;
  const isYes = input?.some((part) => part.type === 'unknown' && printsYes(commands[part.printer ?? -1]));
  if (isAnswer || isYes === true) typeKeys(call, '', [{ key: 'Enter' }]);
  return undefined;
};

function printsYes(printer: Interpreter['commands'][number] | undefined): boolean {
  const said = printer?.operands.map(showWord).join(' ') ?? '';
  return printer?.name === 'yes' && /^(?:|y|yes)$/i.test(said);
}

/** Types the input of a socket there. */
const pushed =
  (flag: string): ProgramReader =>
  (call) => {
    const { input } = call.command;
    if (!hasFlag(call.parsed, flag) || input === undefined) return undefined;
    typeKeys(call, '', [{ text: knownText(input) === undefined ? EMPTY_WORD : input }]);
    return undefined;
  };

/** Types or presses each text: a first word that begins with `t` types the rest, any other presses keys. */
function typeEach(call: Call, texts: readonly string[], form: RegExp): undefined {
  const pieces = texts.flatMap((text): readonly Keystroke[] => {
    const [, does = '', what = ''] = form.exec(text) ?? [];
    if (does.startsWith('t')) return [{ text: textWord(what) }];
    return does === '' ? [] : what.split(/\s+/).map(namedKey);
  });
  typeKeys(call, '', pieces);
}

/** Lines of dotool: `type text`, `key enter`. */
const dotool: ProgramReader = (call) =>
  typeEach(call, knownText(call.command.input ?? EMPTY_WORD)?.split('\n') ?? [], /^\s*(type|key)\s+(.*)$/s);

/** `cliclick t:text kp:return`. */
const cliclick: ProgramReader = (call) =>
  typeEach(
    call,
    call.args.map(({ word }) => knownText(word) ?? ''),
    /^(t|kp):(.*)$/s,
  );

/** Programs that type into a terminal which is there already, or that pretend to be one. */
export const TYPIST_READERS: Readonly<Record<string, ProgramReader>> = {
  tmux,
  tmate: tmux,
  byobu: tmux,
  kitty,
  kitten: kitty,
  zellij: typist(
    { behind: [/^(?:action|ac)$/, /^(?:write-chars|paste)$/], row: taking('-p --pane-id') },
    {
      behind: [/^(?:action|ac)$/, /^write$/],
      row: taking('-p --pane-id'),
      as: (text) => ({ text: textWord(character(text, 10)) }),
    },
    {
      behind: [/^(?:action|ac)$/, /^send-keys$/],
      row: taking('-p --pane-id'),
      as: (keys) => namedKey(keys.replace(/^Ctrl /, 'C-')),
    },
  ),
  wezterm: typist({
    behind: [/^cli$/, /^send-text$/],
    row: taking('--pane-id'),
    input: true,
    pane: '--pane-id',
  }),
  xdotool: typist(
    { behind: [/^type$/], row: taking('--window --delay --file --args --terminator') },
    {
      behind: [/^key(?:down)?$/],
      row: taking('--window --delay --repeat --repeat-delay'),
      as: namedKey,
    },
  ),
  ydotool: typist(
    {
      behind: [/^type$/],
      row: taking('-d --key-delay -D --next-delay -H --key-hold -f --file -e --escape'),
    },
    { behind: [/^key$/], row: taking('-d --key-delay'), as: fromCode },
  ),
  wtype: typist(
    { behind: [], row: taking('-M -m -k -P -p -s -d') },
    { behind: [/^-[kP]$/], as: (key) => ({ key }) },
  ),
  dotool,
  cliclick,
  qdbus: typist({ behind: [/(?:^|\.)(?:sendText|runCommand)$/] }),
  ttyecho: typist({ behind: [/^\/dev\//] }),
  writevt: typist({ behind: [/^\/dev\//] }),
  empty: typist({ behind: [/^-s$/], row: taking('-o -c'), escapes: withoutBackslashes, input: true }),
  dtach: pushed('-p'),
  abduco: pushed('-p'),
  script: pretendedTerminal,
  unbuffer: pretendedTerminal,
  faketty: pretendedTerminal,
};
