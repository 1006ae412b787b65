import {
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  ownObject,
  ownString,
  parseJson,
} from '../../lib/json.ts';
import type { EventKind } from '../../model/event.ts';
import { ConfigurationProblem } from '../configuration-problem.ts';
import { guardPlace } from '../guard-place.ts';
import type { Host } from '../host.ts';
import {
  type Files,
  finding,
  type HookFinding,
  type Inspection,
  type Installation,
  type InstalledHook,
  lineFindings,
  lineOption,
  type Machine,
  REINSTALL,
  readBy,
} from '../installation.ts';
import { changeConfiguration, keepIfSame, parseConfiguration } from '../json-configuration.ts';
import { NEWEST } from './generation.ts';
import { NOTIFICATION_KINDS } from './notification.ts';
import { METHODS } from './protocol.ts';

/** PicoClaw reads JSON as Go does, without comments. */
const DIALECT = { comments: false };
const KEY = 'policy';
const TOOL_KINDS: readonly EventKind[] = ['before_tool', 'after_tool', 'approve_tool'];
const USUAL = { interceptorMs: 5_000, approvalMs: 60_000 } as const;
const PROCESS_KEYS = ['enabled', 'priority', 'transport', 'command', 'dir', 'env', 'observe', 'intercept'];
/** If isolation hides the home, the policies of the user are not found. */
const SHIPPED = ['--policies', 'builtin:baseline', '--policies', 'builtin:self-protection'];

/** `hooks` in PicoClaw's `config.json`. */
export function installationFor(host: Host): Installation {
  const folder = (machine: Machine) => guardPlace('~/.picoclaw', machine, host.guards);
  const fileOf = (machine: Machine) => guardPlace('~/.picoclaw/config.json', machine, host.guards);
  return {
    programs: ['picoclaw'],
    release: { newest: NEWEST.version, args: ['version'] },
    guarding: TOOL_KINDS,
    folder,
    places: (scope, machine) => (scope === 'user' ? [fileOf(machine)] : []),
    edit(base, current, { start, kinds }, machine) {
      if (base === undefined) throw new ConfigurationProblem('it is not there; run picoclaw onboard first');
      const config = parseConfiguration(base, DIALECT);
      const { hooks, processes } = partsOf(config);
      if (own(processes, KEY) !== undefined) {
        throw new ConfigurationProblem(`its hook "${KEY}" is another program; give that another name first`);
      }
      const configured = host.hookConfiguration({
        ...start,
        workspace: workspaceOf(config, machine, folder(machine)),
      });
      const { command = [], ...fields } = configured;
      const more = [...timeoutOption(hooks), ...(isIsolated(config) ? SHIPPED : [])];
      const entry = {
        ...fields,
        command: [...(Array.isArray(command) ? command : []), ...more],
        intercept: interceptsFor(kinds),
        observe: observesFor(kinds),
      };
      const on = own(hooks, 'enabled') === false ? [{ path: ['hooks', 'enabled'], value: true }] : [];
      const added = { path: ['hooks', 'processes', KEY], value: entry };
      return keepIfSame(current, changeConfiguration(base, [...on, added], DIALECT), DIALECT);
    },
    strip(text) {
      let stripped = text;
      for (;;) {
        const { hooks, processes } = partsOf(parseConfiguration(stripped, DIALECT));
        const [name] = Object.entries(processes).find(([, hook]) => programOf(hook) !== undefined) ?? [];
        if (name === undefined) return stripped;
        const isLast = Object.keys(processes).length === 1;
        const path = !isLast
          ? ['hooks', 'processes', name]
          : ['hooks', ...(Object.keys(hooks).length === 1 ? [] : ['processes'])];
        stripped = changeConfiguration(stripped, [{ path, value: undefined }], DIALECT);
      }
    },
    inspect: (machine, files) => inspect(fileOf(machine), files),
    input: (message) =>
      `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'hook.hello', params: { name: KEY, version: 1 } })}\n${message}\n`,
    // At approve_tool, and where no hook starts at all, nothing but this lets a call run.
    read: ({ stdout }) => (stdout.split('\n').some(approves) ? 'passes' : 'refused'),
  };
}

function partsOf(config: JsonObject): { readonly hooks: JsonObject; readonly processes: JsonObject } {
  const hooks = ownObject(config, 'hooks') ?? {};
  return { hooks, processes: ownObject(hooks, 'processes') ?? {} };
}

function workspaceOf(config: JsonObject, machine: Machine, folder: string): string {
  const defaults = ownObject(ownObject(config, 'agents') ?? {}, 'defaults') ?? {};
  const workspace = ownString(defaults, 'workspace') || `${folder}/workspace`;
  return workspace.replace(/^~(?=\/|$)/, machine.home);
}

function isIsolated(config: JsonObject): boolean {
  return own(ownObject(config, 'isolation') ?? {}, 'enabled') === true;
}

function defaultMs(hooks: JsonObject, key: string, usual: number): number {
  const value = Number(own(ownObject(hooks, 'defaults') ?? {}, key) ?? 0);
  return value > 0 ? value : usual;
}

function timeoutOption(hooks: JsonObject): readonly string[] {
  const ms = defaultMs(hooks, 'interceptor_timeout_ms', USUAL.interceptorMs);
  return ms === USUAL.interceptorMs ? [] : ['--host-timeout', String(ms / 1_000)];
}

function interceptsFor(kinds: ReadonlySet<EventKind>): readonly string[] {
  return Object.entries(METHODS)
    .filter(([, { kind }]) => TOOL_KINDS.includes(kind) || kinds.has(kind))
    .map(([name]) => name.replace('hook.', ''));
}

/** By the short names, which every version knows. The end of a turn is when verdicts are forgotten. */
function observesFor(kinds: ReadonlySet<EventKind>): readonly string[] {
  if (kinds.has('notification')) return ['*'];
  return Object.entries(NOTIFICATION_KINDS)
    .filter(([name, kind]) => !name.includes('.') && (kind === 'after_turn' || kinds.has(kind)))
    .map(([name]) => name);
}

/** The program of ours that a process entry starts. */
function programOf(hook: Json | undefined): string | undefined {
  const command = isJsonObject(hook) ? own(hook, 'command') : undefined;
  const words = Array.isArray(command) ? command.map(String) : [];
  const at = words.indexOf('hook');
  return at > 0 && words[at + 1] === '--host' && words[at + 2] === 'picoclaw' ? words[at - 1] : undefined;
}

function approves(line: string): boolean {
  const answer = parseJson(line);
  return (
    isJsonObject(answer) && answer['id'] === 1 && own(ownObject(answer, 'result') ?? {}, 'approved') === true
  );
}

function inspect(path: string, files: Files): Inspection {
  const findings: HookFinding[] = [];
  const hooks: InstalledHook[] = [];
  const config = readBy(path, files, (text) => parseConfiguration(text, DIALECT));
  const { hooks: settings, processes } = partsOf(config);
  if (own(settings, 'enabled') === false)
    findings.push(finding('hooks-off', `${path} switches all hooks off (hooks.enabled)`, REINSTALL));
  const approvalMs = defaultMs(settings, 'approval_timeout_ms', USUAL.approvalMs);
  if (approvalMs < USUAL.approvalMs) {
    const message = `${path} waits ${approvalMs} ms for approvals, and the hook cannot know it`;
    findings.push(
      finding('timeout', message, `set hooks.defaults.approval_timeout_ms to ${USUAL.approvalMs}`),
    );
  }
  for (const [name, value] of Object.entries(processes)) {
    if (!isJsonObject(value)) continue;
    findings.push(...entryFindings(path, name, value));
    const program = programOf(value);
    if (program === undefined) continue;
    const hook = installedHook(path, program, value, settings);
    findings.push(...lineFindings(hook, USUAL.interceptorMs / 1_000));
    findings.push(...processFindings(path, name, value, processes));
    const line = hook.argv.join(' ');
    if (lineOption(line, 'workspace') === undefined)
      findings.push(finding('workspace', `${path} does not tell the hook where the agent works`, REINSTALL));
    if (isIsolated(config) && lineOption(line, 'policies') === undefined)
      findings.push(
        finding('isolation', `${path} isolates the hook, which hides its policies from it`, REINSTALL),
      );
    if (own(value, 'enabled') === true) hooks.push(hook);
  }
  if (own(ownObject(config, 'gateway') ?? {}, 'hot_reload') === true) {
    const message = `${path} reloads by itself (gateway.hot_reload); meanwhile no hook is asked`;
    findings.push(finding('hot-reload', message, 'set gateway.hot_reload to false and restart instead'));
  }
  return { hooks, findings };
}

function installedHook(
  path: string,
  program: string,
  value: JsonObject,
  settings: JsonObject,
): InstalledHook {
  const command = own(value, 'command');
  const argv = Array.isArray(command) ? command.map(String) : [];
  const listed = (key: string) => {
    const names = own(value, key);
    return Array.isArray(names) ? names.map(String) : [];
  };
  const intercepts = listed('intercept').flatMap((name) => {
    // One of the two brings the other.
    if (name.endsWith('_llm')) return ['hook.before_llm', 'hook.after_llm'];
    return name.endsWith('_tool') && name !== 'approve_tool'
      ? ['hook.before_tool', 'hook.after_tool']
      : [`hook.${name}`];
  });
  const observes = listed('observe').flatMap((name) =>
    ['*', 'all'].includes(name) ? [...Object.keys(NOTIFICATION_KINDS), 'hook.event'] : [name],
  );
  const env = Object.entries(ownObject(value, 'env') ?? {}).map(([key, text]) => [key, String(text)]);
  return {
    path,
    events: [...new Set([...intercepts, ...observes])],
    program,
    argv,
    env: Object.fromEntries(env),
    timeoutMs: defaultMs(settings, 'interceptor_timeout_ms', USUAL.interceptorMs),
    version: lineOption(argv.join(' '), 'host-version'),
  };
}

/** Finds entries that stop all hooks, and with them the agent. */
function entryFindings(path: string, name: string, value: JsonObject): readonly HookFinding[] {
  const found: HookFinding[] = [];
  const unknown = Object.keys(value).find((key) => !PROCESS_KEYS.includes(key));
  if (unknown !== undefined) {
    const message = `${path} has the key "${unknown}" in the hook "${name}", which newer versions refuse`;
    found.push(finding('unknown-key', message, 'take it out'));
  }
  const intercept = own(value, 'intercept');
  const words = Array.isArray(intercept) ? intercept : [];
  const bad = words.find((word) => word !== '' && !Object.hasOwn(METHODS, `hook.${word}`));
  if (bad !== undefined) {
    const message = `${path} has "${bad}" under intercept of the hook "${name}": PicoClaw then starts no hook at all`;
    found.push(finding('event', message, 'take it out'));
  }
  return found;
}

function processFindings(
  path: string,
  name: string,
  value: JsonObject,
  processes: JsonObject,
): readonly HookFinding[] {
  const found: HookFinding[] = [];
  if (own(value, 'enabled') !== true)
    found.push(finding('hook-disabled', `${path} switches the hook "${name}" off (enabled)`, REINSTALL));
  if ((own(value, 'transport') || 'stdio') !== 'stdio')
    found.push(
      finding('transport', `${path} gives the hook "${name}" another transport than stdio`, REINSTALL),
    );
  const priority = Number(own(value, 'priority') ?? 0);
  for (const [other, process] of Object.entries(processes)) {
    if (other === name || !isJsonObject(process) || own(process, 'enabled') !== true) continue;
    const theirs = Number(own(process, 'priority') ?? 0);
    if (theirs > priority || (theirs === priority && other > name)) continue;
    const message = `${path} asks the hook "${other}" before "${name}": what it denies or answers, this hook never sees`;
    found.push(finding('priority', message, `give "${other}" a priority above ${priority}`));
  }
  return found;
}
