import { hostNamed } from '../../../hosts/registry.ts';
import { distinct } from '../../../lib/distinct.ts';
import { asList, asObject, isJsonObject, itemsOf, type Json, type JsonObject } from '../../../lib/json.ts';
import { isStronger, subjectsOverlap } from './covers.ts';
import type { ImportedRule, ImportedSubject, Importer, ImportFinding } from './imported.ts';
import { type Keys, keysOf, samplePath, urlTest } from './keys-of.ts';
import { nonEmpty, provenTest, triedPolicy } from './try-policy.ts';

const VERBS = { deny: 'deny', ask: 'ask about', allow: 'allow' } as const;

/** A policy and the finding on it; no policy if none does the same as the rule. */
export interface Result {
  readonly policy: JsonObject | undefined;
  readonly findings: readonly ImportFinding[];
}

/**
 * The policy of a rule that refuses or asks.
 *
 * @param above rules that decide before it
 */
export function refusalOf(rule: ImportedRule, above: readonly ImportedRule[], importer: Importer): Result {
  const { decision, text, position } = rule;
  const freed = above.filter(
    (other) => isStronger(decision, other.decision) && subjectsOverlap(rule.subject, other.subject),
  );
  const made = madeOf(rule, [...(rule.except ?? []), ...freed.map(({ subject }) => subject)], importer);
  if (made !== undefined) return made;
  // Too much refused is better than nothing, and it is said.
  const sayable = freed.filter((other) => madeOf(rule, [other.subject], importer) !== undefined);
  const wider = madeOf(rule, [...(rule.except ?? []), ...sayable.map(({ subject }) => subject)], importer);
  if (wider === undefined) {
    const message = `${decision} ${text}: no policy was found that does the same`;
    return { policy: undefined, findings: [{ kind: 'lost', position, message }] };
  }
  const left = freed.filter((other) => !sayable.includes(other));
  const wide = left.map((other): ImportFinding => {
    const message = `${decision} ${text}: it is about ${other.decision} ${other.text} too, which cannot be left out`;
    return { kind: 'wide', position, message };
  });
  return { policy: wider.policy, findings: [...wider.findings, ...wide] };
}

function madeOf(
  rule: ImportedRule,
  open: readonly ImportedSubject[],
  importer: Importer,
): Result | undefined {
  const { decision, text, position } = rule;
  for (const said of keysOf(rule.subject, rule)) {
    const narrowed = open.length === 0 ? said : lessThan(said, rule.subject, open);
    if (narrowed === undefined) continue;
    const policy = triedPolicy({
      ...withModes(narrowed.keys, rule),
      action: decision,
      reason: reasonOf(rule, importer),
      id: 'a',
      examples: { hit: distinct(narrowed.hits), ...nonEmpty('miss', distinct(narrowed.misses)) },
    });
    if (policy === undefined) continue;
    const reasons = [
      ...(said.differs === undefined ? [] : [said.differs]),
      ...(decision === 'ask' && !canAsk(importer)
        ? [`hooks of ${importer.title} cannot ask before a tool runs, so there it is a refusal`]
        : []),
      ...otherwise(rule, policy).map((command) => `the policy takes its example "${command}" otherwise`),
      ...(rule.modes === undefined
        ? []
        : [`${importer.title} does not tell hooks its mode, so it is refused in every mode`]),
    ];
    const findings = reasons.map(
      (why): ImportFinding => ({ kind: 'differs', position, message: `${decision} ${text}: ${why}` }),
    );
    return { policy, findings };
  }
  return undefined;
}

function canAsk({ name }: Importer): boolean {
  return hostNamed(name)?.supports(undefined).before_tool?.actions.includes('ask') === true;
}

/** A host that does not tell its mode is refused in every mode. */
function withModes(keys: JsonObject, { modes }: ImportedRule): JsonObject {
  if (modes === undefined) return keys;
  const [only = ''] = modes;
  const mode = modes.length === 1 ? only : { one_of: [...modes] };
  return { ...keys, context: { permission_mode: mode }, when_unknown: 'match' };
}

/** The examples of a rule that its policy takes otherwise. */
function otherwise({ hits = [], misses = [] }: ImportedRule, policy: JsonObject): readonly string[] {
  const { hit, miss } = (policy['examples'] ?? {}) as { hit?: readonly Json[]; miss?: readonly Json[] };
  const kept = new Set([...(hit ?? []), ...(miss ?? [])].map((call) => JSON.stringify(call)));
  return [...hits, ...misses].filter((command) => !kept.has(JSON.stringify({ command })));
}

function reasonOf({ reason, decision, text }: ImportedRule, { title }: Importer): string {
  const said = reason ?? `The permissions of ${title} ${VERBS[decision]} ${text}`;
  // Two braces would begin a template.
  return said.replace(/\s+/g, ' ').replace(/\{\{/g, '{ {').slice(0, 300).trim();
}

/** The keys without the calls of other rules, which become misses. */
function lessThan(
  said: Keys,
  subject: ImportedSubject,
  others: readonly ImportedSubject[],
): Keys | undefined {
  const misses = [...said.misses, ...others.flatMap((other) => (keysOf(other)[0]?.hits ?? []).slice(0, 1))];
  const all = others.map((other) => ({ other, keys: keysOf(other)[0]?.keys ?? {} }));
  if (subject.kind === 'command') {
    const tests = others.flatMap((other) => (other.kind === 'command' ? [provenTest(other.pattern)] : []));
    const except = tests.flatMap((test) => (test === undefined ? [] : [plainTest(test)]));
    if (tests.length !== except.length || tests.length !== others.length) return undefined;
    const { command } = said.keys;
    if (said.keys['arguments'] !== undefined) return undefined;
    const hits =
      said.hits.length === 1 && command === undefined
        ? [{ command: 'unlisted-program a' }, ...said.hits]
        : said.hits;
    return {
      ...said,
      keys: { command: { ...(isJsonObject(command) ? command : {}), except } },
      hits,
      misses,
    };
  }
  const globs = others.flatMap((other) => (other.kind === 'path' ? other.approved : []));
  const isPaths = others.every(({ kind }) => kind === 'path');
  if ((subject.kind === 'path' || subject.kind === 'outside') && isPaths) {
    const path = said.keys['path'];
    if (!isJsonObject(path)) return undefined;
    const except = [...itemsOf(path['except']), ...globs];
    return { ...said, keys: { path: { ...path, except } }, misses };
  }
  if (subject.kind === 'tool' && isPaths && said.keys['tool'] !== undefined) {
    const { tool, not } = said.keys;
    const [named = ''] = asList(tool);
    return {
      ...said,
      keys: { tool, ...(not === undefined ? {} : { not }), path: { except: globs } },
      hits: said.hits.map((call) => ({ ...asObject(call), path: 'elsewhere/unlisted' })),
      misses: globs.map((glob) => ({ tool: String(named), path: samplePath(glob), content: 'a' })),
    };
  }
  const urls = others.map((other) => (other.kind === 'url' ? urlTest(other.url) : undefined));
  if (said.keys['tool'] === 'fetch' && urls.every((url) => url !== undefined)) {
    const except = urls as Json[];
    const url = said.keys['url'];
    return {
      ...said,
      keys: {
        ...said.keys,
        url: { ...(isJsonObject(url) ? url : url === undefined ? {} : { host: url }), except },
      },
      misses,
    };
  }
  const { not: cut, ...keys } = said.keys;
  const nots = [...(cut === undefined ? [] : [cut]), ...all.map((each) => each.keys)];
  return { ...said, keys: { ...keys, not: nots.length === 1 ? (nots[0] ?? {}) : { any: nots } }, misses };
}

/** A test as short as it can be written. */
export function plainTest(test: JsonObject): Json {
  const { run } = test;
  return Object.keys(test).length === 1 && typeof run === 'string' ? run : test;
}
