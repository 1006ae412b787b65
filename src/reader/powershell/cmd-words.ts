import { fillPlaceholders } from '../reading/placeholders.ts';
import { joinAll, knownText, originsOf, textWord, unknownWord, type Word } from '../reading/word.ts';
import type { Frame } from '../shell/scope/interpreter.ts';
import { variableOf } from '../shell/scope/scope.ts';
import type { CmdWord } from './cmd-syntax.ts';
import { environmentWord } from './outside-names.ts';

/** Variables in a word: `%NAME%`, `!NAME!`, `%f` of a loop, `%~dp0`, `%1`. */
const VARIABLE = /%%?~?[a-z]*([A-Za-z0-9*])(?![A-Za-z0-9_()]*(?::[^%\s]*)?%)|[%!]([^%!:\s]+)(:[^%!]*)?[%!]/g;

export function wordOf({ text }: CmdWord, frame: Frame): Word {
  const words: Word[] = [];
  let start = 0;
  const { placeholders } = frame.source;
  for (const found of text.matchAll(VARIABLE)) {
    const [whole, letter, name, change] = found;
    const value =
      letter === undefined ? namedValue(name ?? '', frame) : variableOf(frame.scope, `%${letter}`)?.values;
    // Without a variable of that name exclamation marks stay: nothing says that they are read.
    const isBang = whole.startsWith('!') && variableOf(frame.scope, (name ?? '').toUpperCase()) === undefined;
    if (isBang) continue;
    if (letter !== undefined && value === undefined && !/^%%?(?:~|[0-9*])/.test(whole)) continue;
    words.push(fillPlaceholders(text.slice(start, found.index), placeholders));
    const only = value?.length === 1 ? value[0] : undefined;
    words.push(
      only === undefined
        ? unknownWord(whole)
        : change === undefined
          ? only
          : changedValue(only, change, whole),
    );
    start = found.index + whole.length;
  }
  words.push(fillPlaceholders(text.slice(start), placeholders));
  return joinAll(words);
}

/** `%NAME:~2,3%` is a part of a value, `%NAME:from=to%` the value with other text in it. */
function changedValue(value: Word, change: string, whole: string): Word {
  const known = knownText(value);
  const [, start, length] = /^:~(-?\d+)?(?:,(-?\d+))?$/.exec(change) ?? [];
  const [, from, to = ''] = /^:([^~*=][^=]*)=(.*)$/s.exec(change) ?? [];
  if (known === undefined) return unknownWord(whole, originsOf(value));
  if (from !== undefined)
    return textWord(known.replace(new RegExp(from.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi'), () => to));
  if (!change.startsWith(':~')) return unknownWord(whole);
  const rest = known.slice(Number(start ?? 0));
  return textWord(length === undefined ? rest : rest.slice(0, Number(length)));
}

function namedValue(name: string, { scope }: Frame): readonly Word[] {
  if (name.toLowerCase() === 'cd') return [textWord('.')];
  return variableOf(scope, name.toUpperCase())?.values ?? [environmentWord(name, `%${name}%`)];
}
