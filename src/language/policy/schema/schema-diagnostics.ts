import { flowYaml } from '../../../lib/flow-yaml.ts';
import { isJsonObject, itemsOf, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import { atPath } from '../../../lib/json-path.ts';
import { ACTIONS } from '../../../model/action.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { likelyWord } from '../../../model/likely-word.ts';
import { MATCHER_TABLE } from '../../keys/registry.ts';
import { PROGRAM_TEXT, shapeOf } from '../../keys/types/shapes.ts';
import { problem } from '../yaml/problem.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';
import { policySchema } from './schema.ts';
import { type RelevantError, relevantErrors, type SchemaError } from './schema-errors.ts';
import { isNeeded, type KeyLookup, keyLookup } from './schema-keys.ts';
import { describePlace, naming, placeAt, type SchemaPlace, shown, valuePosition } from './schema-place.ts';
import { choiceHint, lineHint, lowerFirst, typeHint } from './value-hints.ts';
import { valueShapeOf } from './value-shapes.ts';

/** A diagnostic with the path of the value or key that it is about. */
export interface SchemaDiagnostic {
  readonly path: YamlPath;
  readonly diagnostic: Diagnostic;
}

/** The validator's errors in the author's words. */
export function schemaDiagnostics(
  errors: readonly SchemaError[],
  document: YamlDocument,
  schema: () => JsonObject = policySchema,
): readonly SchemaDiagnostic[] {
  const keysAt = keyLookup(schema);
  const relevant = relevantErrors(errors);
  const misspelt = misspeltKeys(relevant, document, keysAt);
  const isNews = ({ error }: RelevantError) => !misspelt.has(missingKeyOf(error));
  return relevant.filter(isNews).map((relevant) => {
    const { error } = relevant;
    const place = placeAt(document, pathOf(error.instancePath, document.value));
    const key = error.params['additionalProperty'] ?? error.propertyName;
    return {
      path: typeof key === 'string' ? [...place.path, key] : place.path,
      diagnostic: withTopic(diagnose(relevant, place, keysAt, schema), place.path),
    };
  });
}

/** The key of a policy that a path goes through. */
function withTopic(diagnostic: Diagnostic, [section, , key]: YamlPath): Diagnostic {
  const isKey = section === 'policies' && typeof key === 'string' && MATCHER_TABLE.has(key);
  return isKey ? { ...diagnostic, topic: key } : diagnostic;
}

/** Keys that are missing only because they are misspelt; the unknown key is reported already. */
function misspeltKeys(
  errors: readonly RelevantError[],
  document: YamlDocument,
  keysAt: KeyLookup,
): ReadonlySet<string | undefined> {
  const keys = errors.flatMap(({ error }) => {
    const key = error.params['additionalProperty'];
    if (error.keyword !== 'additionalProperties' || typeof key !== 'string') return [];
    const known = [...keysAt(pathOf(error.instancePath, document.value)).keys()];
    const meant = actionIn(key, known) === undefined ? likelyWord(key, known) : 'action';
    return meant === undefined ? [] : [`${error.instancePath}/${meant}`];
  });
  return new Set(keys);
}

function missingKeyOf({ keyword, instancePath, params }: SchemaError): string | undefined {
  return keyword === 'required' ? `${instancePath}/${params['missingProperty']}` : undefined;
}

/** A JSON pointer as steps; a step is an index where the document has a list. */
function pathOf(pointer: string, root: Json): YamlPath {
  const path: (string | number)[] = [];
  let value: Json | undefined = root;
  for (const part of pointer.split('/').slice(1)) {
    const step = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(value) ? Number(step) : step);
    value = atPath(value ?? null, path.slice(-1));
  }
  return path;
}

function diagnose(
  { error, branches }: RelevantError,
  place: SchemaPlace,
  keysAt: KeyLookup,
  schema: () => JsonObject,
): Diagnostic {
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(String(error.params['additionalProperty']), place, keysAt);
    case 'false schema':
      return foreignKey(place);
    case 'required':
      return missingKey(String(error.params['missingProperty']), place, keysAt);
    case 'type':
      return wrongType([error.params['type']], place, keysAt);
    case 'anyOf':
    case 'oneOf':
      return noAlternative(error, branches, place, keysAt);
    case 'enum':
      return badChoice(itemsOf(error.params['allowedValues']).map(String), place, keysAt);
    case 'const':
      return badChoice([String(error.params['allowedValue'])], place, keysAt);
    case 'minLength':
      return error.propertyName === undefined
        ? empty(place, 'write something', schema())
        : emptyKey(error, place);
    case 'minItems':
      if (Array.isArray(place.value) && place.value.length > 0) return tooFew(place);
      return empty(place, 'add an entry', schema());
    case 'minProperties':
      return empty(place, 'add an entry', schema());
    case 'minimum':
      return outOfRange('too small', 'at least', error, place);
    case 'exclusiveMinimum':
      return outOfRange('too small', 'more than', error, place);
    case 'maximum':
      return outOfRange('too large', 'at most', error, place);
    case 'maxLength':
      return outOfRange('too long', 'at most', error, place);
    case 'pattern':
      return otherForm(error, place);
    case 'uniqueItems':
      return badValue(place, 'it has the same item twice', 'leave one out');
    default:
      return badValue(place, `it ${error.message ?? 'is not valid'}`);
  }
}

function badValue(place: SchemaPlace, state: string, hint?: string): Diagnostic {
  return problem('bad-value', valuePosition(place), `Cannot use ${shown(place)}: ${state}`, hint);
}

/** A text without the form that its pattern asks for. */
function otherForm(error: SchemaError, place: SchemaPlace): Diagnostic {
  const { pattern } = error.params;
  const shape = shapeOf(pattern);
  if (shape !== undefined) {
    const message = `Cannot match ${shown(place)}: ${shape.state}`;
    const text = String(place.value);
    const line = shape.pattern === PROGRAM_TEXT.pattern ? lineHint(text) : undefined;
    return problem('never-matches', valuePosition(place), message, line ?? shape.hint(text));
  }
  if (error.propertyName !== undefined) return badName(error.propertyName, error, place);
  const wanted = valueShapeOf(pattern);
  return badValue(
    place,
    wanted?.state ?? 'it has other characters than allowed',
    wanted?.hint ?? wantedName(error),
  );
}

/** Hints for keys of files that are read as policies. */
const OF_OTHER_FILES: Readonly<Record<string, string>> = {
  cases: 'name the file *.test.yaml: these are tests',
  steps: 'put steps for policy explain into a folder without policies',
};

function unknownKey(key: string, place: SchemaPlace, keysAt: KeyLookup): Diagnostic {
  const known = [...keysAt(place.path).keys()];
  const position = place.document.positionOf([...place.path, key], 'key');
  const inside = place.path.length > 2 ? `"${place.name}" of ${place.owner}` : place.owner;
  const near = likelyWord(key, known);
  // In a policy itself: deeper down the same names mean other things.
  const homes = place.path.length > 2 ? [] : known.filter((other) => keysAt([...place.path, other]).has(key));
  const value = atPath(place.document.value, [...place.path, key]);
  const within = isJsonObject(value) ? Object.keys(value) : [];
  // As in `when: {command: …}` or `if: {path: …}`, unless a key is more likely misspelt.
  const onlyWraps =
    (near === undefined || key.length < 3) &&
    within.length > 0 &&
    within.every((each) => known.includes(each));
  const elsewhere = known.includes('extends') ? own(OF_OTHER_FILES, key) : undefined;
  const hints = [
    ...(elsewhere === undefined ? [] : [elsewhere]),
    ...(near === undefined ? [] : [`did you mean "${near}"?`]),
    ...(homes.length === 0 || onlyWraps
      ? []
      : [`write it in ${homes.map((home) => `${home}: {${key}: …}`).join(' or ')}`]),
    ...(onlyWraps ? [`leave "${key}" out and write ${within.join(', ')} in its place`] : []),
  ];
  const action = actionIn(key, known);
  const hint =
    action === undefined ? hints.join(' Or ') || keysHint(known, place.path[0]) : `write action: ${action}`;
  return problem('unknown-key', position, `Cannot use key "${key}" in ${inside}`, hint);
}

/** The action that somebody has written in place of the key: `deny: never`. */
function actionIn(key: string, known: readonly string[]): string | undefined {
  if (!known.includes('action')) return undefined;
  const meant = likelyWord(key, ACTIONS);
  return meant !== undefined && likelyWord(key, known) === undefined ? meant : undefined;
}

/** More keys than anybody reads in a hint. */
const MANY_KEYS = 30;
/** Sections of the documentation that describe so many keys. */
const TABLES: Readonly<Record<string, string>> = { policies: 'policy#a-policy', programs: 'programs#a-row' };

function keysHint(known: readonly string[], section: unknown): string {
  if (known.length === 1) return `the only key here is "${known[0]}"`;
  const table = known.length > MANY_KEYS ? TABLES[String(section)] : undefined;
  return table === undefined ? `use one of ${known.join(', ')}` : `policy docs ${table} lists the keys`;
}

/** A key of policies with another action or type. */
function foreignKey({ document, path, name, owner }: SchemaPlace): Diagnostic {
  const policy = atPath(document.value, path.slice(0, -1));
  const textAt = (key: string) => (isJsonObject(policy) ? ownString(policy, key) : undefined);
  const key = (['type', 'action'] as const).find((each) => textAt(each) !== undefined);
  const state =
    key === undefined ? 'no action is given that has it' : `${key} "${textAt(key)}" does not have it`;
  const message = `Cannot use key "${name}" in ${owner}: ${state}`;
  // That of a judge is the model that is asked.
  const instead = name === 'model' ? 'write model_prefix for the model of the agent, ' : '';
  const hint = `${instead}remove it or change the ${key ?? 'action'}`;
  return problem('unknown-key', document.positionOf(path, 'key'), message, hint);
}

function missingKey(key: string, place: SchemaPlace, keysAt: KeyLookup): Diagnostic {
  const description = keysAt(place.path).get(key);
  const what = description === undefined ? '' : `: ${lowerFirst(description)}`;
  const message = `Cannot use ${describePlace(place)}: key "${key}" is missing`;
  return problem('missing-key', valuePosition(place), message, `add "${key}"${what}`);
}

function empty(place: SchemaPlace, wanted: string, schema: JsonObject): Diagnostic {
  const hint = isNeeded(place.path, schema) ? wanted : `${wanted} or remove the key`;
  return problem('bad-value', valuePosition(place), `Cannot use ${naming(place)}: it is empty`, hint);
}

/** `[push]`, beside `run: git` or not: only the list of a subcommand needs more than one. */
function tooFew(place: SchemaPlace): Diagnostic {
  const beside = atPath(place.document.value, [...place.path.slice(0, -1), 'run']);
  const [word = ''] = itemsOf(place.value);
  const [list, also] =
    beside === undefined ? [[word, 'WORD'], ''] : [[beside, word], ', and leave "run" out'];
  const state = 'it begins with the program, and needs a word of it behind';
  return badValue(place, state, `write ${flowYaml(list)}${also}`);
}

function badName(name: string, error: SchemaError, { document, path, owner }: SchemaPlace): Diagnostic {
  const message = `Cannot use the name "${name}" in ${owner}: it has other characters than allowed`;
  return problem('bad-value', document.positionOf([...path, name], 'key'), message, wantedName(error));
}

function emptyKey(error: SchemaError, { document, path, name, owner }: SchemaPlace): Diagnostic {
  const position = document.positionOf([...path, error.propertyName ?? ''], 'key');
  return problem('bad-value', position, `Cannot use an empty key in "${name}" of ${owner}`, 'name something');
}

function outOfRange(what: string, bound: string, error: SchemaError, place: SchemaPlace): Diagnostic {
  const unit = error.keyword === 'maxLength' ? ' characters' : '';
  return badValue(place, `it is ${what}`, `write ${bound} ${error.params['limit']}${unit}`);
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  null: 'nothing',
};

function typeName(type: unknown): string {
  return TYPE_NAMES[String(type)] ?? String(type);
}

function wrongType(types: readonly unknown[], place: SchemaPlace, keysAt: KeyLookup): Diagnostic {
  const wanted = [...new Set(types.flat().map(typeName))];
  const message = `Cannot use ${naming(place)}: it is ${typeName(typeOf(place.value))}`;
  const keys = wanted.includes('a mapping') ? [...keysAt(place.path).keys()] : [];
  return problem('wrong-type', valuePosition(place), message, typeHint(place, wanted, keys));
}

function typeOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The value has the type of no alternative, or fits more than one of those that exclude each other. */
function noAlternative(
  error: SchemaError,
  branches: readonly SchemaError[],
  place: SchemaPlace,
  keysAt: KeyLookup,
): Diagnostic {
  const types = branches
    .filter((branch) => branch.keyword === 'type' && branch.instancePath === error.instancePath)
    .map((branch) => branch.params['type']);
  if (types.length > 0) return wrongType(types, place, keysAt);
  const message = `Cannot use ${describePlace(place)}: it says the same thing in two ways`;
  return problem('bad-value', valuePosition(place), message);
}

function badChoice(wanted: readonly string[], place: SchemaPlace, keysAt: KeyLookup): Diagnostic {
  const hint = choiceHint(wanted, place, keysAt(place.path));
  return problem('bad-value', valuePosition(place), `Cannot use ${shown(place)}`, hint);
}

function wantedName(error: SchemaError): string {
  if (String(error.params['pattern']).startsWith('^\\S'))
    return 'part its words by one blank, and names that share a row by " | "';
  return String(error.params['pattern']).includes('{1,64}')
    ? 'use 1 to 64 letters, digits, _ and -'
    : 'use letters, digits, ".", "_" and "-", beginning with a letter or digit';
}
