import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import {
  type Files,
  type Finding,
  finding,
  type Installation,
  type InstalledHook,
  lineFindings,
  type Machine,
  note,
  programIn,
  REINSTALL,
  readBy,
} from '../installation.ts';
import { type Change, changeConfiguration, parseConfiguration, unlessSame } from '../json-configuration.ts';
import { EVENTS, isNativeEvent } from './events.ts';
import { hookConfiguration } from './hook-configuration.ts';

const NAME = 'gemini';
const DIALECT = { comments: true };
/** Guarding calls and their results needs these, whatever policies say. */
const TOOL_EVENTS: readonly string[] = ['BeforeTool', 'AfterTool'];
const USUAL_TIMEOUT_S = 60;

/** Settings of Gemini CLI: its `docs/hooks/reference.md`, and what 0.61 makes of them. */
export const installation = {
  programs: ['gemini'],
  release: { newest: '0.61', args: ['--version'] },
  folder,
  places(scope, machine) {
    const path = {
      user: `${folder(machine)}/settings.json`,
      project: `${machine.project}/.gemini/settings.json`,
      system: machine.env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] ?? '/etc/gemini-cli/settings.json',
    };
    return [{ path: path[scope], version: undefined }];
  },
  choose: ([place = { path: '', version: undefined }]) => place,
  edit(base, current, { scope, start, kinds, digits }) {
    const settings = parseConfiguration(base, DIALECT);
    const name = nameIn(current) ?? `policy-${digits}`;
    const entry = { name, ...hookConfiguration(start) };
    const events = Object.entries(EVENTS).filter(
      ([event, kind]) => TOOL_EVENTS.includes(event) || kinds.has(kind),
    );
    const isOff = own(ownObject(settings, 'hooksConfig') ?? {}, 'enabled') === false;
    // Only in the system's file does it keep a project from saying otherwise.
    const on: readonly Change[] =
      isOff || scope === 'system' ? [{ path: ['hooksConfig', 'enabled'], value: true }] : [];
    const added = events.map(([event]) => ({ path: ['hooks', event, -1], value: { hooks: [entry] } }));
    return unlessSame(current, changeConfiguration(base, [...on, ...added], DIALECT), DIALECT);
  },
  strip(text) {
    let stripped = text;
    for (let path = findOurs(stripped); path !== undefined; path = findOurs(stripped)) {
      stripped = changeConfiguration(stripped, [{ path: [...path], value: undefined }], DIALECT);
    }
    return stripped;
  },
  inspect,
  input: (message) => message,
  read({ stdout, stderr, exitCode }) {
    const text = stdout.trim() || stderr.trim();
    const output = jsonIn(text);
    if (isJsonObject(output))
      return ['deny', 'block'].includes(String(own(output, 'decision'))) ? 'refused' : 'passes';
    // To Gemini CLI a signal is exit code 0.
    return output === undefined && text !== '' && (exitCode ?? 0) >= 2 ? 'refused' : 'passes';
  },
} as const satisfies Installation;

function folder({ env, home }: Machine): string {
  return `${env['GEMINI_CLI_HOME'] ?? home}/.gemini`;
}

function parsed(text: string | undefined): JsonObject {
  return parseConfiguration(text, DIALECT);
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A hook in the settings, where it stands, and what is wrong with that place. */
interface Found {
  readonly event: string;
  readonly path: readonly (string | number)[];
  readonly group: JsonObject;
  readonly hook: JsonObject;
  readonly program: string;
  readonly isNested: boolean;
}

/** Every hook that starts this program, in whatever shape it is written. */
function ours(settings: JsonObject): readonly Found[] {
  const found: Found[] = [];
  for (const [event, groups] of Object.entries(ownObject(settings, 'hooks') ?? {})) {
    for (const [index, group] of (Array.isArray(groups) ? groups : []).entries()) {
      if (!isJsonObject(group)) continue;
      const path = ['hooks', event, index];
      const inGroup = own(group, 'hooks');
      const hooks = Array.isArray(inGroup) ? inGroup : [group];
      for (const [at, hook] of hooks.entries()) {
        const program = isJsonObject(hook) ? programIn(ownString(hook, 'command') ?? '', NAME) : undefined;
        if (!isJsonObject(hook) || program === undefined) continue;
        const whole = hooks.length === 1;
        const isNested = hooks === inGroup;
        found.push({ event, path: whole ? path : [...path, 'hooks', at], group, hook, program, isNested });
      }
    }
  }
  return found;
}

/** What to take away so that one hook of ours is gone, with the lists and objects that held nothing else. */
function findOurs(text: string): readonly (string | number)[] | undefined {
  const settings = parseConfiguration(text, DIALECT);
  const [first] = ours(settings);
  if (first === undefined) return undefined;
  let { path } = first;
  while (path.length > 1 && sizeOf(settings, path.slice(0, -1)) === 1) path = path.slice(0, -1);
  return path;
}

function sizeOf(value: Json | undefined, path: readonly (string | number)[]): number {
  const at = path.reduce<Json | undefined>(
    (inside, key) =>
      Array.isArray(inside)
        ? inside[Number(key)]
        : isJsonObject(inside)
          ? own(inside, String(key))
          : undefined,
    value,
  );
  return Array.isArray(at) ? at.length : isJsonObject(at) ? Object.keys(at).length : 0;
}

/** The name that an earlier install has given: a project that knew it still knows it, one that did not must not learn it. */
function nameIn(text: string | undefined): string | undefined {
  const names = ours(parseConfiguration(text, DIALECT)).map(({ hook }) => ownString(hook, 'name') ?? '');
  return names.find((name) => /^policy-[0-9a-f]{6}$/.test(name));
}

function inspect(machine: Machine, files: Files) {
  const findings: Finding[] = [];
  const hooks: InstalledHook[] = [];
  const [user = '', inProject = '', inSystem = ''] = (['user', 'project', 'system'] as const).flatMap(
    (scope) => installation.places(scope, machine).map(({ path }) => path),
  );
  const defaults = machine.env['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'] ?? '/etc/gemini-cli/system-defaults.json';
  // In the home itself, the project's file is the user's.
  const layers = [...new Set([defaults, user, inProject, inSystem])].map((path) => ({
    path,
    settings: readBy(path, files, parsed),
  }));
  const project = layers.find(({ path }) => path === inProject && path !== user);
  const system = layers.find(({ path }) => path === inSystem);
  const names = new Set<string>();
  for (const { path, settings } of layers) {
    for (const found of ours(settings)) {
      names.add(ownString(found.hook, 'name') ?? ownString(found.hook, 'command') ?? '');
      const hook = installedHook(path, found);
      findings.push(...shapeFindings(path, found), ...lineFindings(hook, USUAL_TIMEOUT_S));
      if (found.isNested && isNativeEvent(found.event)) hooks.push(hook);
    }
  }
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
      const odd = (Array.isArray(groups) ? groups : []).some(
        (group) =>
          isJsonObject(group) && !['string', 'undefined', 'object'].includes(typeof own(group, 'matcher')),
      );
      if (odd) {
        const message = `${path} has a matcher on ${event} that is no text: Gemini CLI skips all hooks of that event`;
        findings.push(finding('matcher', message, 'write it as text, or take it out'));
      }
    }
  }
  if (project !== undefined && Object.keys(ownObject(project.settings, 'hooks') ?? {}).length > 0) {
    const message = `${project.path} brings hooks of its own, which can change a call after this hook has passed it`;
    findings.push(note('project-hooks', message, 'look at them before you trust the folder'));
  }
  findings.push(...trustFindings(machine, files));
  return { hooks: merged(hooks), findings };
}

function installedHook(path: string, { event, hook, program }: Found): InstalledHook {
  const env = Object.entries(ownObject(hook, 'env') ?? {}).map(([key, value]) => [key, String(value)]);
  return {
    path,
    events: [event],
    program,
    argv: ['bash', '-c', ownString(hook, 'command') ?? ''],
    env: Object.fromEntries(env),
    timeoutMs: Number(own(hook, 'timeout') ?? USUAL_TIMEOUT_S * 1_000),
    version: undefined,
  };
}

/** One hook for each line: Gemini CLI lists a hook once for each event. */
function merged(hooks: readonly InstalledHook[]): readonly InstalledHook[] {
  const byLine = new Map<string, InstalledHook>();
  for (const hook of hooks) {
    const key = JSON.stringify([hook.path, hook.argv, hook.env, hook.timeoutMs]);
    const same = byLine.get(key);
    byLine.set(key, same === undefined ? hook : { ...same, events: [...same.events, ...hook.events] });
  }
  return [...byLine.values()];
}

function shapeFindings(path: string, { event, group, hook, isNested }: Found): readonly Finding[] {
  const found: Finding[] = [];
  if (!isNativeEvent(event)) {
    const message = `${path} names the event "${event}", which Gemini CLI does not have`;
    found.push(finding('event', message, REINSTALL));
  }
  if (!isNested || own(hook, 'type') !== 'command') {
    const message = `${path} has a hook on ${event} without its envelope, which Gemini CLI drops`;
    found.push(finding('envelope', message, REINSTALL));
  }
  const matcher = own(group, 'matcher');
  if (isNested && matcher !== undefined && !['', '*', '.*'].includes(String(matcher))) {
    const message = `${path} shows the hook only tools that match ${JSON.stringify(matcher)} on ${event}`;
    found.push(finding('matcher', message, REINSTALL));
  }
  return found;
}

function trustFindings({ env, project, ...machine }: Machine, files: Files): readonly Finding[] {
  const path =
    env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ?? `${folder({ env, project, ...machine })}/trustedFolders.json`;
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
