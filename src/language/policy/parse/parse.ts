import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import { runSteps, type Steps } from '../../../lib/steps.ts';
import type { Diagnostic, Position } from '../../../model/diagnostic.ts';
import type { Example } from '../../../model/policy.ts';
import { unscopedParts, withAppliesTo } from '../schema/applies-to.ts';
import { withDefaults } from '../schema/file-defaults.ts';
import { withParameters } from '../schema/fill-parameters.ts';
import type { NamedJudge } from '../schema/judge-draft.ts';
import { onStaleOf } from '../schema/managed-schema.ts';
import { ownerName } from '../schema/policy-names.ts';
import { schemaDiagnostics } from '../schema/schema-diagnostics.ts';
import { MAX_SCHEMA_ERRORS } from '../schema/schema-errors.ts';
import { saysSomething } from '../schema/sections.ts';
import { validatePolicyFile } from '../schema/validate.ts';
import { problem, startOf } from '../yaml/problem.ts';
import { besideMistakes, parseYaml, type YamlDocument, type YamlPath } from '../yaml/yaml.ts';
import type { Allowance } from './allowance.ts';
import { settingProblems } from './check-judge.ts';
import { checkPolicy } from './check-policy.ts';
import { checkTool } from './check-tool.ts';
import { dataListPaths } from './data-lists.ts';
import type {
  DataReference,
  ExceptionDraft,
  FactDraft,
  FactReference,
  FileDraft,
  Named,
  RuleDraft,
} from './file-draft.ts';
import { modeOf, normalisePolicy } from './normalise-policy.ts';
import { toolRules } from './plugin-tools.ts';
import { MAX_POLICY_COST, policyCost } from './policy-cost.ts';
import { readException } from './read-exception.ts';
import { readFacts, withOwnFacts } from './read-facts.ts';
import { readParameters, readSettings } from './read-parameters.ts';
import type { ProgramDrafts } from './read-rows.ts';

/** What became of one file: its draft with the parts that are sound, and all of its problems. */
export interface ParsedFile {
  /** Undefined if the text is no YAML mapping, or if it has more errors than are counted. */
  readonly draft: FileDraft | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads one policy file: YAML, schema, checks, normal form. Reports everything that is wrong with it at once.
 *
 * @param file how positions name it
 * @param baseName the file's name without its ending, for a file that does not name itself
 */
export function parsePolicyFile(text: string, file: string, baseName: string): ParsedFile {
  return runSteps(parseSteps(text, file, baseName));
}

/**
 * The same in steps, of which none is long but the first two: YAML, schema, one for each policy.
 *
 * @param allowance what the file may take; anything unless given
 * @param values of its parameters, by name, that other files have set
 */
export function* parseSteps(
  text: string,
  file: string,
  baseName: string,
  allowance?: Allowance,
  values?: ReadonlyMap<string, Json>,
): Steps<ParsedFile> {
  const { document: sound, meant, diagnostics: mistakes } = parseYaml(text, file);
  const written = sound ?? meant;
  if (written === undefined) return { draft: undefined, diagnostics: mistakes };
  const tooMuch: Diagnostic[] = [];
  if (allowance?.take('values', written.size, startOf(file), tooMuch) === false)
    return { draft: undefined, diagnostics: tooMuch };
  yield;
  const { file: filled, unknown } = withParameters(written.value, values);
  const document = { ...written, value: withDefaults(withAppliesTo(filled)) };
  const errors = validatePolicyFile(document.value);
  const found = schemaDiagnostics(errors, document).filter(({ path }) => !isBelow(path, unknown));
  const diagnostics = [
    ...mistakes,
    ...found.map(({ diagnostic }) => diagnostic),
    ...unknown.map(({ path, message, hint }) =>
      problem('parameter', document.positionOf(path, 'value'), message, hint),
    ),
  ];
  // Errors that are cut off no longer tell which parts are sound.
  if (!isJsonObject(document.value) || errors.length >= MAX_SCHEMA_ERRORS) {
    return { draft: undefined, diagnostics: withoutRepetition(diagnostics) };
  }

  const reading: Reading = {
    document,
    root: document.value,
    name: nameOf(document.value, baseName, file, diagnostics),
    refused: [...found, ...unknown].map(({ path }) => path),
    allowance,
    diagnostics,
  };
  yield;
  const draft = yield* readParts(reading);
  return sound === undefined
    ? { draft: undefined, diagnostics: withoutRepetition(besideMistakes(diagnostics, mistakes)) }
    : { draft, diagnostics: withoutRepetition(diagnostics) };
}

function isBelow(path: YamlPath, owners: readonly { readonly path: YamlPath }[]): boolean {
  return owners.some((owner) => owner.path.every((step, index) => path[index] === step));
}

/** What aliases repeat is said once. */
function withoutRepetition(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((each) => [JSON.stringify(each), each])).values()];
}

interface Reading {
  readonly document: YamlDocument;
  readonly root: JsonObject;
  readonly name: string;
  /** Paths that the schema has refused. */
  readonly refused: readonly YamlPath[];
  readonly allowance: Allowance | undefined;
  readonly diagnostics: Diagnostic[];
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

function nameOf(root: JsonObject, baseName: string, file: string, diagnostics: Diagnostic[]): string {
  const name = ownString(root, 'name');
  if (name !== undefined) return name;
  if (!NAME.test(baseName)) {
    const message = 'Cannot name the policies after their file: its name has other characters than an id';
    diagnostics.push(problem('missing-key', startOf(file), message, 'add "name" to the file'));
  }
  return baseName;
}

function readManaged({ document, root }: Reading): NonNullable<FileDraft['managed']> {
  const position = document.positionOf(['managed'], 'key');
  return { position, onStale: onStaleOf(ownObject(root, 'managed') ?? {}) };
}

function* readParts(reading: Reading): Steps<FileDraft> {
  const { document, root, name, diagnostics } = reading;
  const defaults = ownObject(root, 'defaults') ?? {};
  for (const path of unscopedParts(root)) {
    const message = `Cannot limit "${path.join('.')}" to where the file applies: it would hold everywhere`;
    const hint = 'put it into a file without "applies_to"';
    diagnostics.push(problem('bad-value', document.positionOf(path, 'key'), message, hint));
  }
  const rules: RuleDraft[] = [];
  const examples: Example[] = [];
  const data: DataReference[] = [];
  const factsElsewhere: FactReference[] = [];
  const facts = Object.hasOwn(root, 'facts') ? readFacts(reading, takeFor('fact', reading)) : [];
  yield* readPolicies(reading, facts, { rules, examples, data, factsElsewhere });
  yield* readTools(reading, rules);
  if (!saysSomething(root)) {
    const message = 'Cannot use the file: it has no policies';
    diagnostics.push(problem('missing-key', document.positionOf([], 'value'), message, 'add "policies"'));
  }
  const onErrorContinue = own(defaults, 'on_error') === 'continue';
  return {
    name,
    extends: namedIn(reading, 'extends'),
    disable: namedIn(reading, 'disable'),
    unmatchedDeny: own(defaults, 'unmatched') === 'deny',
    onErrorContinue: onErrorContinue ? document.positionOf(['defaults', 'on_error'], 'key') : null,
    ...(Object.hasOwn(root, 'judges') ? { judges: readJudges(reading) } : {}),
    ...(Object.hasOwn(root, 'exceptions') ? { exceptions: readExceptions(reading) } : {}),
    ...(Object.hasOwn(root, 'managed') ? { managed: readManaged(reading) } : {}),
    ...(Object.hasOwn(root, 'programs') ? { programs: readPrograms(reading) } : {}),
    ...(Object.hasOwn(root, 'applies_to') ? { appliesTo: ownObject(root, 'applies_to') ?? {} } : {}),
    ...(Object.hasOwn(root, 'parameters') ? { parameters: readParameters(reading, diagnostics) } : {}),
    ...(Object.hasOwn(root, 'settings') ? { settings: readSettings(reading, diagnostics) } : {}),
    ...(facts.length > 0 ? { facts } : {}),
    ...(factsElsewhere.length > 0 ? { factsElsewhere } : {}),
    rules,
    ...(data.length > 0 ? { data } : {}),
    examples,
  };
}

/** Few files have any. */
function readPrograms(reading: Reading): ProgramDrafts {
  const { readRows } = require('./read-rows.ts') as typeof import('./read-rows.ts');
  const { document, refused, diagnostics } = reading;
  return readRows(document, diagnostics, { refused, take: takeFor('program', reading) });
}

/** Takes what the patterns of a part of a file cost; false if that is too much, which has been said then. */
function takeFor(part: string, { allowance, diagnostics }: Reading) {
  return (written: JsonObject, position: Position): boolean => {
    const cost = policyCost(written);
    if (allowance?.take('cost', cost, position, diagnostics) === false) return false;
    if (cost <= MAX_POLICY_COST) return true;
    const message = `Cannot use the ${part}: its patterns are too large together`;
    diagnostics.push(problem('bad-value', position, message, 'repeat less in its patterns'));
    return false;
  };
}

function readJudges({ document, root, refused, diagnostics }: Reading): readonly NamedJudge[] {
  return Object.entries(ownObject(root, 'judges') ?? {}).flatMap(([name, settings]) => {
    const base = ['judges', name];
    const isRefused = refused.some((path) => path[0] === 'judges' && (path.length < 2 || path[1] === name));
    if (!isJsonObject(settings) || isRefused) return [];
    const problems = settingProblems(settings);
    for (const { code, path, message, hint } of problems) {
      diagnostics.push(problem(code, document.positionOf([...base, ...path], 'value'), message, hint));
    }
    return problems.length > 0 ? [] : [{ name, settings, position: document.positionOf(base, 'key') }];
  });
}

function readExceptions({ document, root, refused, diagnostics }: Reading): readonly ExceptionDraft[] {
  const byItem = refusedByItem(refused, 'exceptions');
  return listIn(root, 'exceptions').flatMap((item, index) => {
    if (!isJsonObject(item) || byItem.has(index)) return [];
    const read = readException(item, document, index);
    if ('policy' in read) return [read];
    diagnostics.push(...read);
    return [];
  });
}

/** What is found in the policies of a file. */
interface Found {
  readonly rules: RuleDraft[];
  readonly examples: Example[];
  readonly data: DataReference[];
  readonly factsElsewhere: FactReference[];
}

function* readPolicies(reading: Reading, facts: readonly FactDraft[], found: Found): Steps<void> {
  const { rules, examples, data } = found;
  const { document, root, name } = reading;
  const mode = modeOf(ownObject(root, 'defaults') ?? {}) ?? 'enforce';
  const declared = Object.keys(ownObject(root, 'facts') ?? {});
  for (const item of itemsIn(reading, 'policies', 'id')) {
    yield;
    const { object: policy, base, refused } = item;
    const problems = checkPolicy(policy, document, base, refused);
    reading.diagnostics.push(...problems);
    if (item.isTaken || refused.length > 0 || problems.length > 0) continue;
    const normal = normalisePolicy(policy, { name, mode }, (key) =>
      document.positionOf([...base, key], key === 'id' ? 'value' : 'key'),
    );
    const when = withOwnFacts(
      normal.when,
      facts,
      declared,
      (path) => document.positionOf([...base, ...path], 'value'),
      (reference) => found.factsElsewhere.push(reference),
      reading.diagnostics,
    );
    const rule = when === normal.when ? normal : { ...normal, when };
    rules.push(rule);
    for (const path of dataListPaths(rule.when)) {
      const placeOf = (key: string) => document.positionOf([...base, ...path, key], 'value');
      data.push({ ruleId: rule.id, path, position: placeOf('file'), atPosition: placeOf('at') });
    }
    if (Object.hasOwn(rule.params, 'recorded')) {
      const position = document.positionOf([...base, 'recorded'], 'value');
      data.push({ ruleId: rule.id, path: undefined, position, atPosition: position });
    }
    examples.push(...examplesOf(policy, rule.id, document, base));
  }
}

function* readTools(reading: Reading, rules: RuleDraft[]): Steps<void> {
  const { document, name } = reading;
  for (const { object: tool, base, refused, isTaken } of itemsIn(reading, 'tools', 'name')) {
    yield;
    if (refused.length > 0) continue;
    const problems = checkTool(tool, document, base);
    reading.diagnostics.push(...problems);
    if (!isTaken && problems.length === 0)
      rules.push(...toolRules(tool, name, document.positionOf([...base, 'name'], 'value')));
  }
}

/** A policy or tool with its place and what the schema has refused of it. */
interface Item {
  readonly object: JsonObject;
  readonly base: YamlPath;
  /** From the item on. */
  readonly refused: readonly YamlPath[];
  /** Another one before it has its id. */
  readonly isTaken: boolean;
}

/** The policies or tools that can be looked at, one by one. */
function* itemsIn(reading: Reading, section: 'policies' | 'tools', idKey: 'id' | 'name'): Generator<Item> {
  const { document, root, diagnostics } = reading;
  const refused = refusedByItem(reading.refused, section);
  const seen = new Map<string, number>();
  for (const [index, object] of listIn(root, section).entries()) {
    const base = [section, index];
    if (!isJsonObject(object)) continue;
    const taken = duplicates(ownString(object, idKey), [...base, idKey], section, seen, document);
    diagnostics.push(...taken);
    const cost = policyCost(object);
    if (reading.allowance?.take('cost', cost, document.positionOf(base, 'value'), diagnostics) === false)
      return;
    if (cost > MAX_POLICY_COST) {
      const message = `Cannot use ${ownerName(root, base)}: its patterns and schemas are too large together`;
      const hint = 'split it, or repeat less in its patterns';
      diagnostics.push(problem('bad-value', document.positionOf(base, 'value'), message, hint));
    } else yield { object, base, refused: refused.get(index) ?? [], isTaken: taken.length > 0 };
  }
}

function listIn(root: JsonObject, key: string): readonly Json[] {
  const list = own(root, key);
  return Array.isArray(list) ? list : [];
}

function refusedByItem(
  refused: readonly YamlPath[],
  section: string,
): ReadonlyMap<number, readonly YamlPath[]> {
  const byItem = new Map<number, YamlPath[]>();
  for (const [first, index, ...rest] of refused) {
    if (first !== section || typeof index !== 'number') continue;
    const paths = byItem.get(index);
    if (paths === undefined) byItem.set(index, [rest]);
    else paths.push(rest);
  }
  return byItem;
}

function duplicates(
  id: string | undefined,
  path: YamlPath,
  section: 'policies' | 'tools',
  seen: Map<string, number>,
  document: YamlDocument,
): readonly Diagnostic[] {
  if (id === undefined) return [];
  const position = document.positionOf(path, 'value');
  const line = seen.get(id);
  if (line === undefined) {
    seen.set(id, position.line);
    return [];
  }
  const message = `Cannot name two ${section} "${id}" in one file`;
  return [problem('duplicate-id', position, message, `the first is in line ${line}`)];
}

function examplesOf(
  policy: JsonObject,
  ruleId: string,
  document: YamlDocument,
  base: YamlPath,
): readonly Example[] {
  const examples = ownObject(policy, 'examples') ?? {};
  return (['hit', 'miss'] as const).flatMap((expect) =>
    listIn(examples, expect).map((call, index) => ({
      ruleId,
      position: document.positionOf([...base, 'examples', expect, index], 'value'),
      expect,
      call,
    })),
  );
}

function namedIn({ document, root, refused }: Reading, key: 'extends' | 'disable'): readonly Named[] {
  return listIn(root, key).flatMap((text, index) => {
    const isRefused = refused.some((path) => path[0] === key && path[1] === index);
    if (typeof text !== 'string' || isRefused) return [];
    return [{ text, position: document.positionOf([key, index], 'value') }];
  });
}
