import { stringsIn } from '../lib/json-path.ts';
import type { ToolCall } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import { effectUrl } from '../reading/effect-url.ts';
import type { ReadCommand } from '../reading/reading.ts';
import { findUrls, type ReadUrl, readUrl } from '../reading/url.ts';
import { showWord, textWord } from '../reading/word.ts';
import { argumentValues } from './argument-values.ts';
import { NO_COMMANDS, type ShellText, shellTexts } from './shell-reading.ts';
import { TRAITS } from './traits.ts';

/**
 * The URLs that a call talks to, in the arguments of fetch tools and in shell commands alike. `complete` is false if
 * there may be more.
 */
export function callUrls(facts: Facts): { readonly urls: readonly ReadUrl[]; readonly complete: boolean } {
  const call = facts.event.tool;
  if (call === undefined) return { urls: [], complete: true };
  if (call.arguments === undefined) return { urls: [], complete: false };
  const { texts, complete } = shellTexts(facts) ?? NO_COMMANDS;
  return {
    urls: [...argumentUrls(call), ...texts.flatMap(textUrls)],
    complete: complete && texts.every(isComplete),
  };
}

/** The URLs in the arguments of a call, `file:` included. */
export function argumentUrls(call: ToolCall): readonly ReadUrl[] {
  return argumentValues(call, ['url']).flatMap((value) =>
    (typeof value === 'string' ? [value] : stringsIn(value)).flatMap(urlsInText),
  );
}

function isComplete({ summary, reading }: ShellText): boolean {
  if (summary.hasGaps) return false;
  return (summary.traits & TRAITS.network) === 0 || !reading().commands.some(goesAnywhere);
}

function textUrls({ summary, reading }: ShellText): readonly ReadUrl[] {
  return (summary.traits & TRAITS.network) === 0 ? [] : reading().commands.flatMap(commandUrls);
}

/** The URLs that one command talks to. */
export function commandUrls({ effects }: ReadCommand): readonly ReadUrl[] {
  return effects.flatMap((effect) => {
    if (effect.type !== 'network' || effect.use === 'listen') return [];
    const url = effectUrl(effect);
    return url === undefined ? [] : [url];
  });
}

/** A URL for people. */
export function shownUrl({ scheme, host, port, path }: ReadUrl): string {
  const place = `${showWord(host)}${port === undefined ? '' : `:${port}`}`;
  return `${scheme === undefined ? '' : `${scheme}://`}${place}${showWord(path)}`;
}

/** Could words that are not known make a command go to a place: `git $X`? */
export function goesAnywhere(command: ReadCommand): boolean {
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
