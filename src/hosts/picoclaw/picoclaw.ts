import { type Json, type JsonObject, own, ownObject } from '../../lib/json.ts';
import type { RespondResult } from '../../model/decision.ts';
import type { EventKind, Subject } from '../../model/event.ts';
import { CLEAN_ENVIRONMENT, type HookStart, isOfWindows, passedOn } from '../clean-start.ts';
import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';
import { compose } from './compose.ts';
import { typeMismatchAt } from './field-types.ts';
import { VERSIONS, versionOf } from './generation.ts';
import { NOTIFICATION_KINDS } from './notification.ts';
import { approvalFollows, decode, encode, METHODS, refuse, salvage } from './protocol.ts';
import { supports } from './supports.ts';
import { TOOLS } from './tools.ts';
import { recallVerdict, rememberVerdict } from './verdict.ts';

/** PicoClaw and the agents that speak its hook protocol: JSON-RPC, one message a line, one process for all events. */
export const picoclaw = {
  name: 'picoclaw',
  title: 'PicoClaw',
  facts: 'measured on 0.2.9',
  framing: 'lines',
  timeoutS: (kind) => (kind === 'approve_tool' ? 60 : 5),
  versions: VERSIONS,
  events: {
    ...Object.fromEntries(Object.entries(METHODS).map(([name, { kind }]) => [name, kind] as const)),
    ...NOTIFICATION_KINDS,
    'hook.event': 'notification',
    'hook.runtime_event': 'notification',
  },
  supports,
  versionOf: (event, setting) => versionOf(event.raw, setting),
  tools: TOOLS,
  /** The form of PicoClaw's results. One call is under way in a turn at a time; calls have no ids. */
  results: {
    by: 'arguments',
    oneByOne: true,
    marks: [
      { at: ['result.async', 'arguments.background'], is: true, means: 'unknown' },
      { at: ['arguments.background'], is: /^true$/, means: 'unknown' },
      { of: 'shell', at: ['arguments.action'], is: /^(?!run$)/, means: 'unknown' },
      { at: ['result.is_error'], is: true, means: 'failed' },
      { at: ['result.is_error'], is: false, means: 'succeeded' },
    ],
  },
  resultOf,
  /** These files decide which hooks run, and with which rights PicoClaw works. */
  guards: {
    paths: ['~/.picoclaw/**', '**/.picoclaw/config.json'],
    notes: ['~/.picoclaw/workspace{,-*}/**'],
    moved: { $PICOCLAW_CONFIG: '~/.picoclaw/config.json', $PICOCLAW_HOME: '~/.picoclaw' },
    escapes: { programs: ['picoclaw'] },
  },
  recognise: (message) => Object.hasOwn(message, 'jsonrpc'),
  decode,
  encode,
  salvage,
  refuse,
  approvalFollows,
  recall: recallVerdict,
  remember: rememberVerdict,
  wrongType,
  compose,
  hookConfiguration,
  installation: async (): Promise<Installation> =>
    (await import('./installation.ts')).installationFor(picoclaw),
  sessions: async () => (await import('./sessions.ts')).sessions,
} as const satisfies Host;

function wrongType(kind: EventKind, path: readonly string[], value: Json): string | undefined {
  const method = Object.values(METHODS).find((each) => each.kind === kind);
  return method === undefined ? undefined : typeMismatchAt(method.type, path, value);
}

/** The fields of a result that an answer has as well; those of others are about how the tool ran. */
const ANSWERED = ['for_llm', 'for_user', 'silent', 'is_error', 'media', 'response_handled'] as const;

/** A result as the answer to a later call: the same text, media and flags. Work in the background has none yet. */
function resultOf(subject: Subject): RespondResult | undefined {
  const result = ownObject(subject, 'result');
  if (result === undefined || typeof own(result, 'for_llm') !== 'string' || own(result, 'async') === true)
    return undefined;
  const kept: JsonObject = Object.fromEntries(
    ANSWERED.flatMap((key) => {
      const value = own(result, key);
      return value === undefined || value === null ? [] : [[key, value]];
    }),
  );
  return kept as unknown as RespondResult;
}

/** No shell starts it, so the folders are written out. */
function hookConfiguration({
  program,
  home,
  variables = {},
  workspace,
  version,
  options = [],
}: HookStart): JsonObject {
  const named = version === undefined ? [] : ['--host-version', version];
  // No shell puts in the host's own values.
  const set = Object.entries(variables).flatMap(([name, value]) =>
    value === passedOn(name) ? [] : [`${name}=${value}`],
  );
  const hook = [program, 'hook', '--host', 'picoclaw', ...named];
  return {
    enabled: true,
    priority: -1000,
    transport: 'stdio',
    command: [
      // Windows has no program that takes the environment away.
      ...(isOfWindows({ program }) ? hook : [...CLEAN_ENVIRONMENT, `HOME=${home}`, ...set, ...hook]),
      ...['--workspace', workspace ?? `${home}/.picoclaw/workspace`],
      ...options,
    ],
  };
}
