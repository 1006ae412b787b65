import type { Host, HostSetting } from '../hosts/host.ts';
import type { Json } from '../lib/json.ts';
import type { RespondResult, RunSpec } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import type { JudgeAnswer, JudgeQuestion } from '../model/judge.ts';
import type { Memory } from '../model/memory.ts';
import type { Program } from '../model/policy.ts';
import type { Surroundings } from '../model/surroundings.ts';
import type { AllowPort } from './allow-port.ts';
import type { Approval, ApprovalRequest } from './approval.ts';
import type { DecisionEntry } from './audit/record.ts';
import type { PolicySet } from './policy-set.ts';
import type { KeptHistory } from './remembering.ts';
import type { ResultCache } from './result-cache.ts';

/** An event with the message that it came in. Times are by the clock of `performance`. */
export interface Arrived {
  readonly event: Event;
  readonly message: Json;
  readonly text: string;
  readonly arrivedMs: number;
  /** When judging it began. */
  readonly startMs: number;
}

/** Options of a responder, from the machine and the command line. */
export interface ResponderOptions {
  readonly host: Host;
  readonly setting: HostSetting;
  /** Called for each event, first when the first one arrives. May throw. */
  readonly policies: (event: Event) => PolicySet;
  /** This machine as it is for an event that these policy files judge. */
  readonly surroundings: (event: Event, policyFiles: ReadonlySet<string> | undefined) => Surroundings;
  readonly memory: Memory;
  /** The store of earlier calls; called for sets with facts. Without it nothing came before. */
  readonly history?: () => KeptHistory;
  /** The results that a set answers with; undefined if it answers with none. Without it no set does. */
  readonly results?: (program: Program) => ResultCache | undefined;
  /** Without it nothing is logged. */
  readonly log?: ((entry: DecisionEntry) => void) | undefined;
  /** The clock of `performance`, in microseconds. */
  readonly nowUs: () => number;
  /** Milliseconds since 1970, for exceptions. */
  readonly nowMs: () => number;
  /**
   * Limits judging without a break that begins now: true once it makes the answer to a message that arrived then, or now, come
   * late, or another that waits for it.
   */
  readonly limit: (arrivedMs?: number) => () => boolean;
  /** Runs the program of a plugin tool within the time left. Never rejects. */
  readonly runTool: (spec: RunSpec, arrived: Arrived) => Promise<RespondResult>;
  /** Called when policies refuse a call. Without it, nobody can let a call pass. */
  readonly allow?: () => AllowPort;
  /** Asks a person within the time left. Without it, nobody is asked. May reject. */
  readonly approve?: (request: ApprovalRequest, arrived: Arrived) => Promise<Approval>;
  /** Asks models within the time left; never rejects. Without it, every judge has failed. */
  readonly ask?: (questions: readonly JudgeQuestion[], arrived: Arrived) => Promise<readonly JudgeAnswer[]>;
  /** True if the host asks for approval of each call that `before_tool` lets pass, and waits longer then. */
  readonly approvalFollows?: () => boolean;
  /** True to keep each message in the log for judging it again later. */
  readonly keepInput: boolean;
  /** The host of this message, if another host than the named one may have started the hook. May throw. */
  readonly senderOf?: (message: Json | undefined) => Host;
  /** Receives every message that needs no judging: a host may shake hands more than once. */
  readonly met?: (message: Json) => void;
}
