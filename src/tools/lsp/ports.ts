import type { CompiledFiles } from '../../language/policy/compile/compile-files.ts';
import type { Diagnostic, DiagnosticCode } from '../../model/diagnostic.ts';
import type { CaseResult } from '../suite/case-result.ts';

/** The policies that are checked together. */
export interface SetPlace {
  /** Absolute paths; empty for the policies that apply to the directory. */
  readonly named: readonly string[];
  /** Absolute. Positions are relative to it. */
  readonly directory: string;
}

/** A set of policies with its findings by `policy check`. */
export interface CheckedSet {
  readonly compiled: CompiledFiles;
  readonly diagnostics: readonly Diagnostic[];
}

/** The parts of this machine that the server needs. */
export interface ServerPorts {
  /**
   * Checks policies as `policy check` does.
   *
   * @param open texts in the editor by paths without links; they replace those of the files
   */
  readonly check: (place: SetPlace, open: ReadonlyMap<string, string>) => CheckedSet;
  /** Runs the examples and tests of the policies in a folder and below. */
  readonly test: (folder: string, open: ReadonlyMap<string, string>) => TestRun;
  readonly explain: (code: DiagnosticCode) => Promise<string | undefined>;
  /** A path without links; undefined if there is no file. */
  readonly realPath: (path: string) => string | undefined;
}

export interface RunCase {
  readonly result: CaseResult;
  /** The ids of the policies that it matched, or whose example it is. */
  readonly about: ReadonlySet<string>;
}

export interface TestRun {
  readonly cases: readonly RunCase[];
  /** Why some tests could not run. */
  readonly problems: readonly string[];
}
