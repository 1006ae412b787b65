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

/** An event with its message. Times are by the clock of `performance`. */
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
  /** The facts about this machine for an event that these policy files judge. */
  readonly surroundings: (event: Event, policyFiles: ReadonlySet<string> | undefined) => Surroundings;
  readonly memory: Memory;
  /** The store of earlier calls, for sets with facts; by default empty. */
  readonly history?: () => KeptHistory;
  /** The results that a set answers with; undefined if it answers with none. By default no set does. */
  readonly results?: (program: Program) => ResultCache | undefined;
  /** Without it nothing is logged. */
  readonly log?: ((entry: DecisionEntry) => void) | undefined;
  /** The clock of `performance`, in microseconds. */
  readonly nowUs: () => number;
  /** Milliseconds since 1970, for exceptions. */
  readonly nowMs: () => number;
  /** Limits the work on a message: true once more work would make this answer, or a waiting one, late. */
  readonly limit: (arrivedMs?: number) => () => boolean;
  /** Runs the program of a plugin tool within the time left. Never rejects. */
  readonly runTool: (spec: RunSpec, arrived: Arrived) => Promise<RespondResult>;
  /** Called for calls that policies refuse. By default nobody can let them pass. */
  readonly allow?: () => AllowPort;
  /** Asks a person within the time left. May reject. By default nobody is asked. */
  readonly approve?: (request: ApprovalRequest, arrived: Arrived) => Promise<Approval>;
  /** Asks models within the time left. Never rejects. By default every judge fails. */
  readonly ask?: (questions: readonly JudgeQuestion[], arrived: Arrived) => Promise<readonly JudgeAnswer[]>;
  /** True if the host asks for approval of each call that passes `before_tool`, and then waits longer. */
  readonly approvalFollows?: () => boolean;
  /** True to log each message, to judge it again later. */
  readonly keepInput: boolean;
  /** The host of this message, if another host may have started the hook. May throw. */
  readonly senderOf?: (message: Json | undefined) => Host;
  /** Receives messages without an event: a host may shake hands more than once. */
  readonly met?: (message: Json) => void;
}
