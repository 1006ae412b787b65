import type { Json, JsonObject } from '../lib/json.ts';
import type { ToolCall, ToolClass } from '../model/event.ts';
import type { HostTool } from './host.ts';

/** A tool of a host as a call shows it; the same object, and in it the same array, for the same result. */
export type ClassifiedTool = Required<HostTool> & Pick<ToolCall, 'lookalikes' | 'unsure'>;

/**
 * The classes and argument names of a tool. A table's key is the tool's name, or with a final `*` the start of one. A
 * tool that is not in the table is `other`. What an `other`, `mcp` or `schedule` tool does is not known from its name:
 * it is in the class of a command, path or URL among its arguments too. A path alone may be read or written, so it
 * counts as both. A tool called `apply_patch` writes.
 */
export function classifyTool(
  tools: Readonly<Record<string, HostTool>>,
  name: string,
  args: JsonObject | undefined,
): ClassifiedTool {
  const known = lookUp(tools, name);
  if (known.unread === undefined) return known.tool;
  return args === undefined ? known.unread : widen(known, args);
}

const OTHER: HostTool = { classes: ['other'] };
const OPEN_CLASSES: readonly ToolClass[] = ['other', 'mcp', 'schedule'];
const NO_ALIASES: Readonly<Record<string, string>> = {};

interface Entry {
  readonly tool: ClassifiedTool;
  /** Where arguments may add classes: the same with arguments that cannot be read. */
  readonly unread: ClassifiedTool | undefined;
  /** By the argument names that made the difference. */
  readonly widened: Map<string, ClassifiedTool>;
}

interface Table {
  readonly exact: ReadonlyMap<string, Entry>;
  readonly prefixes: readonly (readonly [prefix: string, entry: Entry])[];
}

const tables = new WeakMap<Readonly<Record<string, HostTool>>, Table>();
const unknownTool = entryOf(OTHER);
const patchTool = entryOf({ classes: ['other', 'write'] });

function lookUp(tools: Readonly<Record<string, HostTool>>, name: string): Entry {
  let table = tables.get(tools);
  if (table === undefined) {
    table = indexTable(tools);
    tables.set(tools, table);
  }
  const exact = table.exact.get(name);
  if (exact !== undefined) return exact;
  for (const [prefix, entry] of table.prefixes) if (name.startsWith(prefix)) return entry;
  return /^apply_?patch$/i.test(name) ? patchTool : unknownTool;
}

function indexTable(tools: Readonly<Record<string, HostTool>>): Table {
  const rows = Object.entries(tools).map(([name, tool]) => [name, entryOf(tool)] as const);
  return {
    exact: new Map(rows.filter(([name]) => !name.endsWith('*'))),
    prefixes: rows
      .filter(([name]) => name.endsWith('*'))
      .map(([name, entry]) => [name.slice(0, -1), entry] as const),
  };
}

function entryOf({ classes, aliases = NO_ALIASES }: HostTool): Entry {
  const isOpen = classes.some((name) => OPEN_CLASSES.includes(name));
  return {
    tool: { classes, aliases },
    // A list of its own: what is the same for every call of a tool is told apart by it.
    unread: isOpen ? { classes: [...classes], aliases, unsure: true } : undefined,
    widened: new Map(),
  };
}

// Without case, `_` and `-`: every server has its own taste, and none may be the way around a policy.
const COMMAND_NAMES = ['command', 'cmd', 'commandline', 'shellcommand', 'commands'];
const PATH_NAMES = [
  'path',
  'filepath',
  'absolutepath',
  'relativepath',
  'file',
  'filename',
  'paths',
  'files',
  'directory',
  'dirpath',
];
const URL_NAMES = ['url', 'uri', 'href', 'urls'];
const ARGS_NAMES = ['args', 'arguments', 'argv', 'arg', 'parameters', 'params'];
const CONTENT_NAMES = ['content', 'contents', 'text', 'filetext', 'body'];
const LONGEST_NAME = 24;

/** Argument names come from the model: an agent that invents combinations must not fill the memory. */
const MAX_WIDENED = 1_024;

function widen(entry: Entry, args: JsonObject): ClassifiedTool {
  const names = namesByMeaning(args);
  const command = namesAmong(COMMAND_NAMES, names);
  const path = namesAmong(PATH_NAMES, names);
  const url = namesAmong(URL_NAMES, names);
  if (command.length === 0 && path.length === 0 && url.length === 0) return entry.tool;
  const content = namesAmong(CONTENT_NAMES, names);
  const words = namesAmong(ARGS_NAMES, names);
  const key = [command, path, url, content, words].join('|');
  const seen = entry.widened.get(key);
  if (seen !== undefined) return seen;
  const classes = new Set(entry.tool.classes);
  const aliases: Record<string, string> = { ...entry.tool.aliases };
  const lookalikes: Record<string, readonly string[]> = {};
  if (command.length > 0) classes.add('shell');
  if (path.length > 0) classes.add('read').add('write');
  if (url.length > 0) classes.add('fetch');
  for (const [portable, [own, ...others]] of Object.entries({ command, path, url, content, args: words })) {
    if (own !== undefined && own !== portable) aliases[portable] = own;
    if (others.length > 0) lookalikes[portable] = others;
  }
  const widened: ClassifiedTool = {
    classes: [...classes],
    aliases,
    ...(Object.keys(lookalikes).length === 0 ? {} : { lookalikes }),
  };
  if (entry.widened.size >= MAX_WIDENED) entry.widened.clear();
  entry.widened.set(key, widened);
  return widened;
}

/** The arguments that carry text, by their names without case and marks; what is named exactly so comes first. */
function namesByMeaning(args: JsonObject): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const name of Object.keys(args)) {
    if (name.length > LONGEST_NAME || !carriesText(args[name])) continue;
    const meaning = name.toLowerCase().replace(/[-_]/g, '');
    const others = names.get(meaning) ?? [];
    names.set(meaning, name === meaning ? [name, ...others] : [...others, name]);
  }
  return names;
}

function namesAmong(
  wanted: readonly string[],
  names: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return wanted.flatMap((meaning) => names.get(meaning) ?? []);
}

function carriesText(value: Json | undefined): boolean {
  return (
    typeof value === 'string' || (Array.isArray(value) && value.some((item) => typeof item === 'string'))
  );
}
