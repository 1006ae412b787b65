import { dirname, relative } from 'node:path';
import { HOSTS } from '../../hosts/registry.ts';
import type { EffectiveParameter } from '../../language/policy/compile/compile-files.ts';
import { BUILTIN_PACKS } from '../../language/policy/compile/packs.ts';
import { isInside } from '../../language/policy/files/folders.ts';
import { isPolicyName } from '../../language/policy/files/list-policy-files.ts';
import { policySchema } from '../../language/policy/schema/schema.ts';
import { keysAt, schemasAt } from '../../language/policy/schema/schema-keys.ts';
import { isJsonObject, type JsonObject, own } from '../../lib/json.ts';
import { atPath } from '../../lib/json-path.ts';
import { TOOL_CLASSES } from '../../model/event.ts';
import type { Rule } from '../../model/policy.ts';
import { isNamed } from '../../model/rule-id.ts';
import { testSchema } from '../suite/cases/case-keys.ts';
import type { Cursor } from './cursor.ts';
import { type Meaning, meaningAt } from './meaning.ts';
import { flagsOf, programNames, programSummary, subcommandsOf } from './program-words.ts';
import { sectionNames } from './section-names.ts';
import type { OpenFile } from './workspace.ts';

export interface KnownWord {
  readonly word: string;
  readonly isKey: boolean;
  /** Markdown. */
  readonly about?: string | undefined;
}

let schemas: { readonly policy: JsonObject; readonly test: JsonObject } | undefined;

function schemaOf(kind: OpenFile['kind']): JsonObject {
  schemas ??= { policy: policySchema(), test: testSchema() };
  return schemas[kind];
}

/** Every word that may be at a position, by the schema and by the names that can be looked up. */
export function wordsAt(cursor: Cursor, file: OpenFile): readonly KnownWord[] {
  const schema = schemaOf(file.kind);
  const meaning = meaningAt(cursor, file.kind);
  const looked = meaning === undefined ? [] : lookUp(meaning, file);
  const { at, path } = cursor;
  if (at === 'key') return [...keyWords(cursor, schema), ...looked.map((each) => ({ ...each, isKey: true }))];
  const values = schemasAt(path, schema)
    .flatMap(valuesIn)
    .map((word): KnownWord => ({ word, isKey: false }));
  const keys = at === 'item' ? keyWords(cursor, schema) : [];
  return distinct([...keys, ...looked, ...values]);
}

/** The meaning of a word at a position, as Markdown; undefined if there is nothing to say. */
export function aboutWord(cursor: Cursor, file: OpenFile): string | undefined {
  const schema = schemaOf(file.kind);
  if (cursor.at === 'key') {
    const about = keysAt(cursor.path, schema).get(cursor.word);
    if (about !== undefined) return about;
  }
  const meaning = meaningAt(cursor, file.kind);
  if (meaning !== undefined) {
    const found = lookUp(meaning, file).find(({ word }) => word === cursor.word)?.about;
    if (found !== undefined) return found;
    const rule = meaning.type === 'policy' ? ruleNamed(cursor.word, file) : undefined;
    if (rule !== undefined) return aboutRule(rule);
  }
  if (cursor.at === 'key') return undefined;
  const key = cursor.path.findLastIndex((step) => typeof step === 'string');
  const name = cursor.path[key];
  return typeof name === 'string' ? keysAt(cursor.path.slice(0, key), schema).get(name) : undefined;
}

/** The policy that a test or an exception names; short ids end whole ones. */
export function ruleNamed(id: string, { set }: Pick<OpenFile, 'set'>): Rule | undefined {
  const rules = set?.compiled.program.rules ?? [];
  return rules.find((rule) => rule.id === id) ?? rules.find((rule) => isNamed(rule.id, id));
}

export function parametersOf({ set }: Pick<OpenFile, 'set'>): readonly EffectiveParameter[] {
  return (set?.compiled.files ?? []).flatMap(({ parameters }) => parameters);
}

function keyWords(cursor: Cursor, schema: JsonObject): readonly KnownWord[] {
  const beside = atPath(cursor.value, cursor.path);
  const isThere = (key: string) =>
    isJsonObject(beside) && own(beside, key) !== undefined && key !== cursor.word;
  return [...keysAt(cursor.path, schema)]
    .filter(([key]) => !isThere(key))
    .map(([word, about]) => ({ word, isKey: true, about }));
}

function valuesIn(schema: JsonObject): readonly string[] {
  const { enum: values, const: value, type } = schema;
  const all = Array.isArray(values) ? values : value === undefined ? [] : [value];
  return [...all, ...(type === 'boolean' ? [true, false] : [])].map(String);
}

type Lookup = Pick<OpenFile, 'set' | 'path' | 'place' | 'text'>;

function lookUp(meaning: Meaning, file: Lookup): readonly KnownWord[] {
  const programs = file.set?.compiled.program.programs;
  switch (meaning.type) {
    case 'program':
      return plain(programNames(programs), (name) => programSummary(name, programs));
    case 'subcommand':
      return plain(meaning.commands.flatMap((words) => subcommandsOf(words, programs)));
    case 'flag':
      return meaning.commands.flatMap((words) =>
        flagsOf(words, programs).flatMap(({ spellings, takesValue }) => {
          const about = `\`${spellings.join('`, `')}\` of \`${words.join(' ')}\`${takesValue ? ', takes a value' : ''}`;
          return plain(spellings, () => about);
        }),
      );
    case 'policy':
      return (file.set?.compiled.program.rules ?? []).map((rule) => ({
        word: rule.id,
        isKey: false,
        about: aboutRule(rule),
      }));
    case 'disabled':
      return [...packWords(), ...packPolicies()];
    case 'file':
      return [...packWords(), ...plain(siblingFiles(file))];
    case 'call':
      return plain(sectionNames(file.text, 'calls').map(({ name }) => name));
    case 'parameter':
      return plain(sectionNames(file.text, 'parameters').map(({ name }) => name));
    case 'fact':
      return plain(sectionNames(file.text, 'facts').map(({ name }) => name));
    case 'setting':
      return parametersOf(file).map((each) => ({
        word: each.id,
        isKey: true,
        about: `${each.type}, by default \`${JSON.stringify(each.default)}\`; others may ${each.may === 'nothing' ? 'not set it' : `${each.may} it`}`,
      }));
    case 'tool':
      return plain(HOSTS.flatMap(({ tools }) => Object.keys(tools)));
    case 'class':
      return plain(TOOL_CLASSES);
    case 'data':
      return [];
    default:
      return meaning satisfies never;
  }
}

function plain(words: readonly string[], about?: (word: string) => string | undefined): readonly KnownWord[] {
  return words.map((word) => ({ word, isKey: false, about: about?.(word) }));
}

function packWords(): readonly KnownWord[] {
  return plain(
    BUILTIN_PACKS.names.map((name) => `builtin:${name}`),
    (word) => /^description: (.*)$/m.exec(BUILTIN_PACKS.text(word.slice('builtin:'.length)) ?? '')?.[1],
  );
}

function packPolicies(): readonly KnownWord[] {
  return BUILTIN_PACKS.names.flatMap((name) => {
    const rules = BUILTIN_PACKS.draft(name)?.rules ?? [];
    return rules.map((rule) => ({ word: rule.id, isKey: false, about: aboutRule(rule) }));
  });
}

function aboutRule({ id, action, params }: Pick<Rule, 'id' | 'action' | 'params'>): string {
  const reason = own(params, 'reason');
  return `\`${id}\`: ${action}${typeof reason === 'string' ? `\n\n${reason}` : ''}`;
}

function siblingFiles({ set, path, place }: Lookup): readonly string[] {
  return [...(set?.compiled.paths ?? [])]
    .filter((other) => other !== path && isPolicyName(other) && isInside(other, place.directory))
    .map((other) => relative(dirname(path), other));
}

function distinct(words: readonly KnownWord[]): readonly KnownWord[] {
  return [...new Map(words.map((each) => [`${each.isKey}\0${each.word}`, each])).values()];
}
