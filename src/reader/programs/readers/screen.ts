import { EMPTY_WORD, knownText, showWord, textWord } from '../../reading/word.ts';
import type { Arg, Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { flagValue } from '../interpret/flags.ts';
import { frameInside } from '../interpret/run-inner.ts';
import { spelled, typeKeys, withoutCarets } from './type-keys.ts';

/** The ends of a program that `exec` connects: `.!.`. */
const ENDS = /^[.!:|]+$/;

/** `screen -X`: a command for a screen that runs already. Some start a program there, or type into one. */
const screen: ProgramReader = (call) => {
  const flag = call.parsed.flags.find(({ name }) => name === '-X');
  if (flag !== undefined) carryOut(call.args.slice(flag.arg + 1), call);
  return undefined;
};

function carryOut(words: readonly Arg[], call: Call): void {
  const texts = words.map(({ word }) => knownText(word) ?? '');
  const [verb = '', first = ''] = texts;
  if (verb === 'at') carryOut(words.slice(2), call);
  else if (verb === 'exec') run(words.slice(ENDS.test(first) ? 2 : 1), call);
  else if (verb === 'screen') {
    let start = 1;
    while (/^(?:-.*|\d+)$/.test(texts[start] ?? '')) start += /^-[ht]$/.test(texts[start] ?? '') ? 2 : 1;
    run(words.slice(start), call);
  } else if (verb === 'stuff') type(words.slice(1), call);
  // The text that `paste` types.
  else if (verb === 'register') type(words.slice(2), call);
  else if (verb === 'eval') {
    for (const text of texts.slice(1)) {
      const parts = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
      const inner = parts.map((part) => textWord(part.replace(/^(["'])(.*)\1$/s, '$2')));
      carryOut(
        inner.map((word) => ({ word, span: call.span })),
        call,
      );
    }
  }
}

function type(words: readonly Arg[], call: Call): void {
  const pane = ['-S', '-p'].map((flag) => showWord(flagValue(call.parsed, flag) ?? EMPTY_WORD)).join(' ');
  typeKeys(
    call,
    pane,
    words.map(({ word }) => ({ text: spelled(word, withoutCarets) })),
  );
}

function run(command: readonly Arg[], call: Call): void {
  if (command.length > 0)
    call.interpreter.runCommand(command, frameInside(call, { kind: 'wrapper', name: 'screen' }));
}

/** Programs that run commands in terminals of their own. Its row covers `screen` without `-X`. */
export const SCREEN_READERS: Readonly<Record<string, ProgramReader>> = { screen };
