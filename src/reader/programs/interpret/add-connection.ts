import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import type { Span } from '../../reading/reading.ts';
import { isDetermined, joinWords, leadingText, textWord, type Word } from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import type { Call } from '../../shell/scope/interpreter.ts';

/** Adds the place that a database client connects to: a URL, or settings such as `host=h port=5432 dbname=d`. */
export function addConnection(word: Word, scheme: string, call: Call, span: Span): void {
  const lead = leadingText(word);
  const reach = (place: Word) => addPlace(call.command, 'connect', place, scheme, span);
  if (/^[a-z][a-z0-9+]+:\/\//i.test(lead) || (lead === '' && !isDetermined(word))) {
    reach(word);
    return;
  }
  const { text, placeholders } = withPlaceholders(word);
  const port = /(?:^|\s)port\s*=\s*'?(\w+)/.exec(text)?.[1];
  for (const [whole] of text.matchAll(/(?:^|\s)host(?:addr)?\s*=\s*(?:'[^']*'|[^\s']*)/g)) {
    const host = whole.replace(/^[^=]*=\s*/, '').replaceAll("'", '');
    // A folder holds the socket of a server here.
    if (host === '' || host.startsWith('/')) continue;
    const behind = port === undefined ? [] : joinWords(textWord(':'), fillPlaceholders(port, placeholders));
    reach(joinWords(fillPlaceholders(host, placeholders), behind));
  }
}
