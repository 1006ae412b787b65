import { effectUrl } from '../reading/effect-url.ts';
import type { NetworkEffect, ReadCommand, Reading } from '../reading/reading.ts';
import type { ReadUrl } from '../reading/url.ts';
import { knownText, type Word } from '../reading/word.ts';
import { type SentWord, wordsPrintedBy, wordsSentTo } from './sent-words.ts';

/** A token on its way. */
interface SentToken {
  /** Whose it is, if that is known. */
  readonly owner: string | undefined;
  readonly variable: string | undefined;
  /** Does it stand where tokens are used: in a header, as a password, as the value of `token=`? */
  readonly asToken: boolean;
}

/** Does a command send a token to a place that is not the token's own? */
export function sendsForeignToken(
  effect: NetworkEffect,
  url: ReadUrl,
  command: ReadCommand,
  reading: Reading,
): boolean {
  const host = publicHost(url);
  if (host === undefined) return false;
  const words = wordsSentTo(effect, command, reading);
  const inCode = words.some(({ as }) => as === 'code');
  const others = inCode ? command.effects.flatMap((each) => hostsOf(each)) : [];
  return words.some(({ word, as }) =>
    tokensIn({ word, as }, reading, 0).some(
      (token) =>
        isForeign(token, host) && !(as === 'code' && others.some((other) => !isForeign(token, other))),
    ),
  );
}

/** The same for a tool that is given an address, among other texts. */
export function textsHoldForeignToken(
  url: ReadUrl,
  texts: readonly string[],
  others: readonly ReadUrl[],
): boolean {
  const host = publicHost(url);
  if (host === undefined) return false;
  const hosts = others.flatMap((each) => publicHost(each) ?? []);
  return texts.flatMap(ownersOf).some((owner) => {
    const token = { owner, variable: undefined, asToken: true };
    return isForeign(token, host) && hosts.every((each) => isForeign(token, each));
  });
}

function hostsOf(effect: ReadCommand['effects'][number]): readonly string[] {
  const url = effect.type === 'network' ? effectUrl(effect) : undefined;
  return url === undefined ? [] : [publicHost(url) ?? []].flat();
}

function isForeign({ owner, variable, asToken }: SentToken, host: string): boolean {
  const { isNamedAfter, isOwnHost } = owners();
  if (owner !== undefined) return !isOwnHost(owner, host);
  return !asToken && !(variable !== undefined && isNamedAfter(host, variable));
}

/** Names that no public server has: those of a network here, or of the containers beside this one. */
const NEAR = /^[^.]*$|\.(?:test|intranet|lan|home|corp|svc|invalid)$/;

/** A host by its name, or by the end of it if the rest is not known; undefined for one that is near or not known. */
function publicHost({ host, address }: ReadUrl): string | undefined {
  const known = knownText(host);
  if (known !== undefined)
    return address === 'public' || (address === 'name' && !NEAR.test(known)) ? known : undefined;
  const last = host.at(-1);
  const end = last?.type === 'text' ? /\.([^.]+\..+)$/.exec(last.text)?.[1] : undefined;
  return end === undefined || NEAR.test(end) ? undefined : end;
}

/** How far what was printed is followed back. */
const MAX_DEPTH = 4;

function tokensIn({ word, as }: SentWord, reading: Reading, depth: number): readonly SentToken[] {
  const tokens: SentToken[] = [];
  word.forEach((part, index) => {
    if (part.type === 'text') {
      for (const owner of ownersOf(part.text)) tokens.push({ owner, variable: undefined, asToken: true });
      if (as === 'code') tokens.push(...tokensInCode(part.text));
      return;
    }
    if (part.type !== 'unknown') return;
    const asToken = as === 'login' || isTokenPlace(word, index);
    const variable = part.variable ?? /^\$\{?[!#]?([A-Za-z_]\w*)/.exec(part.source)?.[1];
    const isLength = part.source.startsWith('${#');
    if (variable !== undefined && !isLength) tokens.push(...tokenOf(variable, asToken || as === 'code'));
    if (part.printer === undefined || depth >= MAX_DEPTH) return;
    for (const printed of wordsPrintedBy(part.printer, reading))
      for (const token of tokensIn(printed, reading, depth + 1))
        tokens.push({ ...token, asToken: token.asToken || asToken });
  });
  return tokens;
}

function tokenOf(variable: string, asToken: boolean): readonly SentToken[] {
  // Names of variables are short, and few are those of tokens.
  if (!/tok|sec|pas|pwd|key|cred|auth|pat$|pat_|psw/i.test(variable)) return [];
  const { isTokenVariable, ownerOfVariable } = owners();
  return isTokenVariable(variable) ? [{ owner: ownerOfVariable(variable), variable, asToken }] : [];
}

/** Where inline code takes a variable from its environment. */
const FROM_ENVIRONMENT =
  /(?:environ(?:\.get)?|getenv|\benv(?:\.get)?|\bENV(?:\.fetch)?|\$_(?:ENV|SERVER))\s*[.([{]+\s*["'`]?([A-Za-z_]\w*)/g;
/** Code with this in it has a use for a token. */
const USES_TOKENS =
  /header|auth|bearer|cookie|login|api[-_]?key["']?\s*[:=]|token["']?\s*[:=]|password["']?\s*[:=]/i;

function tokensInCode(code: string): readonly SentToken[] {
  const asToken = USES_TOKENS.test(code);
  return [...code.matchAll(FROM_ENVIRONMENT)].flatMap(([, name = '']) => tokenOf(name, asToken));
}

const PARAMETER = /([\w.-]+)["'\\\]]*\s*(?::=|==|=|:)\s*["'\\]*(?:(?:Bearer|Basic|Token|token|Bot)\s+)?$/;
const OTHER_PARAMETER = /^(?:key|app_?id|code|jwt|sig(?:nature)?|assertion|refresh|auth)$/i;

/** Does a part stand where a token is expected: before the `@` of a URL, behind `token=`? */
function isTokenPlace(word: Word, index: number): boolean {
  const before = shown(word.slice(0, index));
  if (/^[a-z][\w+.-]*:\/\/[^/?#]*$/i.test(before)) return /^[^/?#]*@/.test(shown(word.slice(index + 1)));
  if (/\btelegram\.org\/(?:file\/)?bot$/.test(before)) return true;
  const name = PARAMETER.exec(before)?.[1];
  if (name === undefined) return false;
  const { isSecretHeader, isSecretOption } = names();
  return OTHER_PARAMETER.test(name) || isSecretOption(name) || isSecretHeader(name);
}

function shown(word: Word): string {
  return word.map((part) => (part.type === 'text' ? part.text : '…')).join('');
}

/** Whose tokens a text holds; the finders are loaded for a text that may hold one. */
function ownersOf(text: string): readonly string[] {
  if (!/[\w-]{16}/.test(text)) return [];
  const { mayHoldSecret } =
    require('../secrets/redact-secrets.ts') as typeof import('../secrets/redact-secrets.ts');
  if (!mayHoldSecret(text)) return [];
  const { ownersIn } = require('../secrets/detectors.ts') as typeof import('../secrets/detectors.ts');
  return ownersIn(text);
}

function owners(): typeof import('../secrets/token-owner.ts') {
  return require('../secrets/token-owner.ts') as typeof import('../secrets/token-owner.ts');
}

function names(): typeof import('../secrets/secret-name.ts') {
  return require('../secrets/secret-name.ts') as typeof import('../secrets/secret-name.ts');
}
