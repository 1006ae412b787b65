import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import type { EventKind } from '../../model/event.ts';
import { ConfigurationProblem } from '../configuration-problem.ts';
import { readExitCode } from '../dialect/read-exit-code.ts';
import type { Host } from '../host.ts';
import {
  type Finding,
  finding,
  type Installation,
  lineFindings,
  type Machine,
  programIn,
  REINSTALL,
  readBy,
} from '../installation.ts';
import { pluginText } from '../plugin/plugin-text.ts';
import code from './plugin.js.txt';

const GUARDING: readonly EventKind[] = ['session_start', 'before_tool', 'after_tool'];

/**
 * Plugins of OpenCode: https://opencode.ai/docs/plugins, and what 1.18.33 makes of them. What one throws before a tool keeps it from
 * running, and after it takes the place of its result. OpenCode does without one that throws while it is loaded.
 */
export function installationFor(host: Host): Installation {
  const hookOf = (text: string | undefined): JsonObject | undefined => {
    const hook = hookIn(text ?? '');
    return hook !== undefined && programIn(ownString(hook, 'command') ?? '', host.name) !== undefined
      ? hook
      : undefined;
  };
  return {
    programs: ['opencode'],
    release: { newest: '1.18.33', args: ['--version'] },
    folder,
    guarding: GUARDING,
    places: (scope, machine) =>
      scope === 'system' ? [] : [{ path: pluginPath(scope, machine), version: undefined }],
    choose: ([place = { path: '', version: undefined }]) => place,
    edit(base, _current, { start, kinds }) {
      if (base !== undefined) throw new ConfigurationProblem('it is another plugin; move it away first');
      const events = Object.entries(host.events)
        .filter(([, kind]) => GUARDING.includes(kind) || kinds.has(kind))
        .map(([event]) => event);
      return pluginText(code, { ...host.hookConfiguration(start), events });
    },
    strip: (text) => (hookOf(text) === undefined ? text : undefined),
    inspect(machine, files) {
      const found = (['user', 'project'] as const).flatMap((scope) => {
        const path = pluginPath(scope, machine);
        const text = readBy(path, files, (read) => read);
        const hook = hookOf(text);
        return text === undefined || hook === undefined ? [] : [{ path, text, hook }];
      });
      const hooks = found.map(({ path, hook }) => {
        const command = ownString(hook, 'command') ?? '';
        return {
          path,
          events: eventsIn(hook),
          program: programIn(command, host.name) ?? '',
          argv: ['/bin/sh', '-c', command],
          env: {},
          timeoutMs: Number(own(hook, 'timeout')) * 1_000,
          version: undefined,
        };
      });
      return {
        hooks,
        findings: [
          ...found.flatMap(({ path, text, hook }) => changedFindings(path, text, hook)),
          ...hooks.flatMap((each) => lineFindings(each, host.timeoutS(undefined))),
        ],
      };
    },
    input: (message) => message,
    read: readExitCode,
  };
}

function folder({ env, home }: Machine): string {
  return `${env['XDG_CONFIG_HOME'] ?? `${home}/.config`}/opencode`;
}

function pluginPath(scope: 'user' | 'project', machine: Machine): string {
  return `${scope === 'user' ? folder(machine) : `${machine.project}/.opencode`}/plugins/policy.js`;
}

/** What a plugin of ours starts. */
function hookIn(text: string): JsonObject | undefined {
  const [, json] = /^const HOOK = (\{.*\});$/m.exec(text) ?? [];
  try {
    const hook: Json = JSON.parse(json ?? 'null');
    return isJsonObject(hook) ? hook : undefined;
  } catch {
    return undefined;
  }
}

function eventsIn(hook: JsonObject): readonly string[] {
  const events = own(hook, 'events');
  return Array.isArray(events) ? events.map(String) : [];
}

/** The doctor starts what the plugin starts; that it asks at all is certain only of the text that we have written. */
function changedFindings(path: string, text: string, hook: JsonObject): readonly Finding[] {
  if (text === pluginText(code, hook)) return [];
  return [finding('plugin-changed', `${path} is not the plugin that policy install writes`, REINSTALL)];
}
