import { joinList, knownText, textWord } from '../../reading/word.ts';
import type { Arg, Call, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { placeInside, runInner } from '../interpret/run-inner.ts';

/** The keys that end a line, as `stuff` has them. */
const RETURN = /\\[nr]|\\01[25]|\^[MJ]/g;
/** Which of its ends `exec` connects: `.!.`. */
const ENDS = /^[.!:|]+$/;

/** `screen -X`: a command for a screen that runs already. Some start a program there, or type into one. */
const screen: ProgramReader = (call, walker) => {
  const flag = call.parsed.flags.find(({ name }) => name === '-X');
  if (flag !== undefined) carryOut(call.args.slice(flag.arg + 1), call, walker);
  return undefined;
};

function carryOut(words: readonly Arg[], call: Call, walker: Walker): void {
  const texts = words.map(({ word }) => knownText(word) ?? '');
  const [verb = '', first = ''] = texts;
  if (verb === 'at') carryOut(words.slice(2), call, walker);
  else if (verb === 'exec') run(words.slice(ENDS.test(first) ? 2 : 1), call, walker);
  else if (verb === 'screen') {
    let start = 1;
    while (/^(?:-.*|\d+)$/.test(texts[start] ?? '')) start += /^-[ht]$/.test(texts[start] ?? '') ? 2 : 1;
    run(words.slice(start), call, walker);
  } else if (verb === 'stuff') {
    const typed = joinList(words.slice(1).map(({ word }) => word));
    const known = knownText(typed);
    runInner(call, known === undefined ? typed : textWord(known.replace(RETURN, '\n')), call.span, walker);
  } else if (verb === 'eval') {
    for (const text of texts.slice(1)) {
      const [, typed] = /^stuff\s+["']?(.*?)["']?$/s.exec(text) ?? [];
      if (typed !== undefined) runInner(call, textWord(typed.replace(RETURN, '\n')), call.span, walker);
    }
  }
}

function run(command: readonly Arg[], call: Call, walker: Walker): void {
  if (command.length > 0) walker.runCommand(command, placeInside(call, { kind: 'wrapper', name: 'screen' }));
}

/** Programs that run commands in terminals of their own. Its row has what `screen` runs without `-X`. */
export const SCREEN_READERS: Readonly<Record<string, ProgramReader>> = { screen };
