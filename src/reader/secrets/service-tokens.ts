import { dottedTokenFrom } from './dotted-token.ts';
import { PREFIXED } from './prefixed-tokens.ts';
import type { SecretFinder, SecretSpan } from './secret-span.ts';
import { markedTokenFinder, tokenFinder } from './token-finder.ts';

/** Twilio's begin with too little to be looked for: each with its first digit. */
const TWILIO = Array.from({ length: 16 }, (_, digit) => `SK${digit.toString(16)}`);

export const SERVICE_TOKENS: readonly SecretFinder[] = [
  ...PREFIXED.map(([prefixes, pattern, owner]) => ({
    ...tokenFinder(prefixes.split(' '), () => new RegExp(pattern, 'y')),
    owner,
  })),
  tokenFinder(TWILIO, () => /SK[0-9a-f]{32}(?![A-Za-z0-9])/y),
  markedTokenFinder(['.atlasv1.'], 14, () => /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}/y),
  markedTokenFinder(['AzFu'], 44, () => /[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5,10}={0,2}/y),
  markedTokenFinder(['AzSe', '+ACR'], 42, () => /[A-Za-z0-9+/]{42}(?:AzSe|\+ACR)[A-Za-z0-9+/]{6,10}/y),
  tokenFinder(['pat'], () => /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/y),
  markedTokenFinder(['-us'], 32, () => /[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/y),
  tokenFinder(
    ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    () => /discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/([A-Za-z0-9_-]{30,120})/y,
  ),
  tokenFinder(['webhook.office.com/'], () => /webhook\.office\.com\/webhookb2\/([A-Za-z0-9@/_-]{60,300})/y),
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
