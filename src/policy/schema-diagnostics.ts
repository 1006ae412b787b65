import { closest } from '../lib/closest.ts';
import { isJsonObject, type Json, type JsonObject, ownString } from '../lib/json.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { ownerName, valueAt } from './policy-names.ts';
import { problem } from './problem.ts';
import { type RelevantError, relevantErrors, type SchemaError } from './schema-errors.ts';
import { keysAt } from './schema-keys.ts';
import type { YamlDocument, YamlPath } from './yaml.ts';

/** What a problem is about and where it stands. */
interface Place {
  readonly document: YamlDocument;
  readonly path: YamlPath;
  /** The nearest key that the path goes through. */
  readonly name: string;
  readonly value: Json | undefined;
  readonly owner: string;
}

/** The validator's errors in the author's words, with the path of each. */
export function schemaDiagnostics(
  errors: readonly SchemaError[],
  document: YamlDocument,
): readonly { readonly path: YamlPath; readonly diagnostic: Diagnostic }[] {
  return relevantErrors(errors).map((relevant) => {
    const path = pathOf(relevant.error.instancePath, document.value);
    const place: Place = {
      document,
      path,
      name: String(path.findLast((step) => typeof step === 'string') ?? ''),
      value: valueAt(document.value, path),
      owner: ownerName(document.value, path),
    };
    return { path: culpritPath(relevant.error, path), diagnostic: diagnose(relevant, place) };
  });
}

function culpritPath(error: SchemaError, path: YamlPath): YamlPath {
  const key = error.params['additionalProperty'] ?? error.propertyName;
  return typeof key === 'string' ? [...path, key] : path;
}

/** A JSON pointer as steps; a step is an index where the document has a list. */
function pathOf(pointer: string, root: Json): YamlPath {
  const path: (string | number)[] = [];
  let value: Json | undefined = root;
  for (const part of pointer.split('/').slice(1)) {
    const step = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(value) ? Number(step) : step);
    value = valueAt(value ?? null, path.slice(-1));
  }
  return path;
}

function diagnose({ error, branches }: RelevantError, place: Place): Diagnostic {
  const { document, path, name, owner } = place;
  const at = document.positionOf(path, 'value');
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(error, place);
    case 'false schema': {
      const action = ownString(policyAround(place), 'action') ?? '';
      const message = `Cannot use key "${name}" in ${owner}: action "${action}" has no such parameter`;
      return problem(
        'unknown-key',
        document.positionOf(path, 'key'),
        message,
        'remove it or change the action',
      );
    }
    case 'required': {
      const key = String(error.params['missingProperty']);
      return problem(
        'missing-key',
        at,
        `Cannot use ${thing(place)}: key "${key}" is missing`,
        addHint(key, path),
      );
    }
    case 'type':
      return wrongType([error.params['type']], place);
    case 'anyOf':
    case 'oneOf':
      return alternatives(error, branches, place);
    case 'enum':
      return badChoice(listed(error.params['allowedValues']), place);
    case 'const':
      return badChoice([String(error.params['allowedValue'])], place);
    case 'minLength':
      if (error.propertyName !== undefined) {
        const position = document.positionOf([...path, error.propertyName], 'key');
        return problem(
          'bad-value',
          position,
          `Cannot use an empty key in "${name}" of ${owner}`,
          'name something',
        );
      }
      return problem(
        'bad-value',
        at,
        `Cannot use ${naming(place)}: it is empty`,
        'write something or remove the key',
      );
    case 'minItems':
    case 'minProperties':
      return problem(
        'bad-value',
        at,
        `Cannot use ${naming(place)}: it is empty`,
        'add an entry or remove the key',
      );
    case 'pattern':
      return problem(
        'bad-value',
        at,
        `Cannot use ${shown(place)}: it has other characters than allowed`,
        wantedName(error),
      );
    default:
      return problem('bad-value', at, `Cannot use ${shown(place)}: it ${error.message ?? 'is not valid'}`);
  }
}

function policyAround({ document, path }: Place): JsonObject {
  const policy = valueAt(document.value, path.slice(0, -1));
  return isJsonObject(policy) ? policy : {};
}

function unknownKey(error: SchemaError, place: Place): Diagnostic {
  const key = String(error.params['additionalProperty']);
  const known = [...keysAt(place.path).keys()];
  const position = place.document.positionOf([...place.path, key], 'key');
  const inside = place.path.length > 2 ? `"${place.name}" of ${place.owner}` : place.owner;
  const near = closest(key, known);
  const hint = near === undefined ? `use one of ${known.join(', ')}` : `did you mean "${near}"?`;
  return problem('unknown-key', position, `Cannot use key "${key}" in ${inside}`, hint);
}

function addHint(key: string, path: YamlPath): string {
  const description = keysAt(path).get(key);
  if (description === undefined) return `add "${key}"`;
  return `add "${key}": ${description.charAt(0).toLowerCase()}${description.slice(1)}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
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

function wrongType(types: readonly unknown[], place: Place): Diagnostic {
  const wanted = [...new Set(types.flatMap((type) => (Array.isArray(type) ? type : [type])).map(typeName))];
  const position = place.document.positionOf(place.path, 'value');
  const message = `Cannot use ${naming(place)}: it is ${typeName(typeOf(place.value))}`;
  const quote =
    wanted.includes('a text') && typeof place.value !== 'object' ? '; quote it to make it a text' : '';
  return problem('wrong-type', position, message, `write ${joined(wanted)}${quote}`);
}

function typeOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The value has the type of no alternative, or more than one of exclusive alternatives holds. */
function alternatives(error: SchemaError, branches: readonly SchemaError[], place: Place): Diagnostic {
  const types = branches
    .filter((branch) => branch.keyword === 'type' && branch.instancePath === error.instancePath)
    .map((branch) => branch.params['type']);
  if (types.length > 0) return wrongType(types, place);
  const position = place.document.positionOf(place.path, 'value');
  return problem('bad-value', position, `Cannot use ${thing(place)}: it says the same thing in two ways`);
}

function listed(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.map(String) : [];
}

function badChoice(wanted: readonly string[], place: Place): Diagnostic {
  const position = place.document.positionOf(place.path, 'value');
  const near = typeof place.value === 'string' ? closest(place.value, wanted) : undefined;
  const hint = near === undefined ? `write ${joined(wanted)}` : `did you mean "${near}"?`;
  return problem('bad-value', position, `Cannot use ${shown(place)}`, hint);
}

function wantedName(error: SchemaError): string {
  return String(error.params['pattern']).includes('{1,64}')
    ? 'use 1 to 64 letters, digits, _ and -'
    : 'use letters, digits, ".", "_" and "-", beginning with a letter or digit';
}

function joined(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** The policy, tool or key as a whole. */
function thing(place: Place): string {
  return place.path.length <= 2 ? place.owner : naming(place);
}

function naming({ name, owner, path }: Place): string {
  const last = path.at(-1);
  if (last === undefined) return owner;
  if (typeof last === 'number' && owner !== 'the file' && path.length === 2) return owner;
  const key = typeof last === 'number' ? `item ${last + 1} of "${name}"` : `"${name}"`;
  return owner === 'the file' ? `key ${key}` : `${key} of ${owner}`;
}

const LONGEST_SHOWN = 60;

/** What the author calls the value of a key, where that is not the key's own name. */
const VALUE_NAMES: Readonly<Record<string, string>> = { on: 'event', hosts: 'host' };

function shown(place: Place): string {
  const { value, name, owner } = place;
  if (typeof value === 'object' || value === undefined) return naming(place);
  const text = String(value);
  const cut = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return `${VALUE_NAMES[name] ?? name} "${cut}" in ${owner}`;
}
