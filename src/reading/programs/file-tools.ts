import { flagValue, hasFlag } from '../arguments.ts';
import type { ProgramReader } from '../walker.ts';
import { EMPTY_WORD, isBlank, joinWords, knownText, leadingText, textWord } from '../word.ts';
import { argumentSpan } from './effects-of-words.ts';
import { runInner } from './run-inner.ts';

/** dd's operands: `if=file of=file`. */
const dd: ProgramReader = (call, walker) => {
  let writes = false;
  call.args.forEach(({ word, span }) => {
    const lead = leadingText(word);
    const rest = joinWords(textWord(lead.slice(3)), word.slice(1));
    if (lead.startsWith('if=')) walker.path(call.command, 'read', rest, { span });
    if (!lead.startsWith('of=')) return;
    walker.path(call.command, 'write', rest, { span });
    writes = true;
  });
  return writes ? EMPTY_WORD : undefined;
};

/** cp, mv and the like: what is known of the first file's content is known of the second's. */
const copyContent: ProgramReader = (call, walker) => {
  const [from, to] = call.parsed.operands;
  if (from === undefined || to === undefined || call.parsed.operands.length > 2) return EMPTY_WORD;
  const content = walker.fileAt(call, from.word);
  if (content === undefined) return EMPTY_WORD;
  walker.keepFile(call, to.word, content);
  if (isBlank(content)) walker.path(call.command, 'empty', to.word, { span: argumentSpan(call, to.arg) });
  return EMPTY_WORD;
};

/** A hard link is the file itself under another name. */
const hardLink: ProgramReader = (call, walker) => {
  if (hasFlag(call.parsed, '-s', '--symbolic')) return EMPTY_WORD;
  const sources = call.parsed.operands.length > 1 ? call.parsed.operands.slice(0, -1) : call.parsed.operands;
  for (const { word, arg } of sources)
    walker.path(call.command, 'read', word, { span: argumentSpan(call, arg) });
  return EMPTY_WORD;
};

/** `truncate -s 0`: nothing is left. */
const truncate: ProgramReader = (call, walker) => {
  if (!/^0+$/.test(knownText(flagValue(call.parsed, '-s', '--size') ?? EMPTY_WORD) ?? '')) return EMPTY_WORD;
  for (const { word, arg } of call.parsed.operands)
    walker.path(call.command, 'empty', word, { span: argumentSpan(call, arg) });
  return EMPTY_WORD;
};

/** `s/pattern/command/e`: the line that it leaves is run. */
const SUBSTITUTES_AND_RUNS =
  /(?:^|[;{}\n]|[0-9$/])\s*s([/|#,:@!])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1[gpiIM0-9]*e/;

/** `sed -i` writes the files it reads; `sed -n '1e cmd'` and the `e` flag run commands. */
const sed: ProgramReader = (call, walker) => {
  const { parsed, command } = call;
  const inPlace = hasFlag(parsed, '-i', '--in-place');
  const given = hasFlag(parsed, '-e', '--expression', '-f', '--file');
  for (const { word, arg } of parsed.operands.slice(given ? 0 : 1)) {
    walker.path(command, 'read', word, { span: argumentSpan(call, arg) });
    if (inPlace) walker.path(command, 'write', word, { span: argumentSpan(call, arg) });
  }
  const scripts = given
    ? parsed.flags
        .filter(({ name }) => name === '-e' || name === '--expression')
        .map(({ value }) => value ?? EMPTY_WORD)
    : parsed.operands.slice(0, 1).map(({ word }) => word);
  for (const script of scripts) {
    const run = /(?:^|[;{}\n]|[0-9$/])\s*e\s+([^;\n]+)/.exec(knownText(script) ?? '')?.[1];
    if (run !== undefined) runInner(call, textWord(run), call.span, walker);
    const made = SUBSTITUTES_AND_RUNS.exec(knownText(script) ?? '')?.[3];
    if (made !== undefined) runInner(call, textWord(made), call.span, walker);
    const target = /(?:^|[;{}\n]|[0-9$/])\s*[wW]\s+([^\s;}]+)/.exec(knownText(script) ?? '')?.[1];
    if (target !== undefined) walker.path(command, 'write', textWord(target));
    const source = /(?:^|[;{}\n]|[0-9$/])\s*[rR]\s+([^\s;}]+)/.exec(knownText(script) ?? '')?.[1];
    if (source !== undefined) walker.path(command, 'read', textWord(source));
  }
  return undefined;
};

/** Files tested with `test -f`, `[ -e ]`, `[[ -r ]]`. */
const test: ProgramReader = (call, walker) => {
  call.args.forEach((arg, index) => {
    const operator = knownText(call.args[index - 1]?.word ?? EMPTY_WORD);
    if (operator !== undefined && /^-[abcdefghkprstuwxGLNOS]$/.test(operator)) {
      walker.path(call.command, 'list', arg.word, { span: arg.span });
    }
  });
  return undefined;
};

/** Programs whose words say in ways of their own what becomes of files. */
export const FILE_TOOL_READERS: Readonly<Record<string, ProgramReader>> = {
  dd,
  dcfldd: dd,
  cp: copyContent,
  mv: copyContent,
  install: copyContent,
  ln: hardLink,
  link: hardLink,
  truncate,
  sed,
  gsed: sed,
  test,
  '[': test,
  '[[': test,
};
