import { HOSTS } from '../../../hosts/registry.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { globRegex } from './command-pattern.ts';
import { isStrict, sampleCommands } from './command-tests.ts';
import { ImportDraft, type ImportedRule, type Importer, type ImportFinding } from './imported.ts';
import { samplePath, urlTest } from './keys-of.ts';
import { provenTest, triedPolicy } from './try-policy.ts';
import { widthOf } from './width-of.ts';

interface Group {
  readonly id: string;
  readonly rules: ImportedRule[];
  readonly keys: JsonObject;
  readonly hits: Json[];
  readonly misses: Json[];
}

export interface Approvals {
  readonly policies: readonly { readonly policy: JsonObject; readonly rules: readonly ImportedRule[] }[];
  readonly findings: readonly ImportFinding[];
}

/**
 * The policies of rules that allow. Of commands every one must be allowed; none is approved that is wider than its rule.
 *
 * @param scope where they hold: a test on the context
 */
export function approvalsOf(
  rules: readonly ImportedRule[],
  importer: Importer,
  scope: JsonObject,
): Approvals {
  const into = new ImportDraft();
  const sound = rules.filter((rule) => {
    const wide = widthOf(rule.subject);
    const { position, text } = rule;
    if (rule.modes !== undefined) {
      const message = `allow ${text}: ${importer.title} does not tell hooks its mode`;
      into.find('lost', position, message);
      return false;
    }
    if (wide !== undefined)
      into.find(
        'wide',
        position,
        `allow ${text}: ${wide.why}`,
        wide.isImported ? 'it is imported as it is' : 'it is not imported',
      );
    return wide === undefined || wide.isImported;
  });
  const groupsOf = (some: readonly ImportedRule[]) => [
    ...commandGroup(some, importer),
    ...textGroups(some, importer),
    ...otherGroups(some, importer),
  ];
  /** A policy that does not approve what one of its rules names would lose that rule. */
  const policyOf = (group: Group) => {
    const policy = triedPolicy({
      id: group.id,
      ...(asksHooks(importer) ? { on: 'approve_tool' } : {}),
      ...group.keys,
      ...(Object.keys(scope).length === 0 ? {} : { context: scope }),
      action: 'approve',
      examples: { hit: group.hits, ...(group.misses.length === 0 ? {} : { miss: group.misses }) },
    });
    return policy !== undefined && hitsOf(policy) === group.hits.length ? policy : undefined;
  };
  const policies: { policy: JsonObject; rules: readonly ImportedRule[] }[] = [];
  const done = new Set<ImportedRule>();
  const add = (group: Group): boolean => {
    const policy = policyOf(group);
    if (policy === undefined) return false;
    policies.push({ policy, rules: group.rules });
    for (const rule of group.rules) done.add(rule);
    return true;
  };
  for (const group of groupsOf(sound)) {
    if (group.rules.length === 0 || add(group)) continue;
    const same = (some: readonly ImportedRule[]) => groupsOf(some).filter(({ id }) => id === group.id);
    const good = group.rules.filter((rule) => same([rule]).some((each) => policyOf(each) !== undefined));
    if (good.length > 0 && good.length < group.rules.length) same(good).slice(0, 1).forEach(add);
  }
  for (const { position, text } of sound.filter((rule) => !done.has(rule)))
    into.find('lost', position, `allow ${text}: no approval was found that is not wider`);
  return { policies, findings: into.findings };
}

function hitsOf({ examples }: JsonObject): number {
  const hits = isJsonObject(examples) ? examples['hit'] : undefined;
  return Array.isArray(hits) ? hits.length : 0;
}

/** What no approved command may do besides: write, run a file, set a variable. */
function harmless(): JsonObject[] {
  return [
    { not: { path: { match: '**', uses: ['write', 'empty', 'delete', 'execute'] } } },
    { not: { command: { environment: '*' } } },
  ];
}

/** The rules that are words alone, each command of a call held against all of them. */
function commandGroup(rules: readonly ImportedRule[], { tools, wrappers = [] }: Importer): Group[] {
  const chosen = rules.filter(
    ({ subject }) =>
      subject.kind === 'command' && isStrict(subject.pattern) && provenTest(subject.pattern) !== undefined,
  );
  const tests = chosen.flatMap(({ subject }) =>
    subject.kind === 'command' ? [provenTest(subject.pattern) ?? {}] : [],
  );
  const except = [...(wrappers.length === 0 ? [] : [{ run: [...wrappers] }]), ...tests];
  const hits = chosen.flatMap(({ subject }) =>
    subject.kind === 'command' ? sampleCommands(subject.pattern).hits.slice(0, 1) : [],
  );
  const [first = ''] = hits;
  return [
    {
      id: 'allow-commands',
      rules: chosen,
      keys: {
        tool_matcher: tools.shell,
        all: [{ not: { command: { except: except.map(plain) } } }, ...harmless()],
      },
      hits: calls([...new Set([...hits, ...(hits.length > 1 ? [hits.slice(0, 2).join(' && ')] : [])])]),
      misses: calls([
        `${first}; unlisted-program a`,
        `${first} > out.txt`,
        `${first} && A=1 unlisted-program`,
        `./${first}`,
      ]),
    },
  ];
}

/** Rules with flags or wildcards: the whole text is one command that fits. */
function textGroups(rules: readonly ImportedRule[], { tools }: Importer): Group[] {
  return rules.flatMap((rule) => {
    const { subject } = rule;
    if (subject.kind !== 'command' || subject.pattern.regex !== undefined) return [];
    if (isStrict(subject.pattern) && provenTest(subject.pattern) !== undefined) return [];
    const { pattern } = subject;
    const programs = (pattern.words[0] ?? []).map((name) => name.slice(name.lastIndexOf('/') + 1));
    if (/[;&|<>`$\\(){}\n]/.test(pattern.glob) || pattern.words.some((options) => options.length > 1))
      return [];
    const [hit = ''] = sampleCommands(pattern).hits;
    return [
      {
        id: `allow-${slug(rule)}`,
        rules: [rule],
        keys: {
          tool_matcher: tools.shell,
          arguments: { command: `^${globRegex(pattern.glob, '[^;&|<>`$\\\\(){}\\n\\r]*')}$` },
          all: [{ not: { command: { except: programs } } }, ...harmless()],
        },
        hits: calls([hit]),
        misses: calls([`${hit}; unlisted-program a`, `unlisted-program ${hit}`]),
      },
    ];
  });
}

function otherGroups(rules: readonly ImportedRule[], { tools }: Importer): Group[] {
  const groups: Group[] = [];
  for (const use of ['read', 'write'] as const) {
    const chosen = rules.filter(
      ({ subject }) => subject.kind === 'path' && (subject.use === use || subject.use === 'both'),
    );
    const globs = chosen.flatMap(({ subject }) => (subject.kind === 'path' ? subject.approved : []));
    const cut = chosen.flatMap(({ subject }) => (subject.kind === 'path' ? subject.except : []));
    const [tool = ''] = tools[use].split('|');
    const call = (path: string) => ({ tool, path });
    groups.push({
      id: `allow-${use}`,
      rules: chosen,
      keys: {
        tool_matcher: tools[use],
        path: '**',
        not:
          cut.length === 0
            ? { path: { except: globs } }
            : { any: [{ path: { except: globs } }, { path: { match: cut } }] },
      },
      hits: [...new Set(globs.map(samplePath))].map(call),
      misses: [...['elsewhere/unlisted', '../unlisted'], ...cut.map(samplePath)].map(call),
    });
  }
  const urls = rules.filter(({ subject }) => subject.kind === 'url' && urlTest(subject.url) !== undefined);
  const [fetch = ''] = tools.fetch.split('|');
  groups.push({
    id: 'allow-fetch',
    rules: urls,
    keys: {
      tool_matcher: tools.fetch,
      all: [
        {
          not: {
            url: {
              except: urls.map(({ subject }) => (subject.kind === 'url' ? (urlTest(subject.url) ?? '') : '')),
            },
          },
        },
        { arguments: { url: { exists: true } } },
      ],
    },
    hits: urls.map(({ subject }) => ({
      tool: fetch,
      url:
        subject.kind === 'url'
          ? (/:\/\//.test(subject.url) ? subject.url : `https://${subject.url}/`)
              .replace('*.', 'a.')
              .replace(/\*/g, 'x')
          : '',
    })),
    misses: [{ tool: fetch, url: 'https://other.example.org/' }],
  });
  const named = rules.filter(({ subject }) => subject.kind === 'tool' && subject.arguments === undefined);
  const names = named.flatMap(({ subject }) => (subject.kind === 'tool' ? subject.names : []));
  groups.push({
    id: 'allow-tools',
    rules: named,
    keys: { tool_matcher: [...new Set(names)].join('|') },
    hits: [...new Set(names)].map((name) => ({ tool: name.replace(/\*+/g, 'x'), a: 'b' })),
    misses: [{ tool: 'other_tool', a: 'b' }],
  });
  for (const rule of rules) {
    const { subject } = rule;
    if (subject.kind !== 'tool' || subject.arguments === undefined) continue;
    groups.push({
      id: `allow-${slug(rule)}`,
      rules: [rule],
      keys: {
        tool_matcher: subject.names.join('|'),
        arguments: subject.arguments,
      },
      hits: subject.names
        .slice(0, 1)
        .map((name) => ({ tool: name.replace(/\*+/g, 'x'), ...(subject.sample ?? { a: 'b' }) })),
      misses: [{ tool: 'other_tool', a: 'b' }],
    });
  }
  return groups;
}

function calls(commands: readonly string[]): Json[] {
  return commands.map((command) => ({ command }));
}

function plain(test: JsonObject): Json {
  const { run } = test;
  return Object.keys(test).length === 1 && typeof run === 'string' ? run : test;
}

/** True if the host has an event at which a hook may approve in place of a person. */
export function asksHooks({ name }: Importer): boolean {
  return HOSTS.find((host) => host.name === name)?.supports(undefined).approve_tool !== undefined;
}

/** What a rule is about, as a part of an id. */
export function slug({ subject, text }: ImportedRule): string {
  const words = (subject.kind === 'command' && subject.pattern.glob !== '' ? subject.pattern.glob : text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return words.slice(0, 40).replace(/-+$/, '') || 'rule';
}
