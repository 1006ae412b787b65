import { dirname } from 'node:path/posix';
import { asObject, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { EventKind } from '../../model/event.ts';
import { readExitCode } from '../dialect/read-exit-code.ts';
import { guardPlace } from '../guard-place.ts';
import type { Host } from '../host.ts';
import {
  askedEvents,
  type Files,
  finding,
  type HookFinding,
  type Installation,
  lineFindings,
  type Machine,
  note,
  programIn,
  REINSTALL,
  readBy,
} from '../installation.ts';
import { changeConfiguration, keepIfSame, parseConfiguration, withHolders } from '../json-configuration.ts';
import { pluginHook, pluginText } from '../plugin/plugin-text.ts';
import text from './plugin.js.txt';

const ID = 'policy-hook';
const ENTRY = ['plugins', 'entries', ID] as const;
const GUARDING: readonly EventKind[] = ['session_start', 'before_tool', 'after_tool'];
const DIALECT = { comments: true, json5: true } as const;

/** The plugin that is loaded; the configuration names the command that it starts. */
const BESIDE: Readonly<Record<string, string>> = {
  [`extensions/${ID}/index.js`]: pluginText(text, {}),
  [`extensions/${ID}/package.json`]: `${JSON.stringify({ name: ID, type: 'module', openclaw: { extensions: ['./index.js'] } })}\n`,
  [`extensions/${ID}/openclaw.plugin.json`]: `${JSON.stringify({ id: ID, activation: { onStartup: true }, configSchema: { type: 'object' } })}\n`,
};

/** A plugin of OpenClaw (https://docs.openclaw.ai/plugins/hooks) and the entry that enables it. A workspace is the agent's to write, so it has none. */
export function installationFor(host: Host): Installation {
  const settingsAt = (machine: Machine) => guardPlace('~/.openclaw/openclaw.json', machine, host.guards);
  const read = (current: string | undefined) => parseConfiguration(current, DIALECT);
  const hookOf = (settings: JsonObject): JsonObject | undefined => {
    const hook = ownObject(entryOf(settings), 'config');
    const line = hook === undefined ? '' : (ownString(hook, 'command') ?? '');
    return programIn(line, host.name) === undefined ? undefined : hook;
  };
  return {
    programs: ['openclaw'],
    release: { newest: '2026.9.6' },
    folder: (machine) => guardPlace('~/.openclaw', machine, host.guards),
    guarding: GUARDING,
    beside: BESIDE,
    places: (scope, machine) => (scope === 'user' ? [settingsAt(machine)] : []),
    edit(base, current, { start, kinds }) {
      const events = askedEvents(host.events, GUARDING, kinds);
      const value = { enabled: true, config: { ...host.hookConfiguration(start), events } };
      return keepIfSame(current, changeConfiguration(base, [{ path: [...ENTRY], value }], DIALECT), DIALECT);
    },
    strip(current) {
      const settings = read(current);
      if (hookOf(settings) === undefined) return current;
      const path = withHolders(settings, [...ENTRY]);
      return changeConfiguration(current, [{ path, value: undefined }], DIALECT);
    },
    inspect(machine, files) {
      const path = settingsAt(machine);
      const settings = readBy(path, files, read);
      const hook = hookOf(settings);
      if (hook === undefined) return { hooks: [], findings: [] };
      const installed = pluginHook(host.name, path, hook);
      return {
        hooks: [installed],
        findings: [
          ...changedFindings(dirname(path), files),
          ...disabledFindings(settings, path),
          ...unreadNotes(host, machine, settings, path),
          ...lineFindings(installed, host.timeoutS(undefined)),
        ],
      };
    },
    read: readExitCode,
  };
}

function entryOf(settings: JsonObject): JsonObject {
  return ENTRY.reduce<JsonObject>((value, key) => ownObject(value, key) ?? {}, settings);
}

/** That it asks at all is certain only of the text that we have written. */
function changedFindings(at: string, files: Files): readonly HookFinding[] {
  return Object.entries(BESIDE)
    .map(([name, wanted]) => [`${at}/${name}`, wanted] as const)
    .filter(([path, wanted]) => readBy(path, files, (there) => there) !== wanted)
    .map(([path]) =>
      finding('plugin-changed', `${path} is not the plugin that policy install writes`, REINSTALL),
    );
}

/** Settings that may be elsewhere as well. */
function unreadNotes(
  { guards, title }: Host,
  { env }: Machine,
  settings: JsonObject,
  path: string,
): readonly HookFinding[] {
  const unread = [
    ...(guards.escapes?.elsewhere ?? [])
      .filter((name) => (env[name] ?? '') !== '')
      .map((name) => `${name} may give ${title} other settings`),
    ...(JSON.stringify(settings).includes('"$include":') ? [`${path} includes other files`] : []),
  ];
  const fix = 'see that the plugin is not switched off there';
  return unread.map((what) => note('not-proven', `${what}, which are not read`, fix));
}

/** Lists and entries with which a person does without the plugin. */
function disabledFindings(settings: JsonObject, path: string): readonly HookFinding[] {
  const plugins = own(settings, 'plugins');
  const { enabled, allow, deny } = asObject(plugins);
  const off = [
    ...(enabled === false ? ['plugins.enabled is false'] : []),
    ...(own(entryOf(settings), 'enabled') !== true ? [`plugins.entries.${ID}.enabled is not true`] : []),
    ...(Array.isArray(deny) && deny.includes(ID) ? [`plugins.deny has ${ID}`] : []),
    ...(Array.isArray(allow) && !allow.includes(ID) ? [`plugins.allow lacks ${ID}`] : []),
  ];
  return off.map((what) =>
    finding(
      'hooks-off',
      `OpenClaw does not load the plugin: ${what} in ${path}`,
      'change it there, and start the gateway again',
    ),
  );
}
