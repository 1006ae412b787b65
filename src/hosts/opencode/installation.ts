import { isJsonObject, type JsonObject, ownString, parseJson } from '../../lib/json.ts';
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
  programIn,
  REINSTALL,
  readBy,
} from '../installation.ts';
import { pluginHook, pluginText } from '../plugin/plugin-text.ts';
import code from './plugin.js.txt';

const GUARDING: readonly EventKind[] = ['session_start', 'before_tool', 'after_tool'];

/**
 * Plugins of OpenCode 1.18.33 (https://opencode.ai/docs/plugins). An error before a tool stops it, one after it replaces the
 * result. OpenCode goes on without a plugin that throws while it loads.
 */
export function installationFor(host: Host): Installation {
  const hookOf = (text: string | undefined): JsonObject | undefined => {
    const hook = hookIn(text ?? '');
    return hook !== undefined && programIn(ownString(hook, 'command') ?? '', host.name) !== undefined
      ? hook
      : undefined;
  };
  const pluginAt = (scope: 'user' | 'project', machine: Machine) =>
    guardPlace(
      `${scope === 'user' ? '~/.config/opencode' : '.opencode'}/plugins/policy.js`,
      machine,
      host.guards,
    );
  return {
    programs: ['opencode'],
    release: { newest: '1.18.33' },
    folder: (machine) => guardPlace('~/.config/opencode', machine, host.guards),
    guarding: GUARDING,
    places: (scope, machine) => (scope === 'system' ? [] : [pluginAt(scope, machine)]),
    edit(base, _current, { start, kinds }) {
      if (base !== undefined) throw new ConfigurationProblem('it is another plugin; move it away first');
      const events = askedEvents(host.events, GUARDING, kinds);
      return pluginText(code, { ...host.hookConfiguration(start), events });
    },
    strip: (text) => (hookOf(text) === undefined ? text : undefined),
    inspect(machine, files) {
      const found = (['user', 'project'] as const).flatMap((scope) => {
        const path = pluginAt(scope, machine);
        const text = readBy(path, files, (read) => read);
        const hook = hookOf(text);
        return text === undefined || hook === undefined ? [] : [{ path, text, hook }];
      });
      const hooks = found.map(({ path, hook }) => pluginHook(host.name, path, hook));
      return {
        hooks,
        findings: [
          ...found.flatMap(({ path, text, hook }) => changedFindings(path, text, hook)),
          ...hooks.flatMap((each) => lineFindings(each, host.timeoutS(undefined))),
        ],
      };
    },
    read: readExitCode,
  };
}

/** The hook that a plugin of ours starts. */
function hookIn(text: string): JsonObject | undefined {
  const [, json] = /^const HOOK = (\{.*\});$/m.exec(text) ?? [];
  const hook = parseJson(json ?? 'null');
  return isJsonObject(hook) ? hook : undefined;
}

/** The doctor starts the program that the plugin starts; only the text that we have written is certain to ask at all. */
function changedFindings(path: string, text: string, hook: JsonObject): readonly HookFinding[] {
  if (text === pluginText(code, hook)) return [];
  return [finding('plugin-changed', `${path} is not the plugin that policy install writes`, REINSTALL)];
}
