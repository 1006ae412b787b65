import { READER_FILES } from '../../generated/reader-files.ts';
import { rowOf } from '../../reading/program-name.ts';
import type { ProgramReader } from '../../shell/scope/interpreter.ts';
import { shippedRow } from '../spec/rows.ts';
import { READER_TABLES } from './tables.ts';
import { wrapperReader } from './wrappers.ts';

const known = new Map<string, ProgramReader | undefined>();
/** Programs looked up are kept up to this many: names come from outside. */
const MAX_KNOWN = 512;

export function programReader(name: string | undefined): ProgramReader | undefined {
  if (name === undefined) return undefined;
  if (known.has(name)) return known.get(name);
  const reader = rowOf(collect, name);
  if (known.size < MAX_KNOWN) known.set(name, reader);
  return reader;
}

/** The files that have a reader of a program of this very name. */
export function readerFiles(name: string): readonly string[] {
  return Object.hasOwn(READER_FILES, name) ? (READER_FILES[name]?.split(' ') ?? []) : [];
}

function collect(name: string): ProgramReader | undefined {
  const found = readerFiles(name).map((file) => READER_TABLES[file]?.()[name]);
  const readers = [wrapperReader(shippedRow(name)), ...found].filter((reader) => reader !== undefined);
  if (readers.length < 2) return readers[0];
  return (call) => {
    const printed = readers.map((reader) => reader(call));
    return printed.find((word) => word !== undefined);
  };
}
