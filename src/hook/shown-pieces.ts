import { fingerprintsOf } from '../lib/fingerprints.ts';
import type { Event } from '../model/event.ts';
import type { MetFact } from '../model/history.ts';
import { mayHoldSecret, redactSecrets } from '../reader/secrets/redact-secrets.ts';

/** All private keys have these lines, so they give nothing away. */
const HEADER = /^-----(?:BEGIN|END) [^-]*-----\s*$/;

/** Fingerprints of a result for each fact of its call. Of a large read, only lines with a secret count. */
export function shownPieces(
  event: Event,
  met: readonly Pick<MetFact, 'fact' | 'met'>[],
): ReadonlyMap<string, readonly bigint[]> {
  const lines = event.texts.flatMap(({ text }) => text.split('\n')).filter((line) => !HEADER.test(line));
  const all = once(() => fingerprintsOf(lines.join('\n')));
  const secret = once(() => fingerprintsOf(lines.filter(holdsSecret).join('\n')));
  return new Map(met.map(({ fact, met: isCertain }) => [fact, isCertain ? all() : secret()]));
}

function holdsSecret(line: string): boolean {
  return mayHoldSecret(line) && redactSecrets(line).text !== line;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
