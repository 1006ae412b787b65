import { isNewer } from './is-newer.ts';

/** Events that older versions of a host do not have. */
export interface LateEvents {
  /** The first version that has each, by the host's own names. */
  readonly since: Readonly<Record<string, string>>;
  /** The first version that passes over an event it does not know; an older one drops the whole file. */
  readonly harmlessFrom: string;
}

/** True if a host of this version asks about the event; one whose version is unknown counts as the newest. */
export function hasEvent(late: LateEvents | undefined, event: string, version: string | undefined): boolean {
  const since = late !== undefined && Object.hasOwn(late.since, event) ? late.since[event] : undefined;
  return since === undefined || version === undefined || !isNewer(since, version);
}

/** True if the event may be in the file of a host of this version, whether or not it asks about it. */
export function takesEvent(
  late: LateEvents | undefined,
  event: string,
  version: string | undefined,
): boolean {
  return (
    late === undefined ||
    version === undefined ||
    hasEvent(late, event, version) ||
    !isNewer(late.harmlessFrom, version)
  );
}
