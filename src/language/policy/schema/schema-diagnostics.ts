import { flowYaml } from '../../../lib/flow-yaml.ts';
import { asList, isJsonObject, itemsOf, type Json, type JsonObject, ownString } from '../../../lib/json.ts';
import { atPath } from '../../../lib/json-path.ts';
import { orList } from '../../../lib/or-list.ts';
import { ACTIONS, type Action } from '../../../model/action.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { likelyWord } from '../../../model/likely-word.ts';
import { actionSpec } from '../../actions/registry.ts';
import { MATCHER_TABLE } from '../../keys/registry.ts';
import { PROGRAM_TEXT, shapeOf } from '../../keys/types/shapes.ts';
import { keyWithoutSpace } from '../yaml/mistakes/keys.ts';
import { problem } from '../yaml/problem.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';
import { policySchema } from './schema.ts';
import { type RelevantError, relevantErrors, type SchemaError } from './schema-errors.ts';
import { isNeeded, type KeyLookup, keyLookup } from './schema-keys.ts';
import { describePlace, naming, placeAt, type SchemaPlace, shown, valuePosition } from './schema-place.ts';
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
    case 'pattern': {
      const shape = shapeOf(error.params['pattern']);
      if (shape !== undefined) {
        const message = `Cannot match ${shown(place)}: ${shape.state}`;
        const text = String(place.value);
        const line = shape.pattern === PROGRAM_TEXT.pattern ? lineHint(text) : undefined;
        return problem('never-matches', valuePosition(place), message, line ?? shape.hint(text));
      }
      if (error.propertyName !== undefined) return badName(error.propertyName, error, place);
      const wanted = valueShapeOf(error.params['pattern']);
      if (wanted !== undefined)
        return problem(
          'bad-value',
          valuePosition(place),
          `Cannot use ${shown(place)}: ${wanted.state}`,
          wanted.hint,
        );
      const message = `Cannot use ${shown(place)}: it has other characters than allowed`;
      return problem('bad-value', valuePosition(place), message, wantedName(error));
    }
    case 'uniqueItems': {
      const message = `Cannot use ${naming(place)}: it has the same item twice`;
      return problem('bad-value', valuePosition(place), message, 'leave one out');
    }
    default: {
      const message = `Cannot use ${shown(place)}: it ${error.message ?? 'is not valid'}`;
      return problem('bad-value', valuePosition(place), message);
    }
  }
}

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
  const hints = [
    ...(key === 'cases' && known.includes('extends') ? ['name the file *.test.yaml: these are tests'] : []),
    ...(key === 'steps' && known.includes('extends')
      ? ['put steps for policy explain into a folder without policies']
      : []),
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

/** Lower case for an ordinary first word; JSON, URLs and the like stay. */
function lowerFirst(text: string): string {
  return /^\p{Lu}(?!\p{Lu})/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
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
  const message = `Cannot use ${naming(place)}: it begins with the program, and needs a word of it behind`;
  return problem('bad-value', valuePosition(place), message, `write ${flowYaml(list)}${also}`);
}

/** A command line in place of a program's name. */
function lineHint(text: string): string | undefined {
  const [program = '', ...words] = text.trim().split(/\s+/);
  if (words.length === 0 || program.includes(',') || /[;|&<>`]|\$./.test(text)) return undefined;
  const run = /[^/]*$/.exec(program)?.[0] ?? '';
  // Loaded when somebody writes a command line: the build checks rows before the reader is whole.
  const { testOfLine } =
    require('../../keys/command/test-of-line.ts') as typeof import('../../keys/command/test-of-line.ts');
  return `write command: ${flowYaml(testOfLine(text) ?? { run })}`;
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
  const hint = `write ${bound} ${error.params['limit']}${unit}`;
  return problem('bad-value', valuePosition(place), `Cannot use ${shown(place)}: it is ${what}`, hint);
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

/** A hint about a value names no more keys. */
const FEW_KEYS = 10;

function wrongType(types: readonly unknown[], place: SchemaPlace, keysAt: KeyLookup): Diagnostic {
  const wanted = [...new Set(types.flatMap((type) => (Array.isArray(type) ? type : [type])).map(typeName))];
  const message = `Cannot use ${naming(place)}: it is ${typeName(typeOf(place.value))}`;
  const key = typeof place.value === 'string' ? keyWithoutSpace(place.value) : undefined;
  if (key !== undefined && wanted.includes('a mapping'))
    return problem('wrong-type', valuePosition(place), message, `write a space after ${key}:`);
  const couldBeQuoted = wanted.includes('a string') && typeof place.value !== 'object';
  const keys = wanted.includes('a mapping') ? [...keysAt(place.path).keys()] : [];
  const within = keys.length > 0 && keys.length <= FEW_KEYS ? ` with ${orList(keys)}` : '';
  // An example is a call, and most people think of a command.
  const isExample = /^(?:hit|miss)$/.test(String(place.path.at(-2))) && typeof place.value === 'string';
  const hint = isExample
    ? `write ${flowYaml({ command: place.value ?? '' })}`
    : (writtenForm(place, wanted, keys) ??
      `write ${orList(wanted)}${within}${couldBeQuoted ? '; quote it to make it a string' : ''}`);
  return problem('wrong-type', valuePosition(place), message, hint);
}

/** The value itself in the wanted form, where that is clear: `[claude]`, `{any: [--force]}`, `{one_of: [a, b]}`. */
function writtenForm(
  { path, name, value }: SchemaPlace,
  wanted: readonly string[],
  keys: readonly string[],
): string | undefined {
  if (path.length === 1 && isJsonObject(value) && wanted.includes('a list'))
    return 'write a list, with a dash before each item';
  const values = asList(value ?? []);
  const isFew = values.length > 0 && values.every((each) => typeof each === 'string' && each.length < 40);
  if (!isFew) return undefined;
  const words = values.map(String);
  if (name === 'tool_matcher' && Array.isArray(value)) return `write '${words.join('|')}'`;
  const key = [...(/^(?:flags|args)$/.test(name) ? ['any'] : []), 'one_of'].find((each) =>
    keys.includes(each),
  );
  // One operand passes one test, which may name several values.
  const test = name === 'args' && Array.isArray(value) ? { one_of: value } : (value ?? null);
  if (wanted.includes('a mapping') && key !== undefined) return `write ${flowYaml({ [key]: test })}`;
  if (wanted.length > 1 || wanted[0] !== 'a list' || Array.isArray(value)) return undefined;
  return `write ${flowYaml(name === 'subcommand' ? words.flatMap((text) => text.trim().split(/\s+/)) : words)}`;
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

/** @param keys those of a mapping that could be in place of the value */
function choiceHint(wanted: readonly string[], place: SchemaPlace, keys: ReturnType<KeyLookup>): string {
  const { name, value } = place;
  if (typeof value !== 'string') return `write ${orList(wanted)}`;
  if (keys.has(value)) return `write ${name}: {${value}: …}: ${lowerFirst(keys.get(value) ?? '')}`;
  if (wanted.includes(value)) return `write ${value} without quotes`;
  if (name === 'action' && WATCHING.test(value))
    return `write action: ${watchingAction(place)}, and mode: monitor beside it`;
  const several = value.split(/[\s,|]+/);
  if (several.length > 1 && several.every((each) => wanted.includes(each)))
    return `write [${several.join(', ')}]`;
  const near = likelyWord(value, wanted);
  if (near !== undefined && wanted.length > 1) return `did you mean "${near}"?`;
  return (name === 'tool' ? toolHint(value, wanted) : undefined) ?? `write ${orList(wanted)}`;
}

/** Names that other tools give to an action that only reports. */
const WATCHING = /^(?:warn|warning|log|audit|monitor|observe|alert|notify)$/i;

/** Deny, or the strongest action that the events of the policy have. */
function watchingAction({ document, path }: SchemaPlace): Action {
  const on = asList(atPath(document.value, [...path.slice(0, -1), 'on']) ?? []).map(String);
  const isOn = (action: Action) =>
    on.every((kind) => actionSpec(action).events.some((each) => each === kind));
  return (['deny', 'abort_turn', ...ACTIONS] as const).find(isOn) ?? 'deny';
}

/** For the name of a tool, and for `Bash(git push:*)` as the settings of agents have it. */
function toolHint(value: string, wanted: readonly string[]): string | undefined {
  const [, tool = '', inside] = /^(\w+)\((.*)\)$/s.exec(value) ?? [];
  if (inside !== undefined && likelyWord(tool, wanted) === 'shell')
    return lineHint(inside.replace(/:\*$/, ' *'));
  if (value === '' || value.includes('(')) return undefined;
  return `write tool_matcher: ${flowYaml(value)} for one tool by its name, or ${orList(wanted)}`;
}

function wantedName(error: SchemaError): string {
  if (String(error.params['pattern']).startsWith('^\\S'))
    return 'part its words by one blank, and names that share a row by " | "';
  return String(error.params['pattern']).includes('{1,64}')
    ? 'use 1 to 64 letters, digits, _ and -'
    : 'use letters, digits, ".", "_" and "-", beginning with a letter or digit';
}
