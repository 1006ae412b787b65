import type { HostSetting } from '../hosts/host.ts';
import type { Event } from '../model/event.ts';
import type { CallToAllow, RefusingPolicy } from '../model/grant.ts';
import { sessionDirectory } from './session-directory.ts';
import { createAllowStore, type UsableGrant } from './state/allow/allow-store.ts';
import { callToAllow } from './state/allow/call-to-allow.ts';

/** How the hook looks up grants. All calls may throw. */
export interface AllowPort {
  /** True if there is no grant for any call, and no refused call is kept: then there is nothing to look up or to keep. */
  readonly isIdle: () => boolean;
  /** The call of an event, if it can be granted. */
  readonly callOf: (event: Event) => CallToAllow | undefined;
  readonly find: (call: CallToAllow, event: Event) => FoundGrant;
  /** Keeps the refused call for a person, and returns its code. */
  readonly refuse: (
    call: CallToAllow,
    policies: readonly RefusingPolicy[],
    reason: string,
  ) => string | undefined;
}

export interface FoundGrant {
  readonly grant?: UsableGrant | undefined;
  /** Why a grant that was found does not count. */
  readonly problem?: string | undefined;
}

/** A flood of refused calls must not become a flood of files. */
const MAX_KEPT_PER_SECOND = 32;
/** A process that refuses thousands of calls a second looks so often whether a person has let one pass. */
const LOOK_EVERY_MS = 250;

/** @param keep false to keep no record of refused calls */
export function createAllowPort(setting: HostSetting, nowMs: () => number, keep: boolean): AllowPort {
  const store = createAllowStore({ env: setting.env, nowMs });
  let second = 0;
  let kept = 0;
  let isFirst = true;
  let emptyMs = Number.NEGATIVE_INFINITY;
  return {
    isIdle: () => {
      // A process for one call looks for its grant at once.
      if (isFirst || (keep && !(kept >= MAX_KEPT_PER_SECOND && second === Math.floor(nowMs() / 1_000)))) {
        isFirst = false;
        return false;
      }
      const now = nowMs();
      if (Math.abs(now - emptyMs) < LOOK_EVERY_MS) return true;
      if (!store.isEmpty()) return false;
      emptyMs = now;
      return true;
    },
    callOf: (event) => callToAllow(event, sessionDirectory(event, setting)),
    find: (call, { kind, session, callId }) => {
      const shown = { session, id: callId };
      const passed = () => store.passed(call, shown, kind === 'approve_tool');
      // Used up for the same call a moment ago: a host that asks for approval as well asks about the call that was let pass.
      const before = passed();
      if (before !== undefined) return { grant: before };
      const { grant, problem } = store.find(call);
      // Another hook that the host has started for the same call may have used it meanwhile.
      if (grant === undefined) return { grant: passed(), problem };
      return { grant: { ...grant, use: () => store.use(grant, call, shown) } };
    },
    refuse: (call, policies, reason) => {
      if (!keep) return undefined;
      const now = Math.floor(nowMs() / 1_000);
      if (now !== second) kept = 0;
      second = now;
      if (++kept > MAX_KEPT_PER_SECOND) return undefined;
      return store.refuse({ call, policies, reason, refusedMs: nowMs() }).code;
    },
  };
}
