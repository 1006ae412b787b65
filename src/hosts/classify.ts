import { type JsonObject, own, ownString } from '../lib/json.ts';
import {
  type ArgumentPath,
  type ArgumentReadings,
  OPEN_CLASSES,
  type ToolCall,
  type ToolClass,
} from '../model/event.ts';
import {
  FOUND_NAMES,
  type FoundArguments,
  type FoundName,
  findArguments,
  MAX_ARGUMENTS_FOUND,
} from './find-arguments.ts';
import type { HostTool } from './host.ts';
import type { ImpliedBy } from './implied/implied-call.ts';

/** A tool of a host as a call shows it; in it the same array for the same classes of the same tool. */
export type ClassifiedTool = Pick<
  ToolCall,
  | 'classes'
  | 'shell'
  | 'background'
  | 'aliases'
  | 'globs'
  | 'lookalikes'
  | 'commands'
  | 'reads'
  | 'finds'
  | 'extraArguments'
  | 'unsure'
>;

/**
 * The classes and argument names of a tool. A table's key is the tool's name, or with a final `*` the start of one. A tool that
 * is not in the table is `other`. The name of an `other`, `mcp` or `schedule` tool does not show its effects: it is in the class
 * of a command, path or URL among its arguments too, at any depth. A path alone may be read or written, so it counts as both. A
 * tool called `apply_patch` writes.
 */
export function classifyTool(
  tools: Readonly<Record<string, HostTool>>,
  name: string,
  args: JsonObject | undefined,
): ClassifiedTool {
  const known = lookUp(tools, name);
  const tool =
    known.unread === undefined
      ? (inLists(known, args) ?? withFoundPath(inCase(known, args) ?? known.tool, args))
      : args === undefined
        ? known.unread
        : widen(known, args);
  return args === undefined ? tool : withImplied(known, tool, args);
}

/** The tool as it is with the value of the argument that makes a difference. */
function inCase({ caseOf, cases }: Entry, args: JsonObject | undefined): ClassifiedTool | undefined {
  if (caseOf === undefined || args === undefined) return undefined;
  const value = ownString(args, caseOf);
  return value === undefined ? undefined : cases.get(value);
}

const FILE_CLASSES: readonly ToolClass[] = ['read', 'write', 'edit'];

/** A tool for a file whose path is not where it should be: under whatever name it is, the host may take it from there. */
function withFoundPath(tool: ClassifiedTool, args: JsonObject | undefined): ClassifiedTool {
  if (args === undefined || tool.globs !== undefined) return tool;
  if (!tool.classes.some((name) => FILE_CLASSES.includes(name))) return tool;
  if ([tool.aliases['path'] ?? 'path', 'path'].some((name) => ownString(args, name))) return tool;
  const { named, complete } = findArguments(args);
  if (named.path.length === 0 && complete) return tool;
  const { aliases, lookalikes } = argumentNames(tool.aliases, { ...NOTHING_FOUND, path: named.path });
  return {
    ...tool,
    aliases,
    ...(lookalikes === undefined ? {} : { lookalikes }),
    ...(complete ? {} : { classes: [...tool.classes], unsure: true }),
  };
}

const NOTHING_FOUND: FoundArguments['named'] = {
  command: [],
  path: [],
  url: [],
  content: [],
  args: [],
  cwd: [],
};

/** The tool with the meaning of the call. */
function withImplied(entry: Entry, tool: ClassifiedTool, args: JsonObject): ClassifiedTool {
  const implied = entry.implied?.(args);
  if (implied === undefined) return tool;
  const key = `${tool.classes} and ${implied.classes}`;
  const classes = entry.widened.get(key) ?? [...new Set([...tool.classes, ...implied.classes])];
  entry.widened.set(key, classes);
  return { ...tool, classes, extraArguments: implied.arguments };
}

/** The tool with the entries in the lists of the call. */
function inLists({ tool, lists }: Entry, args: JsonObject | undefined): ClassifiedTool | undefined {
  if (lists.length === 0 || args === undefined) return undefined;
  const lookalikes: Record<string, ArgumentPath[]> = {};
  let left = MAX_ARGUMENTS_FOUND;
  for (const [list, aliases] of lists) {
    const items = own(args, list);
    const length = Array.isArray(items) ? items.length : 0;
    for (const [portable, native] of Object.entries(aliases)) {
      left -= length;
      if (left < 0) return { ...tool, classes: [...tool.classes], unsure: true };
      const places = Array.from({ length }, (_, index) => [list, index, native]);
      lookalikes[portable] = [...(lookalikes[portable] ?? []), ...places];
    }
  }
  return { ...tool, lookalikes };
}

const OTHER: HostTool = { classes: ['other'] };
const NO_ALIASES: Readonly<Record<string, string>> = {};

/** Servers and their kin may change arguments that nobody explains in these ways. */
const OPEN_READS: ArgumentReadings = { path: ['path of a URI'], texts: ['JSON as text'] };

interface Entry {
  readonly tool: ClassifiedTool;
  /** True if its arguments may add classes. */
  readonly isOpen: boolean;
  /** The argument that makes a difference, and the tool by its value. */
  readonly caseOf: string | undefined;
  readonly cases: ReadonlyMap<string, ClassifiedTool>;
  readonly implied: ImpliedBy | undefined;
  readonly lists: readonly (readonly [list: string, aliases: HostTool['aliases'] & {}])[];
  /** If arguments may add classes: the same with arguments that cannot be read. */
  readonly unread: ClassifiedTool | undefined;
  /** The classes with those that arguments add, by which they are. */
  readonly widened: Map<string, readonly ToolClass[]>;
}

/** By row: of the many tools of a host, few are used. */
const entries = new WeakMap<HostTool, Entry>();
/** The rows whose names end with a star, without it. */
const prefixes = new WeakMap<HostTools, readonly (readonly [prefix: string, row: HostTool])[]>();
type HostTools = Readonly<Record<string, HostTool>>;
const unknownTool = entryOf(OTHER);
const patchTool = entryOf({ classes: ['other', 'write'] });

function lookUp(tools: HostTools, name: string): Entry {
  const row = Object.hasOwn(tools, name) && !name.endsWith('*') ? tools[name] : byPrefix(tools, name);
  if (row === undefined) return /^apply_?patch$/i.test(name) ? patchTool : unknownTool;
  const entry = entries.get(row) ?? entryOf(row);
  entries.set(row, entry);
  return entry;
}

function byPrefix(tools: HostTools, name: string): HostTool | undefined {
  const found =
    prefixes.get(tools) ??
    Object.entries(tools).flatMap(([key, row]) =>
      key.endsWith('*') ? [[key.slice(0, -1), row] as const] : [],
    );
  prefixes.set(tools, found);
  return found.find(([prefix]) => name.startsWith(prefix))?.[1];
}

function entryOf(row: HostTool): Entry {
  const { classes, aliases = NO_ALIASES, cases, globs, lists = {}, implied } = row;
  const { anyNames = false, inert = false, finds, shell, background } = row;
  const isOpen = !inert && classes.some((name) => OPEN_CLASSES.includes(name));
  const reads = isOpen ? { ...OPEN_READS, ...row.reads } : row.reads;
  const tool = {
    classes,
    aliases,
    ...(globs === undefined ? {} : { globs }),
    ...(reads === undefined ? {} : { reads }),
    ...(finds === undefined ? {} : { finds }),
    ...(shell === undefined ? {} : { shell }),
    ...(background === undefined ? {} : { background }),
  };
  return {
    tool,
    isOpen,
    lists: Object.entries(lists),
    caseOf: cases?.by,
    cases: new Map(Object.entries(cases?.of ?? {}).map(([value, other]) => [value, { ...tool, ...other }])),
    implied,
    // A list of its own: caches for every call of a tool use it as their key.
    unread: isOpen || anyNames ? { classes: [...classes], aliases, unsure: true } : undefined,
    widened: new Map(),
  };
}

function widen(entry: Entry, args: JsonObject): ClassifiedTool {
  const { named, commands, complete } = findArguments(args);
  if (!entry.isOpen) return byAnyName(entry.tool, named, commands, complete);
  const added: readonly (readonly [ToolClass, boolean])[] = [
    ['shell', commands.length > 0],
    ['read', named.path.length > 0],
    ['write', named.path.length > 0],
    ['fetch', named.url.length > 0],
  ];
  const more = added.flatMap(([name, isThere]) => (isThere ? [name] : []));
  if (more.length === 0 && named.args.length === 0 && complete) return entry.tool;
  return {
    ...entry.tool,
    classes: widenedClasses(entry, more, complete),
    ...argumentNames(entry.tool.aliases, named),
    ...(commands.length === 0 ? {} : { commands }),
    ...(complete ? {} : { unsure: true }),
  };
}

/** A tool of classes that are known, with its arguments under whatever names. */
function byAnyName(
  tool: ClassifiedTool,
  named: FoundArguments['named'],
  commands: FoundArguments['commands'],
  complete: boolean,
): ClassifiedTool {
  return {
    ...tool,
    ...argumentNames(tool.aliases, named),
    ...(commands.length > 0 && tool.classes.includes('shell') ? { commands } : {}),
    ...(complete ? {} : { classes: [...tool.classes], unsure: true }),
  };
}

/** A list of its own for unsure classes, see `entryOf`. */
function widenedClasses(
  { tool, widened }: Entry,
  more: readonly ToolClass[],
  complete: boolean,
): readonly ToolClass[] {
  const key = `${more} ${complete}`;
  const before = widened.get(key);
  if (before !== undefined) return before;
  const classes = [...new Set([...tool.classes, ...more])];
  widened.set(key, classes);
  return classes;
}

/** The best name on the top level is the tool's own; whatever else may mean the same is a lookalike. */
function argumentNames(
  known: HostTool['aliases'],
  named: FoundArguments['named'],
): Pick<ClassifiedTool, 'aliases' | 'lookalikes'> {
  const aliases: Record<string, string> = { ...known };
  const lookalikes: Partial<Record<FoundName, NonNullable<ToolCall['lookalikes']>[string]>> = {};
  for (const portable of FOUND_NAMES) {
    const sorted = named[portable].toSorted((a, b) => a.at.length - b.at.length || a.rank - b.rank);
    const [best] = sorted;
    const name = best?.at.length === 1 ? String(best.at[0]) : undefined;
    if (name !== undefined && name !== portable) aliases[portable] = name;
    const others = (name === undefined ? sorted : sorted.slice(1)).map(({ at }) => at);
    if (others.length > 0) lookalikes[portable] = others;
  }
  return { aliases, ...(Object.keys(lookalikes).length === 0 ? {} : { lookalikes }) };
}
