import type { SecretFinder, SecretSpan } from './secret-span.ts';

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/** The form of a line of a key: base64, or a header such as `DEK-Info: ...`; JSON text has `\n` for a line break. */
const BODY_LINE =
  /(?:\s|\\[nrt])*(?:[A-Za-z][A-Za-z-]{2,30}: [^\r\n\\]{1,200}|[A-Za-z0-9+/=]{1,200})(?=[ \t]{0,8}(?:[\r\n]|\\[nrt]|["'`]|$))/y;
const MAX_BLOCK_LENGTH = 65_536;

/** Finds private keys in PEM form, from their first line to their last, or as far as they go if they are cut off. */
export const PRIVATE_KEYS: SecretFinder = { literals: ['-----begin '], find: findPrivateKeys };

function findPrivateKeys(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let nextEnd = 0;
  for (let at = text.indexOf('-----BEGIN '); at !== -1; at = text.indexOf('-----BEGIN ', at + 1)) {
    BEGIN.lastIndex = at;
    if (!BEGIN.test(text)) continue;
    const body = BEGIN.lastIndex;
    // Kept from one block to the next, so that many blocks do not search the same text again.
    if (nextEnd !== -1 && nextEnd < body) nextEnd = text.indexOf('-----END ', body);
    END.lastIndex = nextEnd;
    const closes = nextEnd !== -1 && nextEnd - body <= MAX_BLOCK_LENGTH && END.test(text);
    const otherBegin = closes ? text.slice(body, nextEnd).includes('-----BEGIN ') : false;
    const end = closes && !otherBegin ? END.lastIndex : endOfLines(text, body);
    spans.push({ start: at, end });
    at = end - 1;
  }
  return spans;
}

function endOfLines(text: string, start: number): number {
  let end = start;
  BODY_LINE.lastIndex = start;
  while (BODY_LINE.test(text)) end = BODY_LINE.lastIndex;
  return end;
}
