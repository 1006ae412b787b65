import { isJsonObject, type JsonObject, own, ownObject, ownString } from '../lib/json.ts';
import type { EventKind } from '../model/event.ts';
import { DOCUMENTED_START } from './clean-start.ts';
import { readExitCode } from './dialect/read-exit-code.ts';
import { guardPlace } from './guard-place.ts';
import type { Host } from './host.ts';
import {
  askedEvents,
  type Files,
  finding,
  type HookFinding,
  type Installation,
  type InstalledHook,
  type InstallScope,
  lineFindings,
  type Machine,
  note,
  type Order,
  oncePerLine,
  programIn,
  REINSTALL,
  readBy,
  readForeignText,
  SCOPES,
  shellHook,
  startsHookOfOthers,
} from './installation.ts';
import {
  type ConfigurationChange,
  changeConfiguration,
  type JsonDialect,
  keepIfSame,
  parseConfiguration,
  withHolders,
} from './json-configuration.ts';
import { takesEvent } from './late-events.ts';

/** Paths as `placeOf` takes them; `*.json` means the files of a folder. */
type Paths = readonly string[] | ((machine: Machine, files: Files) => readonly string[]);

/** A configuration with hooks by event, in groups: `{"hooks": {"Event": [{"matcher": "*", "hooks": [{…}]}]}}`. */
export interface HookGroups
  extends Pick<Installation, 'programs' | 'release' | 'late'>,
    Partial<Pick<Installation, 'read'>> {
  /** The folder that shows that the host has been used here. */
  readonly folder: string;
  /** The file to write to; absent if the host does not know the scope. */
  readonly places: Readonly<Partial<Record<InstallScope, string | ((machine: Machine) => string)>>>;
  /** Every file that the host reads hooks from; the places unless given. */
  readonly layers?: Paths;
  /** JSON without comments unless given. */
  readonly dialect?: JsonDialect;
  /** How a layer is read that is not in the dialect. */
  readonly parse?: (path: string, text: string | undefined) => JsonObject | undefined;
  /** Keys that lead to the events; `hooks` unless given. */
  readonly at?: readonly string[];
  /** A key of settings that switches all hooks off, and the files beside the layers that may have it. */
  readonly off?: { readonly key: string; readonly files?: readonly string[] };
  /** True if hooks are listed without groups: `{"Event": [{…}]}`. */
  readonly bare?: boolean;
  /** The keys of a group beside its hooks. */
  readonly group?: JsonObject;
  /** Matchers that show the hook every tool, beside none; `*` and `.*` unless given. */
  readonly allTools?: readonly string[];
  /** The shell that starts a line; `sh` unless given. */
  readonly shell?: 'sh' | 'bash';
  /** Milliseconds of a `timeout`; it is in seconds unless given. */
  readonly toMs?: (written: number, release: string | undefined) => number;
  /** The `timeout` that `policy install` writes, if that depends on the version of the host. */
  readonly timeout?: (release: string | undefined) => number;
  /** How long the host waits unless the hook says something else, in seconds. */
  readonly usualTimeoutS: number;
  /** Files of other hosts that this one starts hooks from as well, and the remedy for those that are ours. */
  readonly shared?: { readonly files: Paths; readonly fix: string };
  /** More changes, and the keys that are put into each hook. */
  readonly also?: (
    settings: JsonObject,
    current: readonly FoundHook[],
    order: Order,
    machine: Machine,
  ) => { readonly changes: readonly ConfigurationChange[]; readonly entry?: JsonObject };
  /** Findings beside those about the hooks themselves. */
  readonly findings?: (found: FoundConfiguration) => readonly HookFinding[];
}

export interface FoundConfiguration {
  readonly host: Host;
  readonly layers: readonly ConfigurationFile[];
  readonly hooks: readonly FoundHook[];
  readonly machine: Machine;
  readonly files: Files;
  /** The place of a path on this machine. */
  readonly at: (path: string) => string;
}

export interface ConfigurationFile {
  readonly path: string;
  readonly settings: JsonObject;
}

/** A hook of ours, its place, and its shape. */
export interface FoundHook {
  readonly file: string;
  readonly event: string;
  readonly path: readonly (string | number)[];
  readonly group: JsonObject;
  readonly hook: JsonObject;
  readonly program: string;
  readonly isInForm: boolean;
}

export function hooksInGroups(host: Host, form: HookGroups): Installation {
  const { dialect = { comments: false }, at = ['hooks'], places } = form;
  const guarding = guardingOf(host);
  const parsed = (text: string | undefined) => parseConfiguration(text, dialect);
  const ours = (settings: JsonObject, file = '') => hooksIn(settings, file, host.name, form);
  const placesOf = (scope: InstallScope, machine: Machine): readonly string[] => {
    const place = places[scope];
    if (place === undefined) return [];
    return [guardPlace(typeof place === 'string' ? place : place(machine), machine, host.guards)];
  };
  const pathsOf = (paths: Paths, machine: Machine, files: Files): readonly string[] => {
    const listed = typeof paths === 'function' ? paths(machine, files) : paths;
    return [...new Set(listed.flatMap((path) => filesAt(guardPlace(path, machine, host.guards), files)))];
  };
  return {
    programs: form.programs,
    release: form.release,
    folder: (machine) => guardPlace(form.folder, machine, host.guards),
    guarding,
    ...(form.late === undefined ? {} : { late: form.late }),
    places: placesOf,
    edit(base, current, order, machine) {
      const { changes = [], entry = {} } =
        form.also?.(parsed(base), ours(parsed(current)), order, machine) ?? {};
      const timeout = form.timeout?.(order.release);
      const hook = {
        ...entry,
        ...host.hookConfiguration(order.start),
        ...(timeout === undefined ? {} : { timeout }),
      };
      const value = form.bare === true ? hook : { ...form.group, hooks: [hook] };
      const added = askedEvents(host.events, guarding, order.kinds)
        .filter((event) => takesEvent(form.late, event, order.release))
        .map((event) => ({ path: [...at, event, -1], value }));
      return keepIfSame(current, changeConfiguration(base, [...changes, ...added], dialect), dialect);
    },
    strip(text) {
      let stripped = text;
      for (;;) {
        const settings = parsed(stripped);
        const [first] = ours(settings);
        if (first === undefined) return stripped;
        // With the lists and objects that held nothing else.
        const path = withHolders(settings, [...first.path]);
        stripped = changeConfiguration(stripped, [{ path, value: undefined }], dialect);
      }
    },
    inspect(machine, files, release) {
      const atHost = (path: string) => guardPlace(path, machine, host.guards);
      const read = (path: string) => ({
        path,
        settings: readBy(path, files, (text) => form.parse?.(path, text) ?? parsed(text)),
      });
      const usual = SCOPES.flatMap((scope) => placesOf(scope, machine));
      const layers = pathsOf(form.layers ?? usual, machine, files).map(read);
      const others = pathsOf(form.off?.files ?? [], machine, files).map(read);
      const found = layers.flatMap(({ path, settings }) => ours(settings, path));
      const hooks = found.map((each) => installedHook(each, host.name, form, release));
      const shared = found.length === 0 ? [] : pathsOf(form.shared?.files ?? [], machine, files);
      const findings = [
        ...found.flatMap((each) => shapeFindings(each, host, form)),
        ...hooks.flatMap((each) => lineFindings(each, host.timeoutS(undefined))),
        ...offFindings([...layers, ...others], form),
        ...(form.findings?.({ host, layers, hooks: found, machine, files, at: atHost }) ?? []),
        ...sharedNotes(shared, host, form, files),
        ...projectNotes(layers, host, form, machine, placesOf('user', machine)),
      ];
      const started = hooks.filter(
        (_, index) => found[index]?.isInForm && Object.hasOwn(host.events, found[index]?.event ?? ''),
      );
      const own = placesOf('project', machine).filter((path) => !placesOf('user', machine).includes(path));
      return { hooks: oncePerLine(started), findings: findings.map((each) => fixedInProject(own, each)) };
    },
    read: form.read ?? readExitCode,
  };
}

/** A fault of a file of the project is mended there. */
function fixedInProject(project: readonly string[], found: HookFinding): HookFinding {
  const isThere = found.fix === REINSTALL && project.some((path) => found.message.startsWith(`${path} `));
  return isThere ? { ...found, fix: `${REINSTALL} --project` } : found;
}

/** Calls are guarded, and results where the host can keep them back. */
function guardingOf(host: Host): readonly EventKind[] {
  const { after_tool: results } = host.supports(undefined);
  return results === undefined || results.actions.every((action) => action === 'continue')
    ? ['before_tool']
    : ['before_tool', 'after_tool'];
}

/** A file, or the files that `*.json` at the end of a path means. */
function filesAt(path: string, files: Files): readonly string[] {
  if (!path.endsWith('/*.json')) return [path];
  const folder = path.slice(0, -'/*.json'.length);
  return files
    .names(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => `${folder}/${name}`);
}

/** Files whose key switches all hooks off. */
function offFindings(
  layers: readonly ConfigurationFile[],
  { off }: Pick<HookGroups, 'off'>,
): readonly HookFinding[] {
  if (off === undefined) return [];
  return layers
    .filter(({ settings }) => own(settings, off.key) === true)
    .map(({ path }) => finding('hooks-off', `${path} switches all hooks off (${off.key})`, 'take it out'));
}

/** Hooks of others that come with the project, and may change a call after this one has passed it. */
function projectNotes(
  layers: readonly ConfigurationFile[],
  { name, title }: Pick<Host, 'name' | 'title'>,
  form: HookGroups,
  machine: Machine,
  user: readonly string[],
): readonly HookFinding[] {
  return layers
    .filter(({ path }) => path.startsWith(`${machine.project}/`) && !user.includes(path))
    .filter(({ path, settings }) =>
      everyHook(settings, path, form).some(({ hook }) => programIn(lineOf(hook), name) === undefined),
    )
    .map(({ path }) => {
      const message = `${path} brings hooks of its own to ${title}, which can change a call after this hook has passed it`;
      return note('project-hooks', message, 'look at them before you trust the folder');
    });
}

/** Every hook that starts this program, in whatever shape it is written. */
function hooksIn(settings: JsonObject, file: string, name: string, form: Nesting): readonly FoundHook[] {
  return everyHook(settings, file, form).flatMap((each) => {
    const program = programIn(lineOf(each.hook), name);
    return program === undefined ? [] : [{ ...each, program }];
  });
}

type Nesting = Pick<HookGroups, 'at' | 'bare'>;

function everyHook(
  settings: JsonObject,
  file: string,
  { at = ['hooks'], bare = false }: Nesting,
): readonly Omit<FoundHook, 'program'>[] {
  const found: Omit<FoundHook, 'program'>[] = [];
  const byEvent = at.reduce((inside, key) => ownObject(inside, key) ?? {}, settings);
  for (const [event, groups] of Object.entries(byEvent)) {
    for (const [index, group] of (Array.isArray(groups) ? groups : []).entries()) {
      if (!isJsonObject(group)) continue;
      const path = [...at, event, index];
      const inGroup = own(group, 'hooks');
      const hooks = Array.isArray(inGroup) ? inGroup : [group];
      for (const [position, hook] of hooks.entries()) {
        if (!isJsonObject(hook)) continue;
        const isInForm = (hooks === inGroup) === !bare;
        const whole = hooks.length === 1 ? path : [...path, 'hooks', position];
        found.push({ file, event, path: whole, group, hook, isInForm });
      }
    }
  }
  return found;
}

function lineOf(hook: JsonObject): string {
  return ownString(hook, 'command') ?? '';
}

function installedHook(
  { file, event, hook }: FoundHook,
  host: string,
  { shell = 'sh', toMs = (seconds) => seconds * 1_000, usualTimeoutS }: HookGroups,
  release: string | undefined,
): InstalledHook {
  const env = Object.entries(ownObject(hook, 'env') ?? {}).map(([key, value]) => [key, String(value)]);
  const timeout = own(hook, 'timeout');
  return shellHook(host, lineOf(hook), {
    path: file,
    events: [event],
    argv: [shell, '-c', lineOf(hook)],
    env: Object.fromEntries(env),
    timeoutMs: timeout === undefined ? usualTimeoutS * 1_000 : toMs(Number(timeout), release),
  });
}

/** Hooks of ours in files of other hosts, which this one starts beside its own. */
function sharedNotes(
  paths: readonly string[],
  { name, title }: Host,
  { shared }: Pick<HookGroups, 'shared'>,
  files: Files,
): readonly HookFinding[] {
  return paths
    .filter((path) => startsHookOfOthers(readForeignText(path, files), name))
    .map((path) => {
      const message = `${title} starts the hook of ${path} as well, and so asks about each call twice`;
      return note('asks-twice', message, shared?.fix ?? '');
    });
}

/** Keys of a hook with which the host does not wait for it, or asks it about some calls only. */
const LOOSE = {
  async: 'does not wait for its answer',
  asyncRewake: 'does not wait for its answer',
  if: 'asks it about some calls only',
  commandRegex: 'asks it about some calls only',
  once: 'asks it once',
} as const;

function shapeFindings(
  { file, event, group, hook, isInForm }: FoundHook,
  { title, events, hookConfiguration }: Host,
  { allTools = ['*', '.*'] }: HookGroups,
): readonly HookFinding[] {
  const found: HookFinding[] = [];
  if (!Object.hasOwn(events, event)) {
    const message = `${file} names the event "${event}", which ${title} does not have`;
    found.push(finding('event', message, REINSTALL));
  }
  const { type } = hookConfiguration({ ...DOCUMENTED_START, version: undefined });
  if (!isInForm || (type !== undefined && own(hook, 'type') !== type)) {
    const message = `${file} has a hook on ${event} without its envelope, which ${title} drops`;
    found.push(finding('envelope', message, REINSTALL));
  }
  for (const [key, what] of Object.entries(LOOSE)) {
    const value = own(hook, key) ?? own(group, key);
    if (value === undefined || value === false || value === '') continue;
    found.push(finding('loose', `${file} has ${key} in the hook on ${event}: ${title} ${what}`, REINSTALL));
  }
  const matcher = own(group, 'matcher');
  if (isInForm && matcher !== undefined && !['', ...allTools].includes(String(matcher))) {
    const message = `${file} shows the hook only tools that match ${JSON.stringify(matcher)} on ${event}`;
    found.push(finding('matcher', message, REINSTALL));
  }
  return found;
}
