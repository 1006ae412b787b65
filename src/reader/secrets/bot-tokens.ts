import { dottedTokenFrom } from './dotted-token.ts';
import type { SecretFinder, SecretSpan } from './secret-span.ts';

/** Tokens that begin with too little to be looked for. */
export const BOT_TOKENS: readonly SecretFinder[] = [
  { literals: [':aa'], find: findTelegramTokens },
  { literals: [], find: findDottedTokens },
];

/** `8123456789:AA...`, of a bot of Telegram. */
function findTelegramTokens(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const token = /:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/y;
  for (let at = text.indexOf(':AA'); at !== -1; at = text.indexOf(':AA', at + 1)) {
    token.lastIndex = at;
    const digits = /(?:^|\D)(\d{8,10})$/.exec(text.slice(Math.max(0, at - 11), at))?.[1];
    if (digits !== undefined && token.test(text))
      spans.push({ start: at - digits.length, end: token.lastIndex });
  }
  return spans;
}

/** A bot's of Discord: three parts, of which the first is a number in base64. */
function findDottedTokens(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const token = /[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])/y;
  for (let at = dottedTokenFrom(text, 0); at !== -1; at = dottedTokenFrom(text, at + 1)) {
    for (let start = at - 23; start >= Math.max(0, at - 29); start -= 1) {
      if (/[A-Za-z0-9_-]/.test(text.charAt(start - 1))) continue;
      token.lastIndex = start;
      if (token.test(text)) spans.push({ start, end: token.lastIndex });
      break;
    }
  }
  return spans;
}
