import { isAscii } from '../../lib/characters.ts';
import { scalarsIn } from '../../lib/json-path.ts';
import type { Event } from '../../model/event.ts';
import type { Literals } from '../../model/policy.ts';
import type { MayContain } from '../keys/call-needs.ts';
import { isUnreadable, mayBeRounded, testedArguments } from './event-scalars.ts';

/** One text for each scope of literals: a literal that only a seam makes up is found for nothing. */
export type Texts = Readonly<Record<Literals['scope'], FoldableText>>;

interface FoldableText {
  readonly text: string;
  readonly lower: string;
  readonly ascii: boolean;
  /** True if it holds a number of which not all digits are known. */
  readonly rounded: boolean;
}

export function textsOf(event: Event): Texts {
  return {
    arguments: foldable(scalarsIn(testedArguments(event))),
    texts: foldable(event.texts.map(({ text }) => text)),
  };
}

function foldable(parts: readonly string[]): FoldableText {
  const text = parts.length === 1 ? (parts[0] ?? '') : parts.join('\n');
  return { text, lower: text.toLowerCase(), ascii: isAscii(text), rounded: parts.some(mayBeRounded) };
}

function mayContain({ text, lower, ascii }: FoldableText, { anyOf, fold }: Literals): boolean {
  // Outside ASCII, case folding knows more pairs than toLowerCase (the Kelvin sign, the long s).
  if (fold && !ascii) return true;
  for (const literal of anyOf) if ((fold ? lower : text).includes(literal)) return true;
  return false;
}

/** Looks for strings in an event; an unreadable part may hold any. */
export function lookIn(event: Event, texts: Texts = textsOf(event)): MayContain {
  const readable = !isUnreadable(event) && !texts.arguments.rounded;
  return (literals) => !readable || mayContain(texts[literals.scope], literals);
}

/** The same, of texts that are looked at when something is first asked of them. */
export function lazyLookup(event: Event): MayContain {
  let look: MayContain | undefined;
  return (literals) => {
    look ??= lookIn(event);
    return look(literals);
  };
}
