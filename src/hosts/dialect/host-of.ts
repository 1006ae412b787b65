import type { JsonObject } from '../../lib/json.ts';
import type { HookStart } from '../clean-start.ts';
import type { Host } from '../host.ts';
import { decodeWith } from './decode.ts';
import type { Dialect, HookEntry } from './dialect.ts';
import { encodeWith, refuseWith } from './encode.ts';
import { hookLine } from './hook-line.ts';
import { supportsOf } from './support.ts';

export function hostOf(dialect: Dialect): Host {
  const {
    name,
    title,
    facts,
    timeoutS = 60,
    events,
    tools,
    guards,
    recognise,
    hook = {},
    installation,
  } = dialect;
  // Made when first asked for: most calls pass without it.
  let supports: ReturnType<Host['supports']> | undefined;
  const host: Host = {
    name,
    title,
    facts,
    framing: 'document',
    timeoutS: () => timeoutS,
    versions: [],
    events,
    supports: () => {
      supports ??= supportsOf(dialect.everywhere, dialect.supports);
      return supports;
    },
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
      return composeIn(dialect, host.supports(undefined))(call);
    },
    hookConfiguration: typeof hook === 'function' ? hook : (start) => entryOf(name, timeoutS, hook, start),
    installation: async () => {
      const how = typeof installation === 'function' ? await installation() : installation;
      if (typeof how === 'function') return how(host);
      const { hooksInGroups } = await import('../hook-groups.ts');
      return hooksInGroups(host, how);
    },
    ...(dialect.sessions === undefined ? {} : { sessions: dialect.sessions }),
  };
  return host;
}

function entryOf(
  name: string,
  timeout: number,
  { untyped, beside = { timeout }, ...shell }: HookEntry,
  start: HookStart,
): JsonObject {
  return { ...(untyped ? {} : { type: 'command' }), command: hookLine(name, start, shell), ...beside };
}
