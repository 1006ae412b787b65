import { hostNamed } from '../../../hosts/registry.ts';
import { asObject, itemsOf, type Json, type JsonObject } from '../../../lib/json.ts';
import { globRegex } from './command-pattern.ts';
import { isStrict, sampleCommands } from './command-tests.ts';
import {
  type CommandPattern,
  ImportDraft,
  type ImportedRule,
  type Importer,
  type ImportFinding,
  ofKind,
} from './imported.ts';
import { samplePath, sampleUrl, urlTest } from './keys-of.ts';
import { plainTest } from './refusals.ts';
import { nonEmpty, provenTest, triedPolicy } from './try-policy.ts';
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
      into.find('lost', position, `allow ${text}: ${importer.title} does not tell hooks its mode`);
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
  /** A policy that does not approve the calls of one of its rules would lose that rule. */
  const policyOf = (group: Group) => {
    const policy = triedPolicy({
      id: group.id,
      ...(asksHooks(importer) ? { on: 'approve_tool' } : {}),
      ...group.keys,
      ...(Object.keys(scope).length === 0 ? {} : { context: scope }),
      action: 'approve',
      examples: { hit: group.hits, ...nonEmpty('miss', group.misses) },
    });
    return itemsOf(asObject(policy?.['examples'])['hit']).length === group.hits.length ? policy : undefined;
  };
  const policies: Approvals['policies'][number][] = [];
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
    into.find('lost', position, `allow ${text}: no equally narrow approval was found`);
  return { policies, findings: into.findings };
}

/** No approved command may do these besides: write, run a file, set a variable. */
function harmless(): JsonObject[] {
  return [
    { not: { path: { match: '**', uses: ['write', 'empty', 'delete', 'execute'] } } },
    { not: { command: { environment: '*' } } },
  ];
}

/** The rules that are words alone, each command of a call held against all of them. */
function commandGroup(rules: readonly ImportedRule[], { tools, wrappers = [] }: Importer): Group[] {
  const chosen = ofKind(rules, 'command').filter(({ subject }) => isProven(subject.pattern));
  const tests = chosen.map(({ subject }) => provenTest(subject.pattern) ?? {});
  const except = [...(wrappers.length === 0 ? [] : [{ run: [...wrappers] }]), ...tests];
  const hits = chosen.flatMap(({ subject }) => sampleCommands(subject.pattern).hits.slice(0, 1));
  const [first = ''] = hits;
  return [
    {
      id: 'allow-commands',
      rules: chosen,
      keys: {
        tool_matcher: tools.shell,
        all: [{ not: { command: { except: except.map(plainTest) } } }, ...harmless()],
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

function isProven(pattern: CommandPattern): boolean {
  return isStrict(pattern) && provenTest(pattern) !== undefined;
}

/** Rules with flags or wildcards: the whole text is one command that fits. */
function textGroups(rules: readonly ImportedRule[], { tools }: Importer): Group[] {
  return ofKind(rules, 'command').flatMap((rule) => {
    const { pattern } = rule.subject;
    if (pattern.regex !== undefined || isProven(pattern)) return [];
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
    const chosen = ofKind(rules, 'path').filter(({ subject }) => ['both', use].includes(subject.use));
    const globs = chosen.flatMap(({ subject }) => subject.approved);
    const cut = chosen.flatMap(({ subject }) => subject.except);
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
  const urls = ofKind(rules, 'url').filter(({ subject }) => urlTest(subject.url) !== undefined);
  const [fetch = ''] = tools.fetch.split('|');
  groups.push({
    id: 'allow-fetch',
    rules: urls,
    keys: {
      tool_matcher: tools.fetch,
      all: [
        { not: { url: { except: urls.map(({ subject }) => urlTest(subject.url) ?? '') } } },
        { arguments: { url: { exists: true } } },
      ],
    },
    hits: urls.map(({ subject }) => ({ tool: fetch, url: sampleUrl(subject.url) })),
    misses: [{ tool: fetch, url: 'https://other.example.org/' }],
  });
  const tooled = ofKind(rules, 'tool');
  const named = tooled.filter(({ subject }) => subject.arguments === undefined);
  const names = named.flatMap(({ subject }) => subject.names);
  groups.push({
    id: 'allow-tools',
    rules: named,
    keys: { tool_matcher: [...new Set(names)].join('|') },
    hits: [...new Set(names)].map((name) => ({ tool: name.replace(/\*+/g, 'x'), a: 'b' })),
    misses: [{ tool: 'other_tool', a: 'b' }],
  });
  for (const rule of tooled) {
    const { names: own, arguments: tested, sample = { a: 'b' } } = rule.subject;
    if (tested === undefined) continue;
    groups.push({
      id: `allow-${slug(rule)}`,
      rules: [rule],
      keys: { tool_matcher: own.join('|'), arguments: tested },
      hits: own.slice(0, 1).map((name) => ({ tool: name.replace(/\*+/g, 'x'), ...sample })),
      misses: [{ tool: 'other_tool', a: 'b' }],
    });
  }
  return groups;
}

function calls(commands: readonly string[]): Json[] {
  return commands.map((command) => ({ command }));
}

/** True if the host has an event at which a hook may approve in place of a person. */
export function asksHooks({ name }: Importer): boolean {
  return hostNamed(name)?.supports(undefined).approve_tool !== undefined;
}

/** The subject of a rule, as a part of an id. */
export function slug({ subject, text }: ImportedRule): string {
  const words = (subject.kind === 'command' && subject.pattern.glob !== '' ? subject.pattern.glob : text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return words.slice(0, 40).replace(/-+$/, '') || 'rule';
}
