import { own, ownString } from '../../lib/json.ts';
import { type ImpliedBy, shellCall } from './implied-call.ts';

/** A worktree that is left is removed with its uncommitted changes only if the call says so. */
export const worktreeEnd: ImpliedBy = (args) =>
  ownString(args, 'action') === 'remove' && own(args, 'discard_changes') === true
    ? shellCall('git worktree remove --force .')
    : undefined;
