import { distinct } from '../../../lib/distinct.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  ownItems,
  ownObject,
  ownString,
} from '../../../lib/json.ts';
import { runSteps, type Steps } from '../../../lib/steps.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Example } from '../../../model/policy.ts';
import { unscopedParts, withAppliesTo } from '../schema/applies-to.ts';
import { withParameters } from '../schema/fill-parameters.ts';
import type { NamedJudge } from '../schema/judge-draft.ts';
import { onStaleOf } from '../schema/managed-schema.ts';
import { actionNames } from '../schema/schema.ts';
import { schemaDiagnostics } from '../schema/schema-diagnostics.ts';
import { MAX_SCHEMA_ERRORS, type SchemaError } from '../schema/schema-errors.ts';
import { hasOwnSection, SECTION_KEYS } from '../schema/sections.ts';
import { problem, startOf } from '../yaml/problem.ts';
import { problemsAt } from '../yaml/problems-at.ts';
import { independentFindings, parseYaml, type YamlPath } from '../yaml/yaml.ts';
import type { Allowance } from './allowance.ts';
import { settingProblems } from './check-judge.ts';
import type { DataReference, ExceptionDraft, FactReference, FileDraft, RuleDraft } from './file-draft.ts';
import { entriesIn, type FileReading, namedIn, refusedByItem, takeCost } from './file-reading.ts';
import { readException } from './read-exception.ts';
import { readFacts } from './read-facts.ts';
import { readParameters, readSettings } from './read-parameters.ts';
import { readPolicies, readTools } from './read-policies.ts';
import type { ProgramDrafts } from './read-rows.ts';

/** The result for one file: its draft with the parts that are sound, and all of its problems. */
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
 * @param allowance the cost that the file may have; by default any
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
    ...problemsAt(document, [], unknown),
  ];
  // Errors that are cut off no longer tell which parts are sound.
  if (!isJsonObject(document.value) || errors.length >= MAX_SCHEMA_ERRORS) {
    return { draft: undefined, diagnostics: distinct(diagnostics) };
  }

  const reading: FileReading = {
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
    ? { draft: undefined, diagnostics: distinct(independentFindings(diagnostics, mistakes)) }
    : { draft, diagnostics: distinct(diagnostics) };
}

function isBelow(path: YamlPath, owners: readonly { readonly path: YamlPath }[]): boolean {
  return owners.some((owner) => owner.path.every((step, index) => path[index] === step));
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

function readManaged({ document, root }: FileReading): NonNullable<FileDraft['managed']> {
  const position = document.positionOf(['managed'], 'key');
  return { position, onStale: onStaleOf(ownObject(root, 'managed') ?? {}) };
}

function* readParts(reading: FileReading): Steps<FileDraft> {
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
  const facts = Object.hasOwn(root, 'facts') ? readFacts(reading) : [];
  yield* readPolicies(reading, facts, { rules, examples, data, factsElsewhere });
  yield* readTools(reading, rules);
  // A key that is misspelt is an error of its own.
  const isWhole = Object.keys(root).every((key) => SECTION_KEYS.some((known) => known === key));
  if (isWhole && !hasOwnSection(root)) {
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
    ...(Object.hasOwn(root, 'parameters') ? { parameters: readParameters(reading) } : {}),
    ...(Object.hasOwn(root, 'settings') ? { settings: readSettings(reading) } : {}),
    ...(facts.length > 0 ? { facts } : {}),
    ...(factsElsewhere.length > 0 ? { factsElsewhere } : {}),
    rules,
    ...(data.length > 0 ? { data } : {}),
    examples,
  };
}

/** Few files have any. */
function readPrograms(reading: FileReading): ProgramDrafts {
  const { readRows } = require('./read-rows.ts') as typeof import('./read-rows.ts');
  const { document, refused, diagnostics } = reading;
  return readRows(document, diagnostics, { refused, take: takeCost('program', reading) });
}

function readJudges(reading: FileReading): readonly NamedJudge[] {
  const { document, diagnostics } = reading;
  return entriesIn(reading, 'judges').flatMap(([name, settings]) => {
    const base = ['judges', name];
    if (!isJsonObject(settings)) return [];
    const problems = settingProblems(settings);
    diagnostics.push(...problemsAt(document, base, problems));
    return problems.length > 0 ? [] : [{ name, settings, position: document.positionOf(base, 'key') }];
  });
}

function readExceptions({ document, root, refused, diagnostics }: FileReading): readonly ExceptionDraft[] {
  const byItem = refusedByItem(refused, 'exceptions');
  return ownItems(root, 'exceptions').flatMap((item, index) => {
    if (!isJsonObject(item) || byItem.has(index)) return [];
    const read = readException(item, document, index);
    if ('policy' in read) return [read];
    diagnostics.push(...read);
    return [];
  });
}

/** A file with its `defaults` written into each policy. A default that is no action becomes a deny, with one finding. */
function withDefaults(file: Json): Json {
  if (!isJsonObject(file)) return file;
  const defaults = ownObject(file, 'defaults') ?? {};
  const policies = own(file, 'policies');
  const action = own(defaults, 'action');
  const whenUnknown = own(defaults, 'when_unknown');
  if (!Array.isArray(policies) || (action === undefined && whenUnknown === undefined)) return file;
  const known = action !== undefined && !actionNames().some((name) => name === action) ? 'deny' : action;
  const whole = (policy: Json): Json => {
    if (!isJsonObject(policy)) return policy;
    // A policy with a type has a judge where another has an action.
    const isWithout = known !== undefined && !Object.hasOwn(policy, 'type');
    return {
      ...(isWithout ? { action: known } : {}),
      ...(whenUnknown === 'match' || whenUnknown === 'skip' ? { when_unknown: whenUnknown } : {}),
      ...policy,
    };
  };
  return { ...file, policies: policies.map(whole) };
}

/** The errors of a value by the schema of policy files, the first of them if there are too many. */
export function validatePolicyFile(value: unknown): readonly SchemaError[] {
  // Only files that changed since the last run are validated.
  const { validate } =
    require('../../generated/policy-validator.js') as typeof import('../../generated/policy-validator.js');
  return validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_SCHEMA_ERRORS);
}
