import type { JsonData } from '../../lib/json.ts';
import { alignColumns } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { printable } from './layout/printable.ts';

const SHORT_REVISION = 12;

/** The state of a source after locking. */
export interface SourceState {
  /** The lock that it is in, as people name it. */
  readonly lock: string;
  readonly source: string;
  /**
   * `kept`: locked and here. `fetched`: locked, and here now. `locked`: not in the lock before. `updated`: locked to another
   * revision. `dropped`: in the lock, and extended no more. `unlocked`: only looked at, and not in the lock.
   */
  readonly state: 'kept' | 'fetched' | 'locked' | 'updated' | 'dropped' | 'unlocked' | 'failed';
  readonly revision?: string | undefined;
  /** The revision that it was locked to before. */
  readonly before?: string | undefined;
  /** Why it failed. */
  readonly cause?: string;
}

/** A line for each source. Ends with a line break. */
export function sourcesText(states: readonly SourceState[], paint: Paint): string {
  const rows = states.map(({ state, source, revision, before }) => [
    state === 'failed' || state === 'unlocked'
      ? paint.red(state)
      : state === 'kept'
        ? paint.dim(state)
        : paint.green(state),
    printable(source),
    paint.dim(
      [before, revision].flatMap((each) => (each === undefined ? [] : [shortRevision(each)])).join(' → '),
    ),
  ]);
  return rows.length === 0 ? '' : `${alignColumns(rows).join('\n')}\n`;
}

/** The same as data. */
export function sourcesJson(states: readonly SourceState[]): JsonData {
  return {
    sources: states.map(({ lock, source, state, revision, before, cause }) => {
      return { lock, source, state, revision, before, cause };
    }),
  };
}

/** A commit or digest as short as git shows it; whatever is shorter as it is. */
function shortRevision(revision: string): string {
  return printable(revision.replace(/([0-9a-f]{40,})$/, (digits) => digits.slice(0, SHORT_REVISION)));
}
