import { isJsonObject, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { type FoundHook, hooksInGroups, type Layer } from '../hook-groups.ts';
import { type Files, type Finding, finding, type Machine, REINSTALL, readBy } from '../installation.ts';
import { parseConfiguration } from '../json-configuration.ts';
import { EVENTS } from './events.ts';
import { hookConfiguration } from './hook-configuration.ts';

const TIMEOUT_S = 60;
const DIALECT = { comments: true };

/** Settings of Gemini CLI: its `docs/hooks/reference.md`, and what 0.61 makes of them. */
export const installation = hooksInGroups(
  { name: 'gemini', title: 'Gemini CLI', events: EVENTS, timeoutS: () => TIMEOUT_S, hookConfiguration },
  {
    programs: ['gemini'],
    release: { newest: '0.61', args: ['--version'] },
    folder,
    guarding: ['before_tool', 'after_tool'],
    dialect: DIALECT,
    at: ['hooks'],
    place: (scope, machine) => placesOf(machine)[scope],
    layers(machine) {
      const defaults =
        machine.env['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'] ?? '/etc/gemini-cli/system-defaults.json';
      // In the home itself, the project's file is the user's.
      return [defaults, ...Object.values(placesOf(machine))];
    },
    group: {},
    allTools: ['*', '.*'],
    shell: ['bash', '-c'],
    unitMs: 1,
    usualTimeoutS: TIMEOUT_S,
    also(settings, current, { scope, digits }) {
      const isOff = own(ownObject(settings, 'hooksConfig') ?? {}, 'enabled') === false;
      // Only in the system's file does it keep a project from saying otherwise.
      const isNeeded = isOff || scope === 'system';
      return {
        changes: isNeeded ? [{ path: ['hooksConfig', 'enabled'], value: true }] : [],
        entry: { name: nameIn(current) ?? `policy-${digits}` },
      };
    },
    findings: (layers, hooks, machine, files) => [
      ...layerFindings(layers, hooks, placesOf(machine)),
      ...trustFindings(machine, files),
    ],
    read({ stdout, stderr, exitCode }) {
      const text = stdout.trim() || stderr.trim();
      const output = jsonIn(text);
      if (isJsonObject(output))
        return ['deny', 'block'].includes(String(own(output, 'decision'))) ? 'refused' : 'passes';
      // To Gemini CLI a signal is exit code 0.
      return output === undefined && text !== '' && (exitCode ?? 0) >= 2 ? 'refused' : 'passes';
    },
  },
);

function folder({ env, home }: Machine): string {
  return `${env['GEMINI_CLI_HOME'] ?? home}/.gemini`;
}

function placesOf(machine: Machine) {
  return {
    user: `${folder(machine)}/settings.json`,
    project: `${machine.project}/.gemini/settings.json`,
    system: machine.env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] ?? '/etc/gemini-cli/settings.json',
  };
}

/** The name that an earlier install has given: a project that knew it still knows it, one that did not must not learn it. */
function nameIn(current: readonly FoundHook[]): string | undefined {
  const names = current.map(({ hook }) => ownString(hook, 'name') ?? '');
  return names.find((name) => /^policy-[0-9a-f]{6}$/.test(name));
}

function layerFindings(
  layers: readonly Layer[],
  hooks: readonly FoundHook[],
  places: ReturnType<typeof placesOf>,
): readonly Finding[] {
  const findings: Finding[] = [];
  const system = layers.find(({ path }) => path === places.system);
  const names = new Set(hooks.map(({ hook }) => ownString(hook, 'name') ?? ownString(hook, 'command') ?? ''));
  const systemSays = own(ownObject(system?.settings ?? {}, 'hooksConfig') ?? {}, 'enabled');
  for (const { path, settings } of layers) {
    const config = ownObject(settings, 'hooksConfig') ?? {};
    if (own(config, 'enabled') === false && systemSays !== true) {
      const message = `${path} switches all hooks off (hooksConfig.enabled)`;
      findings.push(finding('hooks-off', message, `take it out, or ${REINSTALL} --system`));
    }
    const disabled = own(config, 'disabled');
    for (const name of Array.isArray(disabled) ? disabled : []) {
      if (!names.has(String(name))) continue;
      const fix = 'take the name out of that list; policy uninstall and policy install give the hook another';
      findings.push(finding('hook-disabled', `${path} switches the hook "${name}" off`, fix));
    }
    for (const [event, groups] of Object.entries(ownObject(settings, 'hooks') ?? {})) {
      if (!(Array.isArray(groups) ? groups : []).some(hasOddMatcher)) continue;
      const message = `${path} has a matcher on ${event} that is no text: Gemini CLI skips all hooks of that event`;
      findings.push(finding('matcher', message, 'write it as text, or take it out'));
    }
  }
  return findings;
}

function hasOddMatcher(group: unknown): boolean {
  return isJsonObject(group) && !['string', 'undefined', 'object'].includes(typeof own(group, 'matcher'));
}

function trustFindings(machine: Machine, files: Files): readonly Finding[] {
  const { env, project } = machine;
  const path = env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ?? `${folder(machine)}/trustedFolders.json`;
  const folders = Object.entries(readBy(path, files, parsed));
  const around = folders.filter(([at]) => project === at || project.startsWith(`${at}/`));
  const [nearest] = around.sort(([a], [b]) => b.length - a.length);
  if (nearest?.[1] !== 'DO_NOT_TRUST') return [];
  const message = `${path} says not to trust ${nearest[0]}: Gemini CLI runs no hooks there`;
  return [
    finding(
      'untrusted-folder',
      message,
      'trust the folder in Gemini CLI (/permissions), or start with --skip-trust',
    ),
  ];
}

function parsed(text: string | undefined): JsonObject {
  return parseConfiguration(text, DIALECT);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
