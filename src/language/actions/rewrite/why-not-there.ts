import type { ReadCommand } from '../../../reader/reading/reading.ts';

const MADE = new Set(['shell', 'eval', 'trap', 'remote', 'configuration', 'decoder', 'alias', 'source']);

/** Why a word of a command cannot be changed where it stands: what `what` names is not written there as it is. */
export function whyNotThere({ via }: ReadCommand, what: string): string {
  const kind = via.at(-1)?.kind;
  if (kind === 'interpreter') return `${what} stands in code of another language`;
  return kind !== undefined && MADE.has(kind)
    ? `${what} stands in a text that is put together before it runs`
    : `${what} does not stand in the command as it is`;
}
