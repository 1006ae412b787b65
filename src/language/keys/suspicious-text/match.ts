import type { Json } from '../../../lib/json.ts';
import { mayBeSuspicious } from '../../../lib/may-be-suspicious.ts';
import { LIST } from '../../../lib/schema-parts.ts';
import { TOOL_EVENTS, type ToolCall } from '../../../model/event.ts';
import { TRAITS } from '../call/traits.ts';
import type { Matcher } from '../matcher.ts';
import { executedTexts } from './executed-texts.ts';

/**
 * The kinds of text that reads differently from its characters. `control`: NUL and other control characters but tab and line
 * ends; `surrogate`: half a character; `bidi`: marks that change the direction in which the text is shown; `invisible`:
 * characters of no width; `look_alike`: letters of other alphabets inside words of ASCII letters, and characters that replace
 * ASCII ones in another width or style.
 */
export const SUSPICIONS = ['control', 'surrogate', 'bidi', 'invisible', 'look_alike'] as const;
type Suspicion = (typeof SUSPICIONS)[number];

const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;
const SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** The joiners are letters' and emojis' own business, unless they are beside plain text. */
const INVISIBLE =
  /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]|[\x20-\x7e][\u200c\u200d]|[\u200c\u200d][\x20-\x7e]|\udb40[\udc00-\udc7f]/;
/** Fullwidth letters and digits, mathematical letters, and marks that look like a slash or a dot. */
const STYLED = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2044\u2215\u29f8\u2024]|\ud835[\udc00-\udfff]/;
/** Other fullwidth forms, which are the usual signs in a text with letters that are as wide. */
const WIDE_SIGN = /[\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e]/;
const WIDE_LETTER = /[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;
/** Cyrillic and Greek letters that look like ASCII ones; the letter of an escape such as `\n` is no part of a word. */
const TWINS = 'аеорсухіјѕһԁԛԝёАВЕЅІЈКМНОРСТУХαικνορυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const MIXED = new RegExp(`(?<!\\\\)[A-Za-z][${TWINS}]|[${TWINS}][A-Za-z]`);

const kind = { type: 'string', enum: SUSPICIONS } as const;

/** Tests for text that reads differently from its characters. */
export const suspiciousText = {
  key: 'suspicious_text',
  summary: 'The command, path or URL of the call holds characters that disguise it',
  schema: {
    anyOf: [
      { const: true, description: 'Any of them' },
      { ...kind, description: 'Only these' },
      { ...LIST, items: kind, description: 'Only these' },
    ],
  },
  narrows: true,
  steady: true,
  events: TOOL_EVENTS,
  needs: () => [{ traits: [TRAITS.odd] }],
  compile: (spec) => {
    const wanted = kindsIn(spec);
    return ({ event }) => {
      const call = event.tool;
      if (call === undefined) return false;
      if (call.arguments === undefined) return 'unknown';
      if (suspicionsOf(call).some((found) => wanted.has(found))) return true;
      return call.unsure === true ? 'unknown' : false;
    };
  },
  seen: ({ event }) => (event.tool === undefined ? [] : suspicionsOf(event.tool)),
} as const satisfies Matcher;

/** The suspicions about the command, paths and URLs of a call, each kind once. */
export function suspicionsOf(call: ToolCall): readonly Suspicion[] {
  const found = new Set<Suspicion>();
  for (const text of executedTexts(call)) for (const suspicion of suspicionsIn(text)) found.add(suspicion);
  return [...found];
}

function kindsIn(spec: Json): ReadonlySet<unknown> {
  if (spec === true) return new Set(SUSPICIONS);
  return new Set(Array.isArray(spec) ? spec : [spec]);
}

/** Finds each kind of suspicious characters in a text, in linear time. */
function suspicionsIn(text: string): readonly Suspicion[] {
  if (!mayBeSuspicious(text)) return [];
  const found: Suspicion[] = [];
  if (CONTROL.test(text)) found.push('control');
  if (SURROGATE.test(text)) found.push('surrogate');
  if (BIDI.test(text)) found.push('bidi');
  if (INVISIBLE.test(text)) found.push('invisible');
  const isOddSign = WIDE_SIGN.test(text) && !WIDE_LETTER.test(text);
  if (STYLED.test(text) || isOddSign || MIXED.test(text)) found.push('look_alike');
  return found;
}
