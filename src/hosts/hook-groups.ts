import { isJsonObject, type JsonObject, own, ownObject, ownString } from '../lib/json.ts';
import type { Host } from './host.ts';
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
  type Scope,
  startsHookOfOthers,
  textOfOthers,
} from './installation.ts';
import {
  type Change,
  changeConfiguration,
  type JsonDialect,
  parseConfiguration,
  unlessSame,
  withHolders,
} from './json-configuration.ts';
import { takesEvent } from './late-events.ts';

/** A configuration that lists hooks by event, in groups: `{"Event": [{"matcher": "*", "hooks": [{…}]}]}`. */
export interface HookGroups
  extends Pick<Installation, 'programs' | 'release' | 'folder' | 'guarding' | 'late' | 'read'> {
  readonly dialect: JsonDialect;
  /** Keys that lead to the events. */
  readonly at: readonly string[];
  /** The file to write to; undefined where there is none of that scope. */
  readonly place: (scope: Scope, machine: Machine) => string | undefined;
  /** Every file that the host reads hooks from. */
  readonly layers: (machine: Machine, files: Files) => readonly string[];
  /** How a layer is read that is not in the dialect. */
  readonly parse?: (path: string, text: string | undefined) => JsonObject | undefined;
  /** A key of settings that switches all hooks off, and the files beside the layers that may have it. */
  readonly off?: {
    readonly key: string;
    readonly files?: (machine: Machine, files: Files) => readonly string[];
  };
  /** True if hooks are listed without groups: `{"Event": [{…}]}`. */
  readonly bare?: boolean;
  /** True if hooks do not say what they are: there is one kind. */
  readonly untyped?: boolean;
  /** What a group says beside its hooks. */
  readonly group: JsonObject;
  /** Matchers that show the hook every tool, beside none. */
  readonly allTools: readonly string[];
  /** How the host starts a line. */
  readonly shell: readonly string[];
  /** Milliseconds in the unit of `timeout`, by what is written and by the version of the host where that matters. */
  readonly unitMs: number | ((written: number, release: string | undefined) => number);
  /** What `policy install` writes as `timeout`, where that depends on the version of the host. */
  readonly timeout?: (release: string | undefined) => number;
  /** How long the host waits unless the hook says something else, in seconds. */
  readonly usualTimeoutS: number;
  /** Files of other hosts that this one starts hooks from as well, and what to do about those that are ours. */
  readonly shared?: {
    readonly files: (machine: Machine, files: Files) => readonly string[];
    readonly fix: string;
  };
  /** More changes, and what is put into each hook. */
  readonly also?: (
    settings: JsonObject,
    current: readonly FoundHook[],
    order: Parameters<Installation['edit']>[2],
    machine: Machine,
  ) => { readonly changes: readonly Change[]; readonly entry: JsonObject };
  /** What is wrong beside the hooks themselves. */
  readonly findings?: (
    layers: readonly Layer[],
    hooks: readonly FoundHook[],
    machine: Machine,
    files: Files,
  ) => readonly Finding[];
}

/** A configuration file as it is read. */
export interface Layer {
  readonly path: string;
  readonly settings: JsonObject;
}

/** A hook of ours, where it stands, and in which shape. */
export interface FoundHook {
  /** The file. */
  readonly file: string;
  readonly event: string;
  readonly path: readonly (string | number)[];
  readonly group: JsonObject;
  readonly hook: JsonObject;
  readonly program: string;
  readonly isInForm: boolean;
}

/** The installation of a host with such a configuration. */
export function hooksInGroups(
  host: Pick<Host, 'name' | 'title' | 'events' | 'timeoutS' | 'hookConfiguration'>,
  form: HookGroups,
): Installation {
  const { dialect, at, guarding } = form;
  const parsed = (text: string | undefined) => parseConfiguration(text, dialect);
  const ours = (settings: JsonObject, file = '') => hooksIn(settings, file, host.name, form);
  return {
    programs: form.programs,
    release: form.release,
    folder: form.folder,
    guarding,
    ...(form.late === undefined ? {} : { late: form.late }),
    places(scope, machine) {
      const path = form.place(scope, machine);
      return path === undefined ? [] : [{ path, version: undefined }];
    },
    choose: ([place = { path: '', version: undefined }]) => place,
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
      const added = Object.entries(host.events)
        .filter(([, kind]) => guarding.includes(kind) || order.kinds.has(kind))
        .filter(([event]) => takesEvent(form.late, event, order.release))
        .map(([event]) => ({ path: [...at, event, -1], value }));
      return unlessSame(current, changeConfiguration(base, [...changes, ...added], dialect), dialect);
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
      const read = (path: string) => ({
        path,
        settings: readBy(path, files, (text) => form.parse?.(path, text) ?? parsed(text)),
      });
      const layers = [...new Set(form.layers(machine, files))].map(read);
      const others = [...new Set(form.off?.files?.(machine, files) ?? [])].map(read);
      const found = layers.flatMap(({ path, settings }) => ours(settings, path));
      const hooks = found.map((each) => installedHook(each, form, release));
      const findings = [
        ...found.flatMap((each) => shapeFindings(each, host, form)),
        ...hooks.flatMap((each) => lineFindings(each, host.timeoutS(undefined))),
        ...offFindings([...layers, ...others], form),
        ...(form.findings?.(layers, found, machine, files) ?? []),
        ...(found.length === 0 ? [] : sharedNotes(host, form, machine, files)),
        ...projectNotes(layers, host, form, machine),
      ];
      const started = hooks.filter(
        (_, index) => found[index]?.isInForm && Object.hasOwn(host.events, found[index]?.event ?? ''),
      );
      return { hooks: merged(started), findings };
    },
    input: (message) => message,
    read: form.read,
  };
}

/** Files whose key switches all hooks off. */
function offFindings(layers: readonly Layer[], { off }: Pick<HookGroups, 'off'>): readonly Finding[] {
  if (off === undefined) return [];
  return layers
    .filter(({ settings }) => own(settings, off.key) === true)
    .map(({ path }) => finding('hooks-off', `${path} switches all hooks off (${off.key})`, 'take it out'));
}

/** Hooks of others that come with the project, and may change a call after this one has passed it. */
function projectNotes(
  layers: readonly Layer[],
  { name, title }: Pick<Host, 'name' | 'title'>,
  form: HookGroups,
  machine: Machine,
): readonly Finding[] {
  const user = form.place('user', machine);
  return layers
    .filter(({ path }) => path.startsWith(`${machine.project}/`) && path !== user)
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
  { at, bare = false }: Nesting,
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
  { file, event, hook, program }: FoundHook,
  form: HookGroups,
  release: string | undefined,
): InstalledHook {
  const env = Object.entries(ownObject(hook, 'env') ?? {}).map(([key, value]) => [key, String(value)]);
  const timeout = own(hook, 'timeout');
  const { unitMs } = form;
  const toMs = typeof unitMs === 'number' ? (written: number) => written * unitMs : unitMs;
  return {
    path: file,
    events: [event],
    program,
    argv: [...form.shell, lineOf(hook)],
    env: Object.fromEntries(env),
    timeoutMs: timeout === undefined ? form.usualTimeoutS * 1_000 : toMs(Number(timeout), release),
    version: undefined,
  };
}

/** One hook for each line: a configuration lists a hook once for each event. */
function merged(hooks: readonly InstalledHook[]): readonly InstalledHook[] {
  const byLine = new Map<string, InstalledHook>();
  for (const hook of hooks) {
    const key = JSON.stringify([hook.path, hook.argv, hook.env, hook.timeoutMs]);
    const same = byLine.get(key);
    byLine.set(key, same === undefined ? hook : { ...same, events: [...same.events, ...hook.events] });
  }
  return [...byLine.values()];
}

/** Hooks of ours that the host starts beside its own. */
function sharedNotes(
  { name, title }: Pick<Host, 'name' | 'title'>,
  { shared }: Pick<HookGroups, 'shared'>,
  machine: Machine,
  files: Files,
): readonly Finding[] {
  if (shared === undefined) return [];
  return [...new Set(shared.files(machine, files))]
    .filter((path) => startsHookOfOthers(textOfOthers(path, files), name))
    .map((path) => {
      const message = `${title} starts the hook of ${path} as well, and so asks about each call twice`;
      return note('asks-twice', message, shared.fix);
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
  { title, events }: Pick<Host, 'title' | 'events'>,
  { allTools, untyped = false }: Pick<HookGroups, 'allTools' | 'untyped'>,
): readonly Finding[] {
  const found: Finding[] = [];
  if (!Object.hasOwn(events, event)) {
    const message = `${file} names the event "${event}", which ${title} does not have`;
    found.push(finding('event', message, REINSTALL));
  }
  if (!isInForm || (!untyped && own(hook, 'type') !== 'command')) {
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
