import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../../lib/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { CompiledRow } from '../../reading/knowledge/compiled-row.ts';
import { ROLES } from '../../reading/knowledge/program-spec.ts';
import { problem } from '../problem.ts';
import type { YamlDocument, YamlPath } from '../yaml.ts';
import { compileRow, FLAG, namesOf, type ProgramRow } from './row.ts';

/** Programs by name, in the form that the reading takes. */
export type CompiledPrograms = Readonly<Record<string, CompiledRow>>;

/**
 * Compiles the rows below `programs:` of a document that has the schema's shape, and reports what the schema cannot: a
 * flag or a name that occurs twice, a flag with an unknown role.
 */
export function readRows(document: YamlDocument, diagnostics: Diagnostic[]): CompiledPrograms {
  const rows = isJsonObject(document.value) ? ownObject(document.value, 'programs') : undefined;
  const compiled: Record<string, CompiledRow> = {};
  for (const [key, row] of Object.entries(rows ?? {})) {
    const problems = [
      ...checkRow(row, ['programs', key], document),
      ...checkNames(key, ['programs', key], Object.keys(compiled), document),
    ];
    diagnostics.push(...problems);
    if (problems.length > 0) continue;
    const made = compileRow(row as ProgramRow);
    for (const name of namesOf(key)) compiled[name] = made;
  }
  return compiled;
}

/** A row, what it runs, or a subcommand of one of them. */
function checkRow(row: Json, base: YamlPath, document: YamlDocument): readonly Diagnostic[] {
  if (!isJsonObject(row)) return [];
  const runs = own(row, 'runs');
  return [
    ...checkFlags(row, [...base, 'flags'], document),
    ...(runs === undefined ? [] : checkRow(runs, [...base, 'runs'], document)),
    ...checkSubcommands(ownObject(row, 'subcommands') ?? {}, [...base, 'subcommands'], document),
  ];
}

function checkSubcommands(rows: JsonObject, base: YamlPath, document: YamlDocument): readonly Diagnostic[] {
  const seen: string[] = [];
  return Object.entries(rows).flatMap(([key, row]) => {
    const found = checkNames(key, [...base, key], seen, document);
    seen.push(...namesOf(key));
    return [...found, ...checkRow(row, [...base, key], document)];
  });
}

function checkNames(
  key: string,
  path: YamlPath,
  seen: readonly string[],
  document: YamlDocument,
): readonly Diagnostic[] {
  const names = namesOf(key);
  const twice = names.find((name, index) => seen.includes(name) || names.indexOf(name) !== index);
  if (twice === undefined) return [];
  const message = `Cannot use the name "${twice}" twice: it has a row already`;
  return [problem('duplicate-id', document.positionOf(path, 'key'), message, 'put both into one row')];
}

function checkFlags(row: JsonObject, base: YamlPath, document: YamlDocument): readonly Diagnostic[] {
  const flags = own(row, 'flags');
  const seen = new Set<string>();
  return (Array.isArray(flags) ? flags : []).flatMap((flag: Json, index) => {
    const refuse = (message: string, hint: string) => [
      problem('bad-value', document.positionOf([...base, index], 'value'), message, hint),
    ];
    const [, spellings, , role = ''] = FLAG.exec(String(flag)) ?? [];
    if (spellings === undefined)
      return refuse(`Cannot read flag "${flag}"`, 'write it like -o,--output=write');
    if (role !== '' && !ROLES.some((known) => known === role))
      return refuse(
        `Cannot use role "${role}" of flag "${flag}": there is none`,
        `use one of ${ROLES.join(', ')}`,
      );
    const twice = spellings.split(',').find((spelling) => seen.has(spelling));
    for (const spelling of spellings.split(',')) seen.add(spelling);
    return twice === undefined
      ? []
      : refuse(`Cannot use flag "${twice}" twice in one list`, 'join its spellings by commas in one place');
  });
}
