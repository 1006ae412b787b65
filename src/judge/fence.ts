import { redactSecrets } from '../lib/secret-detectors.ts';

/**
 * What a reader cannot see or takes for something else: controls, direction marks, zero-width characters, tags,
 * variation selectors, fillers, unusual spaces, private characters and halves of surrogate pairs. Line feeds and tabs
 * stay.
 */
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

/** Redacts, shows what is hidden, and cuts the middle out of what is too long. */
export function fenceValue(text: string, { redact, maxChars }: FenceOptions): FencedValue {
  const early = cutMiddle(text, MAX_READ_CHARS);
  const safe = early.parts.map((part) =>
    visible(redact.length === 0 ? part : redactSecrets(part, redact).text),
  );
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
