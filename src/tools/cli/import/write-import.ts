import { HOSTS } from '../../../hosts/registry.ts';
import { withoutIgnored } from '../../../language/lint/ignores.ts';
import { lint } from '../../../language/lint/lint.ts';
import { assemble } from '../../../language/policy/compile/assemble.ts';
import { BUILTIN_PACKS } from '../../../language/policy/compile/packs.ts';
import { applyTrust } from '../../../language/policy/compile/trust.ts';
import { formatYaml } from '../../../language/policy/format/format-yaml.ts';
import { policyLayout } from '../../../language/policy/format/policy-layout.ts';
import { parsePolicyFile } from '../../../language/policy/parse/parse.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { approvalsOf, asksHooks, slug } from './approvals.ts';
import { ruleAbove } from './covers.ts';
import {
  ImportDraft,
  type Imported,
  type ImportedRule,
  type Importer,
  type ImportFinding,
} from './imported.ts';
import { refusalOf } from './refusals.ts';

export interface ImportOptions {
  readonly importer: Importer;
  /** How the file is named to people. */
  readonly file: string;
  /** The test on the context under which approvals hold; undefined without approvals. */
  readonly scope: JsonObject | undefined;
}

export interface WrittenImport {
  readonly text: string;
  readonly findings: readonly ImportFinding[];
  readonly policies: number;
}

interface Part {
  readonly comment: readonly string[];
  readonly policy: JsonObject;
  readonly rules: readonly ImportedRule[];
  /** Comments that hide findings, each with the key that it is about. */
  readonly ignored?: readonly { readonly key: string; readonly text: string }[];
}

/** The policy file for a host's file, with findings on all parts that it does not hold unchanged. */
export function writeImport(
  { rules, findings, refusesRest }: Imported,
  options: ImportOptions,
): WrittenImport {
  const { importer, scope } = options;
  const into = new ImportDraft();
  into.findings.push(...findings);
  const parts: Part[] = [];
  const aboveOf = new Map(rules.map((rule) => [rule, ruleAbove(rule, rules, importer.order)]));
  const live = rules.filter((rule) => aboveOf.get(rule) === undefined);
  const places = new Set(live.map(placeOf));
  for (const [rule, above] of aboveOf) {
    // Rules of one place are one rule of the host, which is dead only if all of them are.
    if (above === undefined || places.has(placeOf(rule))) continue;
    const message = `${rule.decision} ${rule.text}: ${above.decision} ${above.text} at ${placeOf(above)} decides first`;
    into.find('dead', rule.position, message);
  }
  for (const rule of live.filter(({ decision }) => decision !== 'allow')) {
    const above = importer.order === 'first' ? live.slice(0, live.indexOf(rule)) : [];
    const made = refusalOf(rule, above, importer);
    into.findings.push(...made.findings);
    if (made.policy !== undefined)
      parts.push({
        comment: [commentOf(rule)],
        policy: { ...made.policy, id: `${rule.decision}-${slug(rule)}` },
        rules: [rule],
      });
  }
  const allowed = live.filter(({ decision, subject, position, text }) => {
    if (decision !== 'allow' || subject.kind !== 'path' || !subject.isOutside) return decision === 'allow';
    // It opens a folder and approves no call: where the rest is refused, the policy for the rest leaves it out.
    if (!live.some((rule) => rule.subject.kind === 'outside' && rule.decision !== 'allow'))
      into.find('lost', position, `allow ${text}: opening a folder approves no call`);
    return false;
  });
  if (scope === undefined) {
    for (const { position, text } of allowed)
      into.find('left-out', position, `allow ${text}: approvals are imported with --approvals`);
  } else {
    const approvals = approvalsOf(allowed, importer, scope);
    into.findings.push(...approvals.findings);
    const [first] = approvals.policies.flatMap((each) => each.rules);
    if (first !== undefined && !asksHooks(importer))
      into.find(
        'differs',
        first.position,
        `${importer.title} asks no hook for approval: approvals count only for defaults: {unmatched: deny}`,
      );
    for (const { policy, rules: from } of approvals.policies)
      parts.push({ comment: [...new Set(from.map(commentOf))], policy, rules: from });
  }
  if (refusesRest !== undefined)
    into.find(
      'lost',
      refusesRest,
      'defaultMode "dontAsk": the rest is not refused, since approvals here are for approve_tool alone',
      'once every approval is a policy on before_tool, write defaults: {unmatched: deny}',
    );
  return finish(withIds(parts), into, options);
}

function placeOf({ position }: ImportedRule): string {
  return `${position.line}:${position.column}`;
}

function commentOf({ decision, text, position }: ImportedRule): string {
  const shown = `${position.line}:${position.column} ${decision}: ${text}`;
  return shown.replace(/[\s\p{C}]+/gu, ' ').slice(0, 200);
}

function withIds(parts: readonly Part[]): readonly Part[] {
  const taken = new Set<string>();
  return parts.map((part) => {
    const id = String(part.policy['id']);
    let own = id;
    for (let number = 2; taken.has(own); number++) own = `${id}-${number}`;
    taken.add(own);
    return { ...part, policy: { ...part.policy, id: own } };
  });
}

/** Leaves out policies that decide nothing, as the linter finds, and marks its other findings. */
function finish(parts: readonly Part[], into: ImportDraft, options: ImportOptions): WrittenImport {
  let left = parts;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const text = fileText(left, options);
    const found = warningsIn(text);
    if (found.length === 0) return { text, findings: into.findings, policies: left.length };
    for (const { rules, policy } of left)
      for (const { id, code, message } of found.filter((each) => each.id === policy['id']))
        for (const { position, decision, text: rule } of rules)
          into.find(
            IDLE.includes(code) ? 'dead' : 'differs',
            position,
            `${decision} ${rule}: ${message.replaceAll(`import/${id}`, id)}`,
          );
    left = left.flatMap((part) => {
      const own = found.filter(({ id }) => id === part.policy['id']);
      if (own.some(({ code }) => IDLE.includes(code))) return [];
      const comments = own.map(({ code, key }) => ({
        key,
        text: `policy-ignore ${code}: as ${options.importer.title} has it`,
      }));
      return [{ ...part, ignored: [...(part.ignored ?? []), ...comments] }];
    });
  }
  return { text: fileText(left, options), findings: into.findings, policies: left.length };
}

const MAX_ROUNDS = 5;

/** Findings about policies that decide nothing. */
const IDLE: readonly string[] = ['shadowed', 'duplicate'];

function fileText(parts: readonly Part[], { importer, file }: ImportOptions): string {
  const head = `# From ${file.replace(/[\s\p{C}]+/gu, ' ')}, by policy import ${importer.name}\nversion: 1\n`;
  if (parts.length === 0) return `${head}defaults: {unmatched: continue}\n`;
  const items = parts.map(({ comment, policy, ignored = [] }) => {
    const lines = Object.entries({ id: policy['id'], ...policy }).map(([key, value]) => {
      const above = [
        ...new Set(ignored.filter((each) => each.key === key).map((each) => `    # ${each.text}\n`)),
      ];
      return `${above.join('')}    ${key}: ${JSON.stringify(value)}`;
    });
    return [
      ...comment.map((line) => `  # ${line}`),
      `  -${(lines[0] ?? '').slice(3)}`,
      ...lines.slice(1),
    ].join('\n');
  });
  const text = `${head}policies:\n${items.join('\n\n')}\n`;
  const formatted = formatYaml(text, file, policyLayout());
  return formatted.type === 'formatted' ? formatted.text : text;
}

interface Warned {
  readonly id: string;
  readonly code: string;
  readonly message: string;
  /** The key of the policy that it is about. */
  readonly key: string;
}

function warningsIn(text: string): readonly Warned[] {
  const file = 'import.yaml';
  const { draft } = parsePolicyFile(text, file, 'import');
  if (draft === undefined) return [];
  const place = { path: '/import.yaml', layer: 'user', root: undefined } as const;
  const { set } = assemble(
    [{ ...place, draft, file, pack: undefined, data: [] }],
    [{ ...place, file, text }],
    BUILTIN_PACKS,
  );
  const { program } = applyTrust(set, '', { trusted: () => undefined });
  const texts = new Map([[file, text]]);
  const found = lint({ program, texts, isOwn: () => true, hosts: HOSTS, isTested: () => true });
  return withoutIgnored(found, texts, true).flatMap(({ severity, code, message, position }) => {
    const lines = text.split('\n').slice(0, position.line);
    const id = lines.findLast((each) => /^ {2}- id: /.test(each))?.slice('  - id: '.length);
    const [, key = 'id'] =
      /^ {2}[ -] (\w+):/.exec(lines.findLast((each) => /^ {2}[ -] \w+:/.test(each)) ?? '') ?? [];
    return severity === 'note' || id === undefined ? [] : [{ id, code, message, key }];
  });
}
