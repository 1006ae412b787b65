import { decodeBase64Utf16 } from '../../reading/decode.ts';
import {
  EMPTY_WORD,
  joinList,
  knownText,
  leadingText,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { runFileText, runShellText } from '../../shell/run/shell-text.ts';
import type { Arg, Call, Frame, ProgramReader, ShellLanguage } from '../../shell/scope/interpreter.ts';
import { writtenContent } from '../interpret/input-text.ts';
import { frameInside } from '../interpret/run-inner.ts';

/** Flags of PowerShell, each kind by its value: the rest of the words as a script, a file with its words, or one word. */
const FLAGS = [
  'command command commandwithargs cwa',
  'encoded encodedcommand ec',
  'file file',
  'value executionpolicy ep windowstyle version inputformat outputformat workingdirectory wd configurationname',
  'value configurationfile psconsolefile custompipename settingsfile',
  'switch noprofile nologo noninteractive noexit sta mta login',
].flatMap((line) => {
  const [kind = '', ...names] = line.split(' ');
  return names.map((name) => ({ kind, name }));
});

/** The kind of a flag, by its name or the start of it. */
function flagKind(text: string): string | undefined {
  const written = /^(?:--?|\/|–|—)([a-z]+)$/i.exec(text)?.[1]?.toLowerCase();
  if (written === undefined) return undefined;
  const flag =
    FLAGS.find(({ name }) => name === written) ?? FLAGS.find(({ name }) => name.startsWith(written));
  return flag?.kind ?? 'switch';
}

/** `powershell -Command text`, `-EncodedCommand base64`, `-File script`. */
const powershell: ProgramReader = (call) => {
  const { args, command, span } = call;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg;
    const kind = flagKind(knownText(arg.word) ?? '');
    if (kind === 'switch') continue;
    if (kind === 'value') at++;
    else {
      const rest = kind === undefined ? args.slice(at) : args.slice(at + 1);
      const [first] = rest;
      if (first === undefined) return undefined;
      if (kind !== 'file' && knownText(first.word) === '-') break;
      if (kind === 'file' || (kind === undefined && /\.ps1$/i.test(endOf(first.word))))
        return runScriptFile(call, first);
      if (kind === 'encoded') return runText(call, decoded(first), 'powershell');
      const script =
        rest.length === 1 ? first : { word: joinList(rest.map(({ word }) => word)), span: first.span };
      return runText(call, script, 'powershell');
    }
  }
  if (command.input === undefined) return undefined;
  return runText(call, { word: command.input, span }, 'powershell');
};

/** The text that a word ends in, as far as known. */
function endOf(word: Word): string {
  const last = word.at(-1);
  return last?.type === 'text' ? last.text : '';
}

function decoded({ word, span }: Arg): Arg {
  const text = knownText(word);
  const script = text === undefined ? undefined : decodeBase64Utf16(text);
  return { word: script === undefined ? unknownWord('-EncodedCommand') : textWord(script), span };
}

function placeOf(call: Call, language: ShellLanguage): Frame {
  const inside = frameInside(call, { kind: 'shell', name: call.command.name ?? language });
  return { ...inside, language, input: undefined, calls: [] };
}

function runText(call: Call, script: Arg, language: ShellLanguage): Word {
  call.command.wrapper = true;
  return runShellText(
    call,
    script,
    placeOf(call, language),
    `the script of ${call.command.name ?? language}`,
  );
}

function runScriptFile(call: Call, file: Arg): Word | undefined {
  call.interpreter.path(call.command, 'execute', file.word, { span: file.span });
  const written = writtenContent(file.word, call);
  if (written === undefined) return undefined;
  const content = fromUtf16(written);
  call.command.wrapper = true;
  return runFileText(call, file, content, placeOf(call, 'powershell'), 'the file that PowerShell runs');
}

/** A file in UTF-16, whose plain characters have a NUL beside them and a mark of two bytes in front of all. */
function fromUtf16(content: Word): Word {
  const text = knownText(content);
  if (text?.includes('\0') !== true) return content;
  return textWord(text.replace(/^[^\0-\x7f]{1,2}/, '').replaceAll('\0', ''));
}

/** `cmd /c text`; msys takes `//c` for `/c`. */
const cmd: ProgramReader = (call) => {
  const { args } = call;
  const at = args.findIndex(({ word }) => /^\/{1,2}[ckr]/i.test(knownText(word)?.trim() ?? ''));
  if (at < 0) {
    const { input } = call.command;
    return input === undefined ? undefined : runText(call, { word: input, span: call.span }, 'cmd');
  }
  const flag = knownText(args[at]?.word ?? EMPTY_WORD)?.trim() ?? '';
  const joined = flag.replace(/^\/{1,2}[ckr]/i, '');
  const rest = flag.startsWith('//') ? args.slice(at + 1).map(withOneSlash) : args.slice(at + 1);
  const words = [...(joined === '' ? [] : [textWord(joined)]), ...rest.map(({ word }) => word)];
  const [only] = rest;
  const script: Arg =
    only !== undefined && words.length === 1 && joined === ''
      ? only
      : { word: joinList(words), span: call.span };
  return runText(call, script, 'cmd');
};

/** msys takes `//s` for `/s`. */
function withOneSlash(arg: Arg): Arg {
  const switched = /^\/(\/[a-z]\S*)$/i.exec(knownText(arg.word) ?? '')?.[1];
  return switched === undefined ? arg : { ...arg, word: textWord(switched) };
}

/** `iex` and `Invoke-Expression` run a text in their own scope. In other shells, `iex -e code` is Elixir's. */
const invokeExpression: ProgramReader = (call) => {
  const isElixir = leadingText(call.args[0]?.word ?? EMPTY_WORD).startsWith('-');
  if (isElixir && call.frame.language === 'sh') return undefined;
  const script = call.args.length > 0 ? joinList(call.args.map(({ word }) => word)) : call.command.input;
  const via = [...call.frame.via, { kind: 'eval', name: 'iex' } as const];
  const frame: Frame = { ...call.frame, via, parent: call.index, language: 'powershell' };
  const text = { word: script ?? EMPTY_WORD, span: call.span };
  return runShellText(call, text, frame, 'the text that is evaluated');
};

export const WINDOWS_SHELL_READERS: Readonly<Record<string, ProgramReader>> = {
  powershell,
  pwsh: powershell,
  cmd,
  'invoke-expression': invokeExpression,
  iex: invokeExpression,
};
