import type { ProgramRows } from '../../../model/policy.ts';
import { CODE_PROGRAMS } from '../../generated/code-programs.ts';
import { programName, rowOf } from '../../reading/program-name.ts';
import type { Word } from '../../reading/word.ts';
import { programRow } from '../spec/rows.ts';
import { SHELL_READERS } from './shells.ts';

const OTHERS = { eval: true, parallel: true, powershell: true, pwsh: true, iex: true };
const TABLES = [SHELL_READERS, CODE_PROGRAMS, OTHERS];

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
