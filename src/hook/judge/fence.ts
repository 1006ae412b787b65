import { redactSecrets } from '../../reader/secrets/redact-secrets.ts';

/** Characters that are invisible or look like others: controls, marks, tags, fillers, spaces, private ones and surrogate halves. */
const HIDDEN =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Longer texts are cut before they are looked at: no judge reads that much. */
const MAX_READ_CHARS = 2_000_000;

/** How a value is made fit to be shown to a judge. */
export interface FenceOptions {
  /** Secret detectors, none for no redaction. */
  readonly redact: readonly string[];
  /** The longest text that is shown whole, in UTF-16 units. */
  readonly maxChars: number;
}

/** A value that is fit to be shown, except for the marker around it. */
export interface FencedValue {
  /** One part, or the two ends of a text whose middle is left out. */
  readonly parts: readonly [string] | readonly [string, string];
  /** How many characters are left out. */
  readonly leftOut: number;
}

/** Redacts, shows hidden characters, and cuts the middle out of long values. */
export function fenceValue(text: string, { redact, maxChars }: FenceOptions): FencedValue {
  const early = cutMiddle(text, MAX_READ_CHARS);
  const safe = early.parts.map((part) => visible(redact.length === 0 ? part : withoutSecrets(part, redact)));
  const [head = '', tail] = safe;
  if (tail !== undefined) {
    const half = Math.floor(maxChars / 2);
    const shown = [start(head, half), end(tail, half)] as const;
    return {
      parts: shown,
      leftOut: early.leftOut + head.length + tail.length - shown[0].length - shown[1].length,
    };
  }
  return cutMiddle(head, maxChars);
}

/** Redacts secrets as they are written, and those that show once hidden characters are left out. */
function withoutSecrets(text: string, redact: readonly string[]): string {
  const open = redactSecrets(text, redact).text;
  if (PLAIN.test(open)) return open;
  const bare = open.replace(HIDDEN, '');
  const redacted = bare === open ? bare : redactSecrets(bare, redact).text;
  if (redacted === bare) return open;
  const before = equalStart(bare, redacted);
  const after = equalEnd(bare, redacted, before);
  const from = placeOf(open, before);
  const to = placeOf(open, bare.length - after);
  // Behind the secrets, so that the judge sees that something was hidden in and between them.
  const hidden = open.slice(from, to).match(HIDDEN)?.join('') ?? '';
  return open.slice(0, from) + redacted.slice(before, redacted.length - after) + hidden + open.slice(to);
}

function equalStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a.charCodeAt(count) === b.charCodeAt(count)) count += 1;
  return count;
}

/** @param before units at the start that are taken already */
function equalEnd(a: string, b: string, before: number): number {
  const most = Math.min(a.length, b.length) - before;
  let count = 0;
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count))
    count += 1;
  return count;
}

/** The index in a text after so many units that are not hidden. */
function placeOf(text: string, units: number): number {
  let hidden = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index - hidden >= units) break;
    hidden += character.length;
  }
  return units + hidden;
}

/** Nothing in it is hidden: most commands are so, and the other pattern takes a while to get ready. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function cutMiddle(text: string, maxChars: number): FencedValue {
  if (text.length <= maxChars) return { parts: [text], leftOut: 0 };
  const half = Math.floor(maxChars / 2);
  const parts = [start(text, half), end(text, half)] as const;
  return { parts, leftOut: text.length - parts[0].length - parts[1].length };
}

/** At most so many units from the start, never half a character. */
function start(text: string, units: number): string {
  const cut = text.slice(0, units);
  return isHighSurrogate(cut.charCodeAt(cut.length - 1)) && text.length > units ? cut.slice(0, -1) : cut;
}

function end(text: string, units: number): string {
  const cut = text.slice(Math.max(text.length - units, 0));
  return isLowSurrogate(cut.charCodeAt(0)) && text.length > units ? cut.slice(1) : cut;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
