import type { BareCall } from '../../../hosts/host.ts';
import type { Json } from '../../../lib/json.ts';
import type { Position } from '../../../model/diagnostic.ts';
import type { JudgeAnswer } from '../../../model/judge.ts';
import type { NamedCheck } from '../expect/expect-key.ts';
import type { Step } from '../steps/step.ts';

/** The input of a case: a call, or messages in a host's own protocol. */
export type CaseInput =
  | { readonly type: 'call'; readonly call: BareCall }
  | { readonly type: 'raw'; readonly messages: readonly RawMessage[] };

/** A message on a host's standard input: JSON, or other text. */
export type RawMessage = { readonly json: Json } | { readonly text: string };

/** One run: a case of a test file for one call, one host and one model. */
export interface TestCase {
  readonly name: string;
  readonly position: Position;
  readonly index: number;
  readonly input: CaseInput;
  /** Earlier calls of the same session. */
  readonly history: readonly BareCall[];
  /** Undefined for the engine alone. */
  readonly host: string | undefined;
  /** True if the host can ask a person. */
  readonly interactive: boolean;
  /** The answer of every judge; by default the verdict recorded next to the tests. */
  readonly judge?: JudgeAnswer;
  /** Why it is not run. */
  readonly skip: string | undefined;
  /** Calls in order, each with the results of those before it; `input` is the last one. */
  readonly steps?: readonly Step[];
  /** The expectations, by key of `expect`. */
  readonly checks: readonly NamedCheck[];
}

export interface TestFile {
  /** Policy files, folders and packs under test, relative to the file; undefined for the policies in its folder. */
  readonly policies: readonly string[] | undefined;
  readonly policiesAt: readonly Position[];
  readonly cases: readonly TestCase[];
}
