import { LIMITS } from '../../reading/bounds.ts';
import type { Via } from '../../reading/reading.ts';
import { EMPTY_WORD, joinWords, knownText, textWord, type Word } from '../../reading/word.ts';
import { aliasesOf } from '../scope/scope.ts';
import type { Arg, Call, Place, Walker } from '../scope/walker.ts';

/** Of what a name may stand for only so much is followed. */
export function noteManyMeanings(name: string, count: number, span: Call['span'], walker: Walker): void {
  if (count >= LIMITS.alternatives)
    walker.gap('too_many_steps', span, `The command "${name}" has too many possible meanings`);
}

/** From the first of several words to the end of the last. */
export function spanOf(argv: readonly Arg[]): Call['span'] {
  const first = argv[0]?.span ?? { start: 0, end: 0 };
  return { start: first.start, end: Math.max(first.end, argv.at(-1)?.span.end ?? 0) };
}

/** Shells expand aliases only when they are interactive: both readings are listed. */
export function runAlias(head: Arg, argv: readonly Arg[], place: Place, walker: Walker): void {
  const name = knownText(head.word);
  // In its own text an alias is not one, in what that text runs it is.
  const around = place.via.slice(place.via.findLastIndex(({ kind }) => kind !== 'alias') + 1);
  if (name === undefined || around.some((via) => via.name === name)) return;
  const via: readonly Via[] = [...place.via, { kind: 'alias', name }];
  const texts = aliasesOf(place.scope, name);
  noteManyMeanings(name, texts.length, spanOf(argv), walker);
  const [, next] = argv;
  const isNextAlias = aliasesOf(place.scope, knownText(next?.word ?? EMPTY_WORD) ?? '').length > 0;
  for (const text of texts) {
    // Behind a blank at its end the next word may be an alias too.
    if (text.includes('<<') || (isNextAlias && /\s$/.test(text)))
      walker.gap('syntax', spanOf(argv), `Cannot read what follows the alias "${name}"`);
    let script: Word = textWord(text);
    for (const arg of argv.slice(1)) script = joinWords(joinWords(script, textWord(' ')), quoted(arg.word));
    walker.runScript({ word: script, span: spanOf(argv), at: undefined }, { ...place, via });
  }
}

/** A word as it must be written in a script to stay one word. */
function quoted(word: Word): Word {
  const known = knownText(word);
  return known === undefined ? word : textWord(`'${known.replaceAll("'", "'\\''")}'`);
}
