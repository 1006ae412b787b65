import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import type { Span } from '../../reading/reading.ts';
import { isDetermined, joinWords, leadingText, textWord, type Word } from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import type { Call } from '../../shell/scope/walker.ts';

/** One setting: `name = value`, `name='a value'`. */
const SETTING = /(?:^|\s)(host|hostaddr|port)\s*=\s*('[^']*'|[^\s']*)/g;

const MAX_HOSTS = 16;

/** Adds where a database client is told to go: a URL, or settings such as `host=h port=5432 dbname=d`. */
export function addConnection(word: Word, scheme: string, call: Call, span: Span): void {
  const lead = leadingText(word);
  if (/^[a-z][a-z0-9+]+:\/\//i.test(lead) || (lead === '' && !isDetermined(word))) {
    addPlace(call.command, 'connect', word, scheme, span);
    return;
  }
  const { text, placeholders } = withPlaceholders(word);
  const settings = [...text.matchAll(SETTING)].map(
    ([, name = '', value = '']) => [name, value.replace(/^'|'$/g, '')] as const,
  );
  const port = settings.findLast(([name]) => name === 'port')?.[1];
  for (const [name, hosts] of settings) {
    if (name === 'port') continue;
    for (const host of hosts.split(',', MAX_HOSTS)) {
      // A folder holds the socket of a server here.
      if (host === '' || host.startsWith('/')) continue;
      const behind =
        port === undefined || port === ''
          ? textWord('')
          : joinWords(textWord(':'), fillPlaceholders(port, placeholders));
      addPlace(
        call.command,
        'connect',
        joinWords(fillPlaceholders(host, placeholders), behind),
        scheme,
        span,
      );
    }
  }
}
