import { stringsIn } from '../../../lib/json-path.ts';
import type { ToolCall } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { effectUrl, findUrls, type ReadUrl, readUrl } from '../../../reader/reading/url.ts';
import { knownText, showWord, textWord } from '../../../reader/reading/word.ts';
import { argumentValues } from '../arguments/values.ts';
import { oncePerEvent } from './once-per-event.ts';
import { NO_COMMANDS, type ShellText, shellTexts } from './shell-reading.ts';
import { TRAITS } from './traits.ts';

export interface CalledUrl extends ReadUrl {
  /** True if a token is sent there that belongs elsewhere. */
  readonly getsForeignToken?: () => boolean;
}

interface CallUrls {
  readonly urls: readonly CalledUrl[];
  readonly complete: boolean;
}

/** The URLs of a call, from fetch tools and shell commands. `complete` is false if there may be more. */
export const callUrls: (facts: Facts) => CallUrls = oncePerEvent((facts) => {
  const call = facts.event.tool;
  if (call === undefined) return { urls: [], complete: true };
  if (call.arguments === undefined) return { urls: [], complete: false };
  const { texts, complete } = shellTexts(facts) ?? NO_COMMANDS;
  return {
    urls: [...toolUrls(call), ...texts.flatMap(textUrls)],
    complete: complete && texts.every(isComplete),
  };
});

/** The paths of all of them in lower case, as any server reads them; undefined if not all are known. */
export function urlPaths(facts: Facts): readonly string[] | undefined {
  const { urls, complete } = callUrls(facts);
  const paths = urls.flatMap(({ path, lenientPath }) => [knownText(path), knownText(lenientPath)]);
  const known = paths.filter((path) => path !== undefined);
  // Outside of ASCII, letters fold in other ways.
  if (!complete || known.length < paths.length || !known.every(isAscii)) return undefined;
  return known.map((path) => path.toLowerCase());
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

function toolUrls(call: ToolCall): readonly CalledUrl[] {
  const urls = argumentUrls(call);
  return urls.map((url) => ({
    ...url,
    getsForeignToken: () =>
      foreignToken().textsHoldForeignToken(url, stringsIn(call.arguments ?? null), urls),
  }));
}

/** The URLs in the arguments of a call, `file:` included. */
export function argumentUrls(call: ToolCall): readonly ReadUrl[] {
  return argumentValues(call, ['url']).flatMap((value) =>
    (typeof value === 'string' ? [value] : stringsIn(value)).flatMap(urlsInText),
  );
}

function isComplete({ summary, reading }: ShellText): boolean {
  if (summary.hasGaps) return false;
  return (summary.traits & TRAITS.network) === 0 || !reading().commands.some(mayReachAnyHost);
}

function textUrls({ summary, reading }: ShellText): readonly CalledUrl[] {
  if ((summary.traits & TRAITS.network) === 0) return [];
  const read = reading();
  return read.commands.flatMap((command) => commandUrls(command, read));
}

export function commandUrls(command: ReadCommand, reading: Reading): readonly CalledUrl[] {
  return command.effects.flatMap((effect) => {
    if (effect.type !== 'network' || effect.use === 'listen') return [];
    const url = effectUrl(effect);
    if (url === undefined) return [];
    return [
      { ...url, getsForeignToken: () => foreignToken().sendsForeignToken(effect, url, command, reading) },
    ];
  });
}

export function shownUrl({ scheme, host, port, path }: ReadUrl): string {
  const place = `${showWord(host)}${port === undefined ? '' : `:${port}`}`;
  return `${scheme === undefined ? '' : `${scheme}://`}${place}${showWord(path)}`;
}

/** True if unknown words could make a command go to a place: `git $X`. */
export function mayReachAnyHost(command: ReadCommand): boolean {
  return command.openEnded && command.mayGoUnseen;
}

/** A URL, a bare host as fetch tools take it, or the URLs in a sentence. */
function urlsInText(text: string): readonly ReadUrl[] {
  const found = findUrls(text);
  const trimmed = text.trim();
  // Tabs and line ends inside a URL are passed over by those that fetch it.
  const whole = trimmed.replace(/[\t\r\n]/g, '');
  const isWhole = !/\s/.test(whole) && (found.length === 0 || whole !== trimmed);
  const candidates = isWhole ? [...found, whole] : found;
  return candidates.flatMap((candidate) => readUrl(textWord(candidate), 'https') ?? []);
}

/** Loaded with the first address that is asked for it. */
function foreignToken(): typeof import('../url/foreign-token.ts') {
  return require('../url/foreign-token.ts') as typeof import('../url/foreign-token.ts');
}
