import type { Host } from '../host.ts';
import { decodeWith } from './decode.ts';
import type { Dialect } from './dialect.ts';
import { encodeWith, refuseWith } from './encode.ts';

/** The host that speaks this dialect. */
export function hostOf(dialect: Dialect): Host {
  const { name, title, facts, timeoutS, events, tools, guards, recognise, supports } = dialect;
  const host: Host = {
    name,
    title,
    facts,
    framing: 'document',
    timeoutS: () => timeoutS,
    versions: [],
    events,
    supports: () => supports,
    tools,
    results: dialect.results,
    ...(dialect.resultOf === undefined ? {} : { resultOf: dialect.resultOf }),
    guards,
    recognise,
    decode: decodeWith(dialect),
    encode: encodeWith(dialect),
    refuse: refuseWith(dialect),
    // Only tests and examples send messages of their own.
    compose: (call) => {
      const { composeIn } = require('./compose.ts') as typeof import('./compose.ts');
      return composeIn(dialect)(call);
    },
    hookConfiguration: dialect.hookConfiguration,
    installation: async () => (await dialect.installation())(host),
    ...(dialect.sessions === undefined ? {} : { sessions: dialect.sessions }),
  };
  return host;
}
