import type { JsonObject } from '../../../lib/json.ts';
import { LIST } from '../../../lib/schema-parts.ts';
import { CONSEQUENCE_KINDS, CONSEQUENCES, type ConsequenceKind } from '../../../model/consequences.ts';
import {
  closed,
  NETWORK_USES,
  ROW_KEYS,
  RUNS_KEYS,
  SHIPPED_KEYS,
  WORDS,
} from '../../../model/program-row.ts';
import { COMMAND_DEFINITIONS } from '../../keys/command/spec.ts';

function rows(description: string, definition: string, names = '\\S+( \\S+)*'): JsonObject {
  return {
    description,
    type: 'object',
    maxProperties: 1_000,
    propertyNames: { pattern: `^${names}$`, maxLength: 4_096 },
    additionalProperties: { $ref: `#/$defs/${definition}` },
  };
}

export function programsSchema(): JsonObject {
  return {
    ...rows(
      'What programs do with their arguments, by name; `a | b` shares one row',
      'program',
      '\\S+( \\| \\S+)*',
    ),
    minProperties: 1,
  };
}

/** Definitions that `programs:` of policy files needs, beside those of `command:`. */
export function programDefinitions(): JsonObject {
  const runs = { ...RUNS_KEYS, subcommands: rows('Rows of the subcommands that run a command', 'runs') };
  return {
    program: closed(programKeys()),
    runs: { description: 'It runs a command that is among its words', ...closed(runs) },
  };
}

export function programsFileSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Programs file',
    ...closed({ version: { const: 1 }, programs: programsSchema() }),
    required: ['version', 'programs'],
    $defs: {
      ...COMMAND_DEFINITIONS,
      ...programDefinitions(),
      program: closed({ ...programKeys(), ...SHIPPED_KEYS }),
    },
  };
}

function programKeys(): JsonObject {
  return {
    ...ROW_KEYS,
    ...Object.fromEntries(CONSEQUENCE_KINDS.map((kind) => [kind, consequenceSchema(kind)])),
    runs: { description: 'Where in its words another command is, which it runs', $ref: '#/$defs/runs' },
    subcommands: rows('Rows of its subcommands, by their words; in `a | b c`, two share a row', 'program'),
    examples: examplesSchema(),
  };
}

function consequenceSchema(kind: ConsequenceKind): JsonObject {
  const values = Object.keys(CONSEQUENCES[kind].values);
  const test: JsonObject = { $ref: '#/$defs/command_condition' };
  const tests: JsonObject = { anyOf: [test, { ...LIST, items: test }] };
  return {
    description: 'A consequence of running it: always, or by value if the command fits a test',
    anyOf: [
      ...valueOrValues(values),
      { ...closed(Object.fromEntries(values.map((value) => [value, tests]))), minProperties: 1 },
    ],
  };
}

function valueOrValues(values: readonly string[]): readonly JsonObject[] {
  const value: JsonObject = { type: 'string', enum: values };
  return [value, { ...LIST, uniqueItems: true, items: value }];
}

/** More keys of examples: effects of the commands that are run. */
const EFFECT_KEYS = ['reads', 'writes', 'deletes', 'executes'] as const;

function examplesSchema(): JsonObject {
  const effects = EFFECT_KEYS.map(
    (key) => [key, { description: 'Paths, as they are written', ...WORDS }] as const,
  );
  return {
    description: 'Commands with all their consequences; `policy check` runs them',
    type: 'object',
    minProperties: 1,
    additionalProperties: closed({
      ...Object.fromEntries(
        CONSEQUENCE_KINDS.map((kind) => [
          kind,
          { anyOf: valueOrValues(Object.keys(CONSEQUENCES[kind].values)) },
        ]),
      ),
      network: { enum: [...NETWORK_USES, 'none'] },
      ...Object.fromEntries(effects),
      runs: { description: 'Programs that it runs', ...WORDS },
    }),
  };
}
