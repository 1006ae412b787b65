import { dirname, sep } from 'node:path';
import { startOf } from '../yaml/problem.ts';
import { displayPath } from './folders.ts';
import type { Reader } from './place.ts';
import type { PolicyText } from './policy-text.ts';
import { type FileText, readDataFile, readRealFile } from './read-file.ts';

export const PROJECT_FOLDER = '.policy';

/** Reads a file; undefined if the allowance does not suffice, which has been said then. */
export function readAllowed(
  path: string,
  file: string,
  root: string | undefined,
  { place, allowance, diagnostics }: Pick<Reader, 'place' | 'allowance' | 'diagnostics'>,
): FileText | undefined {
  const { readFile = readRealFile } = place;
  if (root === undefined) return readFile(path);
  const takes = (limit: 'files' | 'bytes', amount: number) =>
    allowance.take(limit, amount, startOf(file), diagnostics);
  let isAllowed = takes('files', 1);
  if (!isAllowed) return undefined;
  const read = readFile(path, (bytes) => {
    isAllowed = takes('bytes', bytes);
    return isAllowed;
  });
  return isAllowed ? read : undefined;
}

/** Reads a data file of a policy; undefined if the allowance does not suffice, which has been said then. */
export function readData(at: string, { root }: PolicyText, reader: Reader): FileText | undefined {
  const file = displayPath(at, reader.place.cwd);
  let isAllowed = true;
  const takes = (limit: 'files' | 'bytes', amount: number) =>
    reader.allowance.take(limit, amount, startOf(file), reader.diagnostics);
  const mayRead = (bytes: number) => {
    isAllowed = root === undefined || (takes('files', 1) && takes('bytes', bytes));
    return isAllowed;
  };
  const read = readDataFile(at, root, mayRead, reader.place.readFile);
  return isAllowed ? read : undefined;
}

/** The folder from which a policy file names data files: the one that holds `.policy`, else its own. */
export function dataFolder(path: string): string {
  const end = path.lastIndexOf(`${sep}${PROJECT_FOLDER}${sep}`);
  return end < 0 ? dirname(path) : path.slice(0, end) || sep;
}
