import { type JsonObject, own } from '../../lib/json.ts';
import type { EventKind } from '../../model/event.ts';
import { ConfigurationProblem } from '../configuration-problem.ts';
import { readExitCode } from '../dialect/read-exit-code.ts';
import { guardPlace } from '../guard-place.ts';
import type { Host } from '../host.ts';
import {
  askedEvents,
  finding,
  type HookFinding,
  type Installation,
  lineFindings,
  type Machine,
  oncePerLine,
  programIn,
  REINSTALL,
  readBy,
  shellHook,
} from '../installation.ts';
import { type HookTable, hookTables, withoutTables } from './hook-tables.ts';

const GUARDING: readonly EventKind[] = ['before_tool'];
const USUAL_TIMEOUT_S = 30;
/** With any other key, and with one wrong value, it passes over all hooks of the file. */
const KEYS: readonly string[] = ['event', 'matcher', 'command', 'timeout'];
const OTHER_EVENTS: readonly string[] = [
  ...['PermissionRequest', 'PermissionResult', 'UserPromptQueued', 'TurnStarted', 'StopFailure', 'Interrupt'],
  ...['SessionHeartbeat', 'SubagentStart', 'SubagentStop', 'TaskStarted'],
];

/** The `[[hooks]]` of Kimi Code's configuration, as 2.1.0 reads them. */
export function installationFor(host: Host): Installation {
  const isOurs = ({ values }: HookTable) =>
    programIn(String(values['command'] ?? ''), host.name) !== undefined;
  const fileOf = (machine: Machine) => guardPlace('~/.kimi-code/config.toml', machine, host.guards);
  const ours = (text: string) => hookTables(text).filter(isOurs);
  return {
    programs: ['kimi'],
    release: { newest: '2.1.0' },
    guarding: GUARDING,
    folder: (machine) => guardPlace('~/.kimi-code', machine, host.guards),
    places: (scope, machine) => (scope === 'user' ? [fileOf(machine)] : []),
    edit(base = '', _current, { start, kinds }) {
      if (/^\s*["']?hooks["']?\s*=/m.test(base))
        throw new ConfigurationProblem('its "hooks" are a list; write each of them as [[hooks]] first');
      const tables = askedEvents(host.events, GUARDING, kinds).map((event) =>
        tableText({ event, ...host.hookConfiguration(start) }),
      );
      const text = base === '' || base.endsWith('\n') ? base : `${base}\n`;
      return [...(text === '' ? [] : [text]), ...tables].join('\n');
    },
    strip(text) {
      const stripped = withoutTables(text, ours(text));
      return stripped.trim() === '' ? undefined : stripped;
    },
    inspect(machine, files) {
      const path = fileOf(machine);
      const tables = hookTables(readBy(path, files, (text) => text ?? ''));
      const found = tables.filter(isOurs);
      const hooks = oncePerLine(
        found.map(({ values: { command, event, timeout = USUAL_TIMEOUT_S } }) =>
          shellHook(host.name, String(command), {
            path,
            events: [String(event)],
            timeoutMs: Number(timeout) * 1_000,
          }),
        ),
      );
      return {
        hooks,
        findings: [
          ...hooks.flatMap((each) => lineFindings(each, host.timeoutS(undefined))),
          ...tables.flatMap((table) => tableFindings(path, table, host.events)),
          ...found
            .filter(({ values }) => !['', '.*', undefined].includes(values['matcher'] as string | undefined))
            .map(({ values }) =>
              finding(
                'matcher',
                `${path} shows the hook only what matches "${values['matcher']}"`,
                REINSTALL,
              ),
            ),
        ],
      };
    },
    read: readExitCode,
  };
}

/** Finds faults for which it passes over all hooks. */
function tableFindings(path: string, { values }: HookTable, events: Host['events']): readonly HookFinding[] {
  const odd = Object.keys(values).find((key) => !KEYS.includes(key));
  const event = String(values['event']);
  const timeout = Number(values['timeout'] ?? USUAL_TIMEOUT_S);
  const why =
    odd !== undefined
      ? `the key "${odd}"`
      : !Object.hasOwn(events, event) && !OTHER_EVENTS.includes(event)
        ? `the event "${event}"`
        : !(timeout >= 1 && timeout <= 600)
          ? `the timeout ${timeout}`
          : undefined;
  if (why === undefined) return [];
  const message = `${path} has a hook with ${why}, for which Kimi Code passes over all hooks`;
  return [finding('unknown-key', message, 'take it out')];
}

function tableText(values: JsonObject): string {
  const lines = KEYS.filter((key) => own(values, key) !== undefined).map(
    (key) => `${key} = ${JSON.stringify(own(values, key))}\n`,
  );
  return `[[hooks]]\n${lines.join('')}`;
}
