import { resolve } from 'node:path';
import { type Json, type JsonObject, ownString } from '../../../lib/json.ts';
import { recordingOf, resultsIn } from '../../actions/respond-recorded.ts';
import { dataListOf } from '../../keys/types/data-list.ts';
import { displayPath } from '../files/folders.ts';
import type { Reader } from '../files/place.ts';
import type { PolicyText } from '../files/policy-text.ts';
import { dataFolder, readData } from '../files/read-allowed.ts';
import { dataState } from '../files/read-file.ts';
import { findValues, parseData, withListAt } from '../parse/data-lists.ts';
import type { DataReference, FileDraft, RuleDraft } from '../parse/file-draft.ts';
import { warning } from '../yaml/problem.ts';
import { readDataInSource } from './find-in-source.ts';
import type { DataFile } from './program-text.ts';

/** A data file that has been read, for everything that names it. */
export interface ReadData {
  readonly file: DataFile;
  readonly content: { readonly data: Json } | { readonly cause: string };
}

/** The state of the set that a reader of data files needs. */
export interface DataReader extends Reader {
  /** By where they were looked for. */
  readonly dataRead: Map<string, ReadData>;
}

/**
 * The policies of a file with the values of their data files. A policy without its data is broken; the others stay in force.
 */
export function withData(
  draft: FileDraft,
  text: PolicyText,
  reader: DataReader,
): { readonly rules: readonly RuleDraft[]; readonly data: readonly DataFile[] } {
  if (draft.data === undefined) return { rules: draft.rules, data: [] };
  const byRule = Map.groupBy(draft.data, ({ ruleId }) => ruleId);
  const data = new Set<DataFile>();
  const rules = draft.rules.map((rule) =>
    (byRule.get(rule.id) ?? []).reduce((changed, list) => withList(changed, list, text, reader, data), rule),
  );
  return { rules, data: [...data] };
}

function withList(
  rule: RuleDraft,
  list: DataReference,
  text: PolicyText,
  reader: DataReader,
  data: Set<DataFile>,
): RuleDraft {
  let broken: string | undefined;
  const complain = (file: string, cause: string, inside: boolean) => {
    broken = `Cannot use data file "${file}": ${cause}`;
    const position = inside ? list.atPosition : list.position;
    const hint = 'calls that this policy may match are refused until it can be read';
    reader.diagnostics.push(warning('data', position, broken, hint));
  };
  const contentOf = (written: string): ReadData['content'] | undefined => {
    const read = readOnce(resolve(dataFolder(text.path), written), text, reader);
    // The lock pins the files of a source.
    if (read !== undefined && text.source === undefined) data.add(read.file);
    return read?.content;
  };
  const fill = (spec: JsonObject): JsonObject => {
    const written = dataListOf(spec)?.file ?? '';
    const content = contentOf(written);
    if (content === undefined) return spec;
    const found = 'cause' in content ? { ...content, inside: false } : findValues(content.data, spec);
    if ('cause' in found) complain(written, found.cause, found.inside);
    else if (isAllowed(found.values.length, list, text, reader)) return { ...spec, values: found.values };
    return spec;
  };
  const record = (recording: JsonObject): JsonObject => {
    const written = ownString(recording, 'file') ?? '';
    const content = contentOf(written);
    if (content === undefined) return recording;
    const found = 'cause' in content ? content : resultsIn(content.data);
    if ('cause' in found) complain(written, found.cause, false);
    else if (isAllowed(found.results.length, list, text, reader))
      return { ...recording, results: found.results as unknown as Json };
    return recording;
  };
  const changed: Partial<RuleDraft> =
    list.path === undefined
      ? { params: { ...rule.params, recorded: record(recordingOf(rule.params) ?? {}) } }
      : { when: withListAt(rule.when, list.path, fill) as JsonObject };
  return { ...rule, ...changed, ...(broken === undefined ? {} : { broken }) };
}

function isAllowed(
  count: number,
  { position }: DataReference,
  { root }: PolicyText,
  reader: DataReader,
): boolean {
  return root === undefined || reader.allowance.take('values', count, position, reader.diagnostics);
}

/** Undefined if it must not be read, which has been said then. */
function readOnce(at: string, text: PolicyText, reader: DataReader): ReadData | undefined {
  const key = `${text.root ?? ''}\0${at}`;
  const known = reader.dataRead.get(key);
  if (known !== undefined) return known;
  const read = text.source === undefined ? readData(at, text, reader) : readDataInSource(at, text.source);
  if (read === undefined) return undefined;
  const content = read.ok ? parseData(read.text, displayPath(at, reader.place.cwd)) : read;
  const made = { file: { at, root: text.root ?? null, state: dataState(read) }, content };
  reader.dataRead.set(key, made);
  return made;
}
