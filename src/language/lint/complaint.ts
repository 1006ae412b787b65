import type { Host, Support } from '../../hosts/host.ts';
import type { DiagnosticCode, Severity } from '../../model/diagnostic.ts';
import type { EventKind } from '../../model/event.ts';

export interface Target {
  readonly host: Host;
  readonly kind: EventKind;
  readonly support: Support;
}

/** Something that does not work on a target. Targets with the same complaint share a finding. */
export interface Complaint {
  readonly code: DiagnosticCode;
  /** Undefined where it is worth a word only if it is so everywhere. */
  readonly severity: Severity | undefined;
  /** The severity if nothing that the policy wants is left on any of its targets. */
  readonly ifEverywhere?: Severity | undefined;
  readonly path: readonly (string | number)[];
  /** `do "respond"`. */
  readonly cannot: string;
  /** `it becomes deny there`. */
  readonly state: string;
  readonly hint: string;
}
