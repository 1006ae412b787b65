import type { NetworkEffect, ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { effectUrl, findUrls, type ReadUrl, readUrl } from '../../../reader/reading/url.ts';
import { knownText, showWord, textWord, type Word } from '../../../reader/reading/word.ts';
import { mayHoldSecret } from '../../../reader/secrets/redact-secrets.ts';
import { isSecretHeader, isSecretOption } from '../../../reader/secrets/secret-name.ts';
import { isInlineCode, type SentWord, wordsPrintedBy, wordsSentTo } from './sent-words.ts';

interface SentToken {
  /** The service that issued the token, if that is known. */
  readonly owner: string | undefined;
  readonly variable: string | undefined;
  /** True if it takes the place of a token: in a header, as a password, as the value of `token=`. */
  readonly asToken: boolean;
}

/** True if a command sends a token to a place that is not the token's own. */
export function sendsForeignToken(
  effect: NetworkEffect,
  url: ReadUrl,
  command: ReadCommand,
  reading: Reading,
): boolean {
  const host = publicHost(url);
  if (host === undefined && !isInlineCode(command)) return false;
  const words = wordsSentTo(effect, command, reading);
  const code = words.filter(({ as }) => as === 'code');
  // Code often puts its address together out of sight, as with `Request(url)`: the places that it names are meant.
  const others = host === undefined ? hostsNamedIn(code) : code.length > 0 ? hostsOf(command) : [];
  const hosts = [...(host === undefined ? [] : [host]), ...others];
  if (hosts.length === 0) return false;
  return words.some((word) =>
    tokensIn(word, reading, 0).some((token) => hosts.every((each) => isForeign(token, each))),
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
  const held = texts
    .flatMap(ownersOf)
    .map((owner): SentToken => ({ owner, variable: undefined, asToken: true }));
  return [...held, ...texts.flatMap(tokensFilledIn)].some(
    (token) => isForeign(token, host) && hosts.every((each) => isForeign(token, each)),
  );
}

/** A variable that a tool may fill in: all of a value, as in `Bearer ${TOKEN}`, or a part of an address. */
const FILLED_IN =
  /^(?:(?:Bearer|Basic|[Tt]oken|Bot) +|https?:\/\/\S*)?(?:\$\{?|\{\{ ?|%)(?:env[.:])?([A-Za-z_]\w*)/;

function tokensFilledIn(text: string): readonly SentToken[] {
  const name = FILLED_IN.exec(text)?.[1];
  return name === undefined ? [] : tokenOf(name, true);
}

function hostsNamedIn(code: readonly SentWord[]): readonly string[] {
  return code.flatMap(({ word }) =>
    findUrls(showWord(word)).flatMap((text) => hostIn(readUrl(textWord(text), 'https'))),
  );
}

function hostsOf({ effects }: ReadCommand): readonly string[] {
  return effects.flatMap((effect) => (effect.type === 'network' ? hostIn(effectUrl(effect)) : []));
}

function hostIn(url: ReadUrl | undefined): readonly string[] {
  const host = url === undefined ? undefined : publicHost(url);
  return host === undefined ? [] : [host];
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
  const end = last?.type === 'text' ? /\.([^.]+\..+)$/s.exec(last.text)?.[1] : undefined;
  return end === undefined || NEAR.test(end) ? undefined : end;
}

/** The number of steps by which output is followed back. */
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
    const variable = variableIn(word, index);
    const isLength = part.source.startsWith('${#');
    if (variable !== undefined && !isLength) tokens.push(...tokenOf(variable, asToken || as === 'code'));
    if (part.printer === undefined || depth >= MAX_DEPTH) return;
    for (const printed of wordsPrintedBy(part.printer, reading))
      for (const token of tokensIn(printed, reading, depth + 1))
        tokens.push({ ...token, asToken: token.asToken || asToken });
  });
  return tokens;
}

/** The variable behind a part; PowerShell's are written `$env:NAME`. */
function variableIn(word: Word, index: number): string | undefined {
  const part = word[index];
  if (part?.type !== 'unknown') return undefined;
  const name = part.variable ?? /^\$\{?[!#]?([A-Za-z_]\w*)/.exec(part.source)?.[1];
  const next = word[index + 1];
  if (name !== 'env' || next?.type !== 'text') return name;
  return /^:([A-Za-z_]\w*)/.exec(next.text)?.[1] ?? name;
}

function tokenOf(variable: string, asToken: boolean): readonly SentToken[] {
  // Names of variables are short, and few are those of tokens.
  if (!/tok|sec|pas|pwd|key|cred|auth|pat$|pat_|psw|ur[li]$/i.test(variable)) return [];
  const { isTokenVariable, ownerOfVariable } = owners();
  return isTokenVariable(variable) ? [{ owner: ownerOfVariable(variable), variable, asToken }] : [];
}

/** The places in inline code that take a variable from the environment. */
const FROM_ENVIRONMENT =
  /(?:environ(?:\.get)?|getenv|\benv(?:\.get)?|\bENV(?:\.fetch)?|\$_(?:ENV|SERVER))\s*[.([{]+\s*["'`]?([A-Za-z_]\w*)/g;
/** Code with this in it has a use for a token. */
const USES_TOKENS =
  /header|auth|bearer|cookie|login|api[-_]?key["']?\s*[:=]|token["']?\s*[:=]|password["']?\s*[:=]/i;

/** `const {TOKEN, OTHER} = process.env`. */
const OUT_OF_ENVIRONMENT = /\{([\w\s,:]{1,500})\}\s*=\s*(?:process|Bun|import\.meta)\.env\b/g;

function tokensInCode(code: string): readonly SentToken[] {
  const asToken = USES_TOKENS.test(code);
  const names = [...code.matchAll(FROM_ENVIRONMENT)].map(([, name = '']) => name);
  const taken = [...code.matchAll(OUT_OF_ENVIRONMENT)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []);
  return [...names, ...taken].flatMap((name) => tokenOf(name, asToken));
}

const PARAMETER =
  /(?<![\w.-])([\w.-]+)["'\\\]]*\s*(?::=|==|=|:)\s*["'\\]*(?:(?:Bearer|Basic|Token|token|Bot)\s+)?$/;
const OTHER_PARAMETER = /^(?:key|app_?id|code|jwt|sig(?:nature)?|assertion|refresh|auth)$/i;

/** True if a part takes the place of a token: before the `@` of a URL, behind `token=`. */
function isTokenPlace(word: Word, index: number): boolean {
  const before = shown(word.slice(0, index));
  if (/^[a-z][\w+.-]*:\/\/[^/?#]*$/i.test(before)) return /^[^/?#]*@/.test(shown(word.slice(index + 1)));
  if (/\btelegram\.org\/(?:file\/)?bot$/.test(before)) return true;
  const name = PARAMETER.exec(before)?.[1];
  if (name === undefined) return false;
  return OTHER_PARAMETER.test(name) || isSecretOption(name) || isSecretHeader(name);
}

function shown(word: Word): string {
  return word.map((part) => (part.type === 'text' ? part.text : '…')).join('');
}

/** The services that issued the tokens in a text; the finders are loaded for a text that may hold one. */
function ownersOf(text: string): readonly string[] {
  if (!/[\w-]{16}/.test(text)) return [];
  if (!mayHoldSecret(text)) return [];
  const { ownersIn } =
    require('../../../reader/secrets/detectors.ts') as typeof import('../../../reader/secrets/detectors.ts');
  return ownersIn(text);
}

function owners(): typeof import('../../../reader/secrets/token-owner.ts') {
  return require('../../../reader/secrets/token-owner.ts') as typeof import('../../../reader/secrets/token-owner.ts');
}
