import { own, ownString } from '../../lib/json.ts';
import { type MeantBy, running } from './meant.ts';

/** A worktree that is left is removed with its uncommitted changes only if the call says so. */
export const worktreeEnd: MeantBy = (args) =>
  ownString(args, 'action') === 'remove' && own(args, 'discard_changes') === true
    ? running('git worktree remove --force .')
    : undefined;
