import type { ProgramSpec } from './program-spec.ts';
import type { WrapperSpec } from './wrapper-spec.ts';

/** A row in the form that the reading takes. Plain JSON. */
export interface CompiledRow {
  readonly spec: ProgramSpec;
  /** Undefined for a program that runs no other. */
  readonly runs?: WrapperSpec;
  /** True if it comes from a project or a session, whose rows only add. */
  readonly added?: true;
}
