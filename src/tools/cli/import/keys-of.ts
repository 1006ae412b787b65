import type { Json, JsonObject } from '../../../lib/json.ts';
import { globRegex, isAny } from './command-pattern.ts';
import { commandTests, oneOf, sampleCommands } from './command-tests.ts';
import type { ImportedRule, ImportedSubject } from './imported.ts';
import { nonEmpty } from './try-policy.ts';

/** Matching keys of a policy with calls that it hits, and calls that it misses, the plainest first. */
export interface Keys {
  readonly keys: JsonObject;
  readonly hits: readonly Json[];
  readonly misses: readonly Json[];
  /** The difference to the host's own rule. */
  readonly differs?: string;
}

const USES: Readonly<Record<'read' | 'write' | 'both', Json>> = {
  read: 'read',
  write: ['write', 'empty', 'delete'],
  both: ['read', 'write', 'empty', 'delete'],
};

/** The portable classes of tools that hosts have under names of their own. */
const CLASSES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    shell: 'Bash bash shell Shell run_shell_command',
    fetch: 'WebFetch webfetch web_fetch',
    web_search: 'WebSearch websearch google_web_search',
    agent: 'Agent Task task',
    read: 'Read read read_file view show_file read_many_files',
    write: 'Write write_file create Delete',
    edit: 'replace MultiEdit NotebookEdit StrReplace EditNotebook multiedit patch apply_patch str_replace_editor',
    'edit write': 'Edit edit write',
  }).flatMap(([classes, names]) => names.split(' ').map((name) => [name, classes.split(' ')] as const)),
);

/** Tools beside the one that has most of the calls of its class: these alone are not the class. */
const LESSER =
  'MultiEdit NotebookEdit EditNotebook multiedit patch Delete StrReplace show_file read_many_files'.split(
    ' ',
  );

/** Classes that a tool of a server does not come into by its arguments alone. */
const OWN_CLASSES = ['shell', 'fetch', 'web_search', 'agent'];

/** How refusals of a subject may be said, best first. */
export function keysOf(subject: ImportedSubject, rule?: ImportedRule): readonly Keys[] {
  switch (subject.kind) {
    case 'command':
      return commandKeys(subject, rule);
    case 'path':
      return [pathKeys(subject)];
    case 'url':
      return urlKeys(subject.url);
    case 'outside':
      return [
        {
          keys: {
            path: { outside: 'workspace', ...nonEmpty('except', subject.except) },
          },
          hits: [{ tool: 'read', path: '../other/a' }, { command: 'cat ../other/a' }],
          misses: [
            { tool: 'read', path: 'a' },
            ...subject.except.map((glob) => ({ tool: 'read', path: samplePath(glob) })),
          ],
        },
      ];
    case 'tool':
      return [toolKeys(subject)];
    default:
      return subject satisfies never;
  }
}

function pathKeys({ refused, use, except }: Extract<ImportedSubject, { kind: 'path' }>): Keys {
  const readOf = (path: string): Json => ({ tool: 'read', path });
  const writeOf = (path: string): Json => ({ tool: 'write', path, content: 'a' });
  const plainUse = use === 'write' ? writeOf : readOf;
  const paths = [...new Set(refused.map(samplePath))];
  return {
    keys: {
      path: { match: oneOf(refused), uses: USES[use], ...nonEmpty('except', except) },
    },
    hits: paths.flatMap((path) => [
      ...(use === 'write' ? [] : [readOf(path)]),
      ...(use === 'read' ? [] : [writeOf(path)]),
      { command: use === 'write' ? `echo a > ${path}` : `cat ${path}` },
    ]),
    misses: [
      plainUse('other/place.txt'),
      ...(use === 'write' ? [readOf(paths[0] ?? 'a')] : []),
      ...except.map((glob) => plainUse(samplePath(glob))),
    ],
  };
}

function commandKeys(
  { pattern }: Extract<ImportedSubject, { kind: 'command' }>,
  rule?: ImportedRule,
): readonly Keys[] {
  const samples = sampleCommands(pattern);
  const calls = (list: readonly string[]) => list.map((command) => ({ command }));
  if (isAny(pattern))
    return [{ keys: { tool: 'shell' }, hits: calls(['ls']), misses: [{ tool: 'read', path: 'a' }] }];
  const hits = calls([...samples.hits.slice(0, 1), ...(rule?.hits ?? []), ...samples.hits.slice(1)]);
  const misses = calls([...(rule?.misses ?? []), ...samples.misses]);
  const said = commandTests(pattern).map((test) => ({ keys: { command: test }, hits, misses }));
  const text = pattern.regex ?? globRegex(pattern.glob);
  const bounded = pattern.regex === undefined ? `(?:^|[;&|(]\\s*)${text}\\s*(?:$|[;&|)])` : text;
  const inWords: Keys = {
    keys: { tool: 'shell', arguments: { command: bounded } },
    hits,
    misses,
    differs: 'it is compared with the text of the command, so other spellings escape it',
  };
  return [...said, inWords];
}

function urlKeys(url: string): readonly Keys[] {
  if (/^\*+$/.test(url))
    return [
      {
        keys: { tool: 'fetch' },
        hits: [{ tool: 'fetch', url: 'https://example.org' }],
        misses: [{ tool: 'shell', command: 'ls' }],
      },
    ];
  const said = urlTest(url);
  const sample = sampleUrl(url);
  const hits = [{ tool: 'fetch', url: sample }];
  const misses = [{ tool: 'fetch', url: 'https://other.example.org/' }];
  if (said !== undefined) return [{ keys: { tool: 'fetch', url: said }, hits, misses }];
  const text = /^[a-z]+:/i.test(url)
    ? `^${globRegex(url)}$`
    : `^[a-z]+://${globRegex(url, '[^/]*')}(?:[/:?#]|$)`;
  return [
    {
      keys: { tool: 'fetch', arguments: { url: text } },
      hits,
      misses,
      differs: 'it is compared with the text of the address',
    },
  ];
}

/** A pattern of addresses as `url` takes it; undefined if it cannot. */
export function urlTest(url: string): Json | undefined {
  const [, scheme, host = url, port, path = ''] =
    /^([a-z]+):\/\/([^/:]+)(?::(\d+))?(\/.*)?$/i.exec(url) ?? [];
  if (!/^(?:\*\.)?[\w-]+(?:\.[\w-]+)*$/.test(host)) return undefined;
  const parts: JsonObject = {
    ...(scheme === undefined ? {} : { scheme: scheme.toLowerCase() }),
    host: host.startsWith('*.') ? host : { equals: host },
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(path === '' || /^\/\**$/.test(path) ? {} : { path: `^${globRegex(path)}$` }),
  };
  return Object.keys(parts).length === 1 && typeof parts['host'] === 'string' ? parts['host'] : parts;
}

/** An address that a pattern matches. */
export function sampleUrl(url: string): string {
  const full = /^[a-z]+:\/\//i.test(url) ? url : `https://${url}/`;
  return full.replace('*.', 'a.').replace(/\*+/g, 'x').replace(/\?/g, 'x');
}

function toolKeys({
  names,
  without = [],
  arguments: tested,
  sample,
}: Extract<ImportedSubject, { kind: 'tool' }>): Keys {
  const classes = [...new Set(names.flatMap((name) => CLASSES.get(name) ?? []))];
  const isClassed = names.some((name) => !LESSER.includes(name)) && names.every((name) => CLASSES.has(name));
  const isFiles = classes.some((name) => ['read', 'write', 'edit'].includes(name));
  const which: JsonObject = isClassed
    ? { tool: oneOf(classes), ...(isFiles ? { not: { tool: 'mcp' } } : {}) }
    : { tool_matcher: names.join('|'), ...notOf(without) };
  const call = (name: string): JsonObject => ({
    tool: name.replace(/\*+/g, 'x'),
    ...(sample ?? SAMPLES[name] ?? { a: 'b' }),
  });
  return {
    keys: { ...which, ...(tested === undefined ? {} : { arguments: tested }) },
    hits: (isClassed ? [...classes, ...names] : names).map(call),
    misses: [
      { tool: 'other_tool', a: 'b' },
      ...without.map(call),
      ...(tested === undefined ? [] : names.map((name) => ({ tool: name.replace(/\*+/g, 'x'), a: 'b' }))),
    ],
  };
}

/** The tools that do not count, by class if a class says it for the tools of every host. */
function notOf(without: readonly string[]): JsonObject {
  const classOf = (name: string) => {
    const classes = CLASSES.get(name) ?? [];
    return classes.length === 1 && OWN_CLASSES.includes(classes[0] ?? '') ? classes[0] : undefined;
  };
  const classes = [...new Set(without.flatMap((name) => classOf(name) ?? []))];
  const names = without.filter((name) => classOf(name) === undefined);
  const nots: JsonObject[] = [
    ...(classes.length === 0 ? [] : [{ tool: oneOf(classes) }]),
    ...(names.length === 0 ? [] : [{ tool_matcher: names.join('|') }]),
  ];
  const [only] = nots;
  return only === undefined ? {} : { not: nots.length === 1 ? only : { any: nots } };
}

const FILE: JsonObject = { path: 'a' };
const SAMPLES: Readonly<Record<string, JsonObject>> = {
  shell: { command: 'ls' },
  fetch: { url: 'https://example.org' },
  web_search: { query: 'a' },
  agent: { description: 'a' },
  read: FILE,
  edit: FILE,
  write: { path: 'a', content: 'b' },
};

/** A path that a glob matches, more often than not. */
export function samplePath(glob: string): string {
  const path = glob
    .replace(/\{([^,{}]*)[^{}]*\}/g, '$1')
    .replace(/\[[^\]]*\]/g, 'a')
    .replace(/^\.\//, '')
    .replaceAll('**/', '')
    .replace(/\*+/g, 'a')
    .replaceAll('?', 'a');
  return path === '' ? 'a' : path;
}
