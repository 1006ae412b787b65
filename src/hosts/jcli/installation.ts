import { stringify } from 'yaml';
import { deepEqual } from '../../lib/deep-equal.ts';
import {
  asObject,
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  ownString,
  parseJson,
} from '../../lib/json.ts';
import type { EventKind } from '../../model/event.ts';
import { ConfigurationProblem } from '../configuration-problem.ts';
import { guardPlace } from '../guard-place.ts';
import type { Host } from '../host.ts';
import {
  askedEvents,
  type Files,
  finding,
  type HookAnswer,
  type HookFinding,
  type Inspection,
  type Installation,
  type InstalledHook,
  lineFindings,
  lineOption,
  type Machine,
  note,
  oncePerLine,
  programIn,
  REINSTALL,
  readBy,
  shellHook,
} from '../installation.ts';
import { parseConfiguration } from '../json-configuration.ts';
import { changedYaml, documentOf, documentText, valueOfYaml } from '../yaml-configuration.ts';
import { EVENTS, isNativeEvent } from './events.ts';
import { supportsIn } from './supports.ts';

const NAME = 'jcli';
/** Guarding calls, and telling why, needs these, whatever policies say. */
const TOOL_KINDS: readonly EventKind[] = ['before_tool', 'after_tool', 'tool_failure'];
const USUAL_TIMEOUT_S = 10;
/** From generation D on each hook has a folder. */
const HOOK_FILE = '/hooks/policy/HOOK.yaml';
const HOOKS_FILE = '/hooks.yaml';

/** jcli's `HOOK.yaml` of its newer generations and `hooks.yaml` of the older ones. */
export function installationFor(host: Host): Installation {
  const dataFolder = (machine: Machine) => guardPlace('~/.jdata', machine, host.guards);
  return {
    programs: ['jcli', 'j'],
    release: { newest: '12.11', args: ['version'] },
    guarding: TOOL_KINDS,
    folder: dataFolder,
    places: (scope, machine) =>
      folders(scope, machine, dataFolder(machine)).flatMap((folder) => [
        folder + HOOK_FILE,
        folder + HOOKS_FILE,
      ]),
    choose([hookFile = '', hooksFile = ''], files, version) {
      const oldText = files.text(hooksFile);
      const installed = oldText === undefined ? [] : linesIn(oldText, hooksFile);
      const generation = version ?? lineOption(installed.join(' '), 'host-version');
      if (generation !== undefined)
        return { path: ['D', 'E'].includes(generation) ? hookFile : hooksFile, version: generation };
      const isOld = oldText !== undefined && !files.isFolder(hooksFile.replace(/\.yaml$/, ''));
      if (!isOld) return { path: hookFile, version: 'E' };
      throw new ConfigurationProblem(
        'it is read by the generations A, B and C, which look alike; say which with --host-version',
      );
    },
    edit(base, _current, { start, kinds }) {
      const { version } = start;
      const supported = supportsIn(version);
      const events = askedEvents(EVENTS, TOOL_KINDS, kinds).filter(
        (event) => isNativeEvent(event) && Object.hasOwn(supported, EVENTS[event]),
      );
      const entry = host.hookConfiguration(start);
      return version === 'D' || version === 'E'
        ? hookFileText(base, events, entry)
        : hooksFileText(base, events, entry);
    },
    strip(text) {
      const document = documentOf(text);
      const value = valueOfYaml(text);
      if (isHookFile(value))
        return programIn(ownString(value, 'command') ?? '', NAME) === undefined ? text : undefined;
      let isChanged = false;
      for (const [event, entries] of Object.entries(value)) {
        const ours = (Array.isArray(entries) ? entries : []).map(isOurs);
        if (!ours.includes(true)) continue;
        isChanged = true;
        if (ours.every(Boolean)) document.delete(event);
        else
          for (const [index, mine] of [...ours.entries()].reverse())
            if (mine) document.deleteIn([event, index]);
      }
      if (!isChanged) return text;
      const left = Object.keys(valueOfYaml(document.toString()));
      const hasComments = document.commentBefore !== null || document.comment !== null;
      return left.length === 0 && !hasComments ? undefined : documentText(document, text);
    },
    inspect: (machine, files) => inspect(machine, files, dataFolder(machine)),
    read,
  };
}

function folders(scope: string, machine: Machine, data: string): readonly string[] {
  if (scope === 'user') return [`${data}/agent`];
  return scope === 'project' ? [`${machine.project}/.jcli`] : [];
}

function isHookFile(value: JsonObject): boolean {
  return own(value, 'command') !== undefined || own(value, 'events') !== undefined;
}

function isOurs(entry: Json): boolean {
  return isJsonObject(entry) && programIn(ownString(entry, 'command') ?? '', NAME) !== undefined;
}

function hookFileText(base: string | undefined, events: readonly string[], entry: JsonObject): string {
  if (base !== undefined)
    throw new ConfigurationProblem('it is a hook of another program; rename its folder first');
  return stringify({ events, type: 'bash', ...entry, on_error: 'skip' }, { lineWidth: 0 });
}

function hooksFileText(base: string | undefined, events: readonly string[], entry: JsonObject): string {
  const before = valueOfYaml(base ?? '');
  const added = events.map((event) => [event, [...[own(before, event) ?? []].flat(), entry]] as const);
  const text = changedYaml(
    base ?? '',
    events.map((event) => ({ path: [event, -1], value: entry })),
  );
  // A list that several events share would get the hook several times.
  if (!deepEqual(valueOfYaml(text), { ...before, ...Object.fromEntries(added) }))
    throw new ConfigurationProblem('its lists use YAML anchors (& and *); write them out first');
  return text;
}

/** The command lines of ours in a file. */
function linesIn(text: string, path: string): readonly string[] {
  return entriesIn(path, valueOfYaml(text)).map(({ entry }) => ownString(entry, 'command') ?? '');
}

interface Entry {
  readonly events: readonly string[];
  readonly entry: JsonObject;
}

/** The hooks of ours in a file of either form. */
function entriesIn(path: string, value: JsonObject): readonly Entry[] {
  if (!path.endsWith(HOOKS_FILE)) {
    const events = own(value, 'events');
    return isOurs(value) ? [{ events: Array.isArray(events) ? events.map(String) : [], entry: value }] : [];
  }
  return Object.entries(value).flatMap(([event, entries]) =>
    (Array.isArray(entries) ? entries : []).filter(isOurs).flatMap((entry) => {
      return isJsonObject(entry) ? [{ events: [event], entry }] : [];
    }),
  );
}

function inspect(machine: Machine, files: Files, data: string): Inspection {
  const findings: HookFinding[] = [];
  const hooks: InstalledHook[] = [];
  for (const scope of ['user', 'project'] as const) {
    for (const folder of folders(scope, machine, data)) {
      const names = files.names(`${folder}/hooks`);
      const others: string[] = [];
      for (const name of names) {
        const path = [`${folder}/hooks/${name}/HOOK.yaml`, `${folder}/hooks/${name}/HOOK.yml`].find(
          (each) => files.text(each) !== undefined,
        );
        if (path === undefined) continue;
        const found = readHooks(path, files);
        if (found.length === 0) others.push(path);
        hooks.push(...found.map(({ hook }) => hook));
        findings.push(...found.flatMap((each) => entryFindings(each, `${scope}:${name}`, data, files)));
      }
      const old = readHooks(folder + HOOKS_FILE, files);
      hooks.push(...old.map(({ hook }) => hook));
      findings.push(...old.flatMap((each) => entryFindings(each, undefined, data, files)));
      if (old.length > 0 && files.isFolder(`${folder}/hooks`)) {
        const message = `${folder}${HOOKS_FILE} is not read by generations D and E, for which ${folder}/hooks is`;
        findings.push(
          finding('generation', message, 'run policy uninstall, then policy install --host-version E'),
        );
      }
      if (scope === 'project' && others.length > 0) {
        const message = `${others.join(', ')} can change a call after this hook has passed it`;
        findings.push(note('project-hooks', message, 'look at it before you work in this folder'));
      }
    }
  }
  return { hooks: oncePerLine(hooks), findings };
}

interface Read {
  readonly hook: InstalledHook;
  readonly entry: JsonObject;
  readonly rawEvents: Json | undefined;
}

function readHooks(path: string, files: Files): readonly Read[] {
  const value = readBy(path, files, (text) => valueOfYaml(text ?? ''));
  return entriesIn(path, value).map(({ events, entry }) => {
    const line = ownString(entry, 'command') ?? '';
    const named = lineOption(line, 'host-version');
    // Only the newer generations read hooks from a folder, whatever the line says.
    const version = path.endsWith(HOOKS_FILE) || named === 'D' ? named : 'E';
    const hook = shellHook(NAME, line, {
      path,
      events,
      argv: version === 'E' ? ['bash', '-lc', line] : ['sh', '-c', line],
      env: path.endsWith(HOOKS_FILE) ? {} : { JCLI_HOOK_DIR: path.replace(/\/[^/]*$/, '') },
      timeoutMs: Number(own(entry, 'timeout') ?? USUAL_TIMEOUT_S) * 1_000,
      version,
    });
    return { hook, entry, rawEvents: path.endsWith(HOOKS_FILE) ? events : own(value, 'events') };
  });
}

/** Finds faults for which jcli drops a hook with no more than a line in its log. */
function entryFindings(
  { hook, entry, rawEvents }: Read,
  id: string | undefined,
  data: string,
  files: Files,
): readonly HookFinding[] {
  const { path } = hook;
  const found: HookFinding[] = [...lineFindings(hook, USUAL_TIMEOUT_S)];
  const drop = (code: string, message: string) => found.push(finding(code, `${path} ${message}`, REINSTALL));
  const unknown = hook.events.find((event) => !isNativeEvent(event));
  if (!Array.isArray(rawEvents)) drop('event', 'has no list of events');
  else if (unknown !== undefined) drop('event', `names the event "${unknown}", which jcli does not have`);
  const timeout = own(entry, 'timeout') ?? USUAL_TIMEOUT_S;
  if (!Number.isInteger(timeout) || Number(timeout) <= 0)
    drop('timeout', `has the timeout ${JSON.stringify(timeout)}, which is no whole number of seconds`);
  if (!['bash', 'shell'].includes(String(own(entry, 'type') ?? 'bash')))
    drop('envelope', 'is not of type bash');
  if (String(own(entry, 'on_error') ?? 'skip') !== 'skip')
    drop('on-error', 'says another on_error than skip, a word that not every generation knows');
  if (own(entry, 'filter') !== undefined) drop('matcher', 'shows the hook only some events (filter)');
  if (id === undefined) return found;
  if (id.endsWith(':example')) drop('hook-disabled', 'lies in a folder called example, which jcli skips');
  const agentConfig = `${data}/agent/data/agent_config.json`;
  const disabled = own(
    readBy(agentConfig, files, (text) => parseConfiguration(text, { comments: false })),
    'disabled_hooks',
  );
  if (Array.isArray(disabled) && disabled.includes(id)) {
    const message = `${agentConfig} switches the hook "${id}" off (disabled_hooks)`;
    found.push(finding('hook-disabled', message, 'take it out of that list'));
  }
  return found;
}

function read({ stdout, exitCode }: HookAnswer, { version }: InstalledHook) {
  const byAbort = version === 'A' || version === 'B';
  // A takes a failure for a refusal, the others go on after one.
  if (exitCode !== 0) return version === 'A' ? 'refused' : 'passes';
  const said = asObject(parseJson(stdout));
  return (byAbort ? own(said, 'abort') === true : own(said, 'action') === 'skip') ? 'refused' : 'passes';
}
