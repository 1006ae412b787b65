import { type Document, isSeq, parseDocument } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import { ConfigurationProblem } from './configuration-problem.ts';

/** A value at a path, an entry at the end of a list (`-1`), or nothing in its place (undefined). */
interface Change {
  readonly path: readonly (string | number)[];
  readonly value: Json | undefined;
}

/**
 * Reads a YAML configuration.
 *
 * @throws ConfigurationProblem if the host cannot read it
 */
export function valueOfYaml(text: string): JsonObject {
  const value = documentOf(text).toJS() as Json;
  if (value !== null && !isJsonObject(value))
    throw new ConfigurationProblem('it holds no mapping; fix it first');
  return value ?? {};
}

/** Makes changes in a YAML text and keeps its comments. */
export function changedYaml(text: string, changes: readonly Change[]): string {
  const document = documentOf(text);
  for (const { path, value } of changes) {
    if (value === undefined) {
      document.deleteIn(path);
      continue;
    }
    const holder = path.slice(0, -1);
    const held = document.getIn(holder);
    const isList = path.at(-1) === -1;
    if (isList && held !== undefined && held !== null && !isSeq(held))
      throw new ConfigurationProblem(
        `its key "${holder.join('.')}" holds something else than a list; fix it first`,
      );
    if (isList && isSeq(held)) document.addIn(holder, document.createNode(value));
    else if (isList) document.setIn(holder, document.createNode([value]));
    else document.setIn(path, document.createNode(value));
  }
  return documentText(document, text);
}

/**
 * A YAML configuration with its comments.
 *
 * @throws ConfigurationProblem with the place if it is not valid
 */
export function documentOf(text: string): Document {
  const document: Document = parseDocument(text);
  const [error] = document.errors;
  if (error === undefined) return document;
  const [place] = error.linePos ?? [];
  const [what = ''] = error.message.split(/ at line|\n/);
  throw new ConfigurationProblem(
    `it is not valid YAML at ${place?.line ?? 1}:${place?.col ?? 1} (${what}); fix it first`,
  );
}

/** The text of a document with the line ends that it had. */
export function documentText(document: Document, before: string): string {
  const text = document.toString({ lineWidth: 0 });
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}
