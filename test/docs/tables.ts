import { isJsonObject, type Json, type JsonObject, ownObject, ownString } from '../../src/lib/json.ts';

/** A table of Markdown. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(line)].join('\n');
}

/** Text between backticks. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** The keys of a schema's properties with their descriptions. */
export function describedKeys(properties: JsonObject | undefined): readonly (readonly string[])[] {
  return Object.entries(properties ?? {}).map(([key, schema]) => [
    code(key),
    isJsonObject(schema) ? (ownString(schema, 'description') ?? '') : '',
  ]);
}

/** The properties of the mapping among a schema's alternatives. */
export function propertiesOf(schema: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const alternatives = schema['anyOf'];
  const own = ownObject(schema, 'properties');
  return (
    own ??
    (Array.isArray(alternatives) ? alternatives.map(propertiesOf).findLast((found) => found) : undefined)
  );
}
