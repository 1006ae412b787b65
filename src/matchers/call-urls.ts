import { stringsIn } from '../lib/json-path.ts';
import type { Facts } from '../model/facts.ts';
import type { ReadCommand } from '../reading/reading.ts';
import { findUrls, type ReadUrl, readRemotePath, readUrl } from '../reading/url.ts';
import { textWord } from '../reading/word.ts';
import { argumentValues } from './argument-values.ts';
import { shellReadings } from './shell-reading.ts';

/**
 * The URLs that a call talks to, in the arguments of fetch tools and in shell commands alike. `complete` is false if
 * there may be more.
 */
export function callUrls(facts: Facts): { readonly urls: readonly ReadUrl[]; readonly complete: boolean } {
  const call = facts.event.tool;
  if (call === undefined) return { urls: [], complete: true };
  const readings = shellReadings(facts);
  if (call.arguments === undefined || readings === 'unknown') return { urls: [], complete: false };
  const inArguments = argumentValues(call, ['url']).flatMap((value) =>
    (typeof value === 'string' ? [value] : stringsIn(value)).flatMap(urlsInText),
  );
  return {
    urls: [...inArguments, ...(readings ?? []).flatMap(({ commands }) => commands.flatMap(commandUrls))],
    complete: (readings ?? []).every(({ complete }) => complete),
  };
}

/** The URLs that one command talks to. */
export function commandUrls({ effects }: ReadCommand): readonly ReadUrl[] {
  return effects.flatMap((effect) => {
    if (effect.type !== 'network') return [];
    const url = readUrl(effect.target, effect.scheme) ?? readRemotePath(effect.target);
    return url === undefined ? [] : [url];
  });
}

/** A URL, a bare host as fetch tools take it, or the URLs in a sentence. */
function urlsInText(text: string): readonly ReadUrl[] {
  const found = findUrls(text);
  const candidates = found.length === 0 && !/\s/.test(text.trim()) ? [text.trim()] : found;
  return candidates.flatMap((candidate) => readUrl(textWord(candidate), 'https') ?? []);
}
