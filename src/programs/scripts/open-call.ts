import { joinWords, knownText, leadingText, textWord, type Word } from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import type { FoundCall } from './code.ts';
import type { CodePlace } from './code-place.ts';
import { type Value, wordOf } from './values.ts';

/** `open` and its kin: a path and a mode; in Perl and Ruby also a command. */
export function readOpen(found: FoundCall, place: CodePlace, runShell: (script: Word) => void): void {
  if (place.language === 'perl') readPerlOpen(found, place, runShell);
  else readPlainOpen(found, place, runShell);
}

function readPlainOpen(found: FoundCall, place: CodePlace, runShell: (script: Word) => void): void {
  const { args, named, receiver } = found;
  const path = wordOf(receiver?.type === 'text' ? receiver : args[0]);
  const mode = knownText(wordOf(named.get('mode') ?? (receiver?.type === 'text' ? args[0] : args[1]))) ?? 'r';
  const lead = leadingText(path);
  if (args.length === 0 && receiver === undefined) return;
  if (place.language === 'ruby' && lead.startsWith('|'))
    runShell(joinWords(textWord(lead.slice(1)), path.slice(1)));
  else if (lead.includes('://')) {
    addPlace(place.call.command, 'download', path, 'http', place.span);
  } else addFile(path, /[wax+]/.test(mode) || args.some(saysWrite), mode.startsWith('a'), place);
}

/** `os.O_WRONLY`, `fs.constants.O_RDWR` */
function saysWrite(arg: Value): boolean {
  return (
    arg.type === 'function' && /^O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND|EXCL)$/.test(arg.names.at(-1) ?? '')
  );
}

/** `open(F, '<', 'path')`, `open(F, '>path')`, `open(F, 'cmd |')`, `open(F, '-|', 'cmd')`. */
function readPerlOpen({ args }: FoundCall, place: CodePlace, runShell: (script: Word) => void): void {
  const mode = wordOf(args[1]);
  const lead = leadingText(mode);
  const known = knownText(mode);
  if (args[2] !== undefined) {
    if (lead.includes('|'))
      runShell(
        args
          .slice(2)
          .map(wordOf)
          .reduce((line, word) => joinWords(joinWords(line, textWord(' ')), word)),
      );
    else addFile(wordOf(args[2]), lead.includes('>') || lead.includes('+'), lead.includes('>>'), place);
    return;
  }
  if (args[1] === undefined) return;
  if (lead.startsWith('|')) runShell(joinWords(textWord(lead.slice(1)), mode.slice(1)));
  else if (known?.trimEnd().endsWith('|') === true) runShell(textWord(known.trimEnd().slice(0, -1)));
  else {
    const sign = /^\s*[+]?[<>]*\s*/.exec(lead)?.[0] ?? '';
    addFile(
      sign === '' ? mode : joinWords(textWord(lead.slice(sign.length)), mode.slice(1)),
      sign.includes('>'),
      sign.includes('>>'),
      place,
    );
  }
}

function addFile(path: Word, writes: boolean, append: boolean, { call, walker, span }: CodePlace): void {
  walker.path(call.command, writes ? 'write' : 'read', path, { append, span });
}
