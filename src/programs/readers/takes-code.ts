import type { ProgramRows } from '../../model/policy.ts';
import { programName, rowOf } from '../../reading/program-name.ts';
import type { Word } from '../../reading/word.ts';
import { programRow } from '../spec/rows.ts';
import { INTERPRETER_READERS } from './interpreters.ts';
import { SHELL_READERS } from './shells.ts';

const TABLES = [SHELL_READERS, INTERPRETER_READERS, { eval: true, parallel: true }];

/** May a command with these words run code that it is given? Any of them may be, or name, what takes it. */
export function mayTakeCode(words: readonly Word[], programs?: ProgramRows): boolean {
  return words.some((word) => {
    const name = programName(word);
    return programRow(name, programs)?.runs !== undefined || rowOf(takesCode, name) === true;
  });
}

function takesCode(name: string): true | undefined {
  return TABLES.some((table) => Object.hasOwn(table, name)) ? true : undefined;
}
