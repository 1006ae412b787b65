import { own } from '../../../lib/json.ts';
import type { ProgramRow } from '../../../model/program-row.ts';
import type { ReadCommand } from '../../reading/reading.ts';
import { knownText } from '../../reading/word.ts';
import { mayGo } from './network.ts';

/** How deep subcommands are. */
const MAX_SUBCOMMANDS = 3;

/**
 * Could a command go to another machine although nothing that is known of it says so? Only if it is told to by a
 * subcommand, and that is not known: `git "$X"`.
 */
export function mayGoUnseen({
  rows,
  operands,
  openEnded,
  effects,
}: Pick<ReadCommand, 'rows' | 'operands' | 'openEnded' | 'effects'>): boolean {
  if (!openEnded && !operands.slice(0, MAX_SUBCOMMANDS).some((word) => knownText(word) === undefined))
    return false;
  if (effects.some(({ type }) => type === 'network')) return false;
  let row: ProgramRow | undefined = rows[0];
  for (let at = 0; row !== undefined && isTold(row); at++) {
    const word = operands[at];
    if (word === undefined) return openEnded;
    const known = knownText(word);
    if (known === undefined) return true;
    row = own(row.subcommands ?? {}, known);
  }
  return false;
}

/** Does the next word decide whether it goes to the network? */
function isTold({ network, subcommands = {} }: ProgramRow): boolean {
  return typeof network === 'object' || Object.values(subcommands).some(mayGo);
}
