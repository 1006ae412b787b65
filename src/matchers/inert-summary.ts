import type { InertCommand } from '../commands/inert-command.ts';
import type { ReadingSummary } from './reading-summary.ts';

/** The summary of a command that need not be read to know what it does. */
export function summaryOfInert({ name, word }: InertCommand): ReadingSummary {
  return {
    names: [name],
    hasUnknownName: false,
    words: word === undefined ? [] : [word],
    hasUnknownWord: false,
    traits: 0,
    hasGaps: false,
  };
}
