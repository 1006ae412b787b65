import type { Json, JsonObject } from '../lib/json.ts';
import type { Action } from './action.ts';

/** The verdicts that a model may be offered, from the most permissive to the strongest. */
export const VERDICTS = ['approve', 'modify', 'retry_feedback', 'ask', 'deny', 'abort_turn'] as const;
export type VerdictName = (typeof VERDICTS)[number];

/** The wire formats that judges speak. */
export const JUDGE_PROVIDERS = ['openai-compatible', 'anthropic', 'google'] as const;
export type JudgeProvider = (typeof JUDGE_PROVIDERS)[number];

export interface VerdictAction {
  readonly action: Action;
  /** The action's parameters, as written. */
  readonly params: JsonObject;
}

/** The address of a judge. All parts come from one place, so that a key never reaches another's address. */
export interface JudgeEndpoint {
  readonly provider: JudgeProvider;
  /** Undefined for the provider's own address; `openai-compatible` has none. */
  readonly baseUrl: string | null;
  /** Name of the environment variable that holds the key. */
  readonly apiKeyEnv: string | null;
  /** False for a server that does not accept a schema of the answer. */
  readonly structuredOutput: boolean;
  /** PEM file with further certificate authorities, absolute. */
  readonly caFile: string | null;
}

/** The most calls and tokens; null for no limit. */
export interface JudgeLimit {
  readonly calls: number | null;
  readonly tokens: number | null;
}

export interface JudgeCache {
  readonly ttlMs: number;
  /** Template paths whose values must be equal for a kept answer, in addition to the prompt. */
  readonly key: readonly string[];
  /** A `redis://` or `rediss://` address; null for the state file. */
  readonly redisUrl: string | null;
  /** Name of the environment variable that holds its password. */
  readonly passwordEnv: string | null;
}

/** A judge with all of its settings. Plain JSON, part of a rule. */
export interface JudgeSpec {
  /** The name under `judges`, or the policy's id for a judge of its own. */
  readonly name: string;
  /** A template. */
  readonly prompt: string;
  /** `verdict`: the answer names a verdict; `jcli`: the answer is a jcli HookResult. */
  readonly format: 'verdict' | 'jcli';
  readonly verdicts: Readonly<Partial<Record<VerdictName, VerdictAction>>>;
  /** Null if no file that may configure the judge does so. */
  readonly endpoint: JudgeEndpoint | null;
  /** Null if no file names one. */
  readonly model: string | null;
  /** For the whole question, retries included. */
  readonly timeoutMs: number;
  readonly retry: number;
  /** The number of answers; the majority counts. */
  readonly samples: number;
  /** Minimum confidence, from 0 to 1. */
  readonly threshold: number;
  readonly onError: Action;
  readonly onLowConfidence: Action;
  /** Secret detectors; empty to send secrets unchanged. */
  readonly redact: readonly string[];
  /** The longest value that is shown in full, in UTF-16 units. */
  readonly maxChars: number;
  /** Most tokens of one answer. */
  readonly maxTokens: number;
  /** Null if answers are not kept. */
  readonly cache: JudgeCache | null;
  readonly perSession: JudgeLimit;
  readonly perDay: JudgeLimit;
}

export interface JudgeQuestion {
  readonly ruleId: string;
  readonly judge: JudgeSpec;
  readonly host: string;
  readonly session: string | undefined;
  /** True if the question can wait until the host asks for approval of the same call. */
  readonly canWait: boolean;
  /** The value of a template path for the event at hand. */
  readonly value: (path: string) => Json | undefined;
}

/** Why a judge gave no verdict. */
export const JUDGE_FAILURES = [
  'not-set-up',
  'no-key',
  'no-recording',
  'budget',
  'no-connection',
  'tls',
  'timeout',
  'cut-off',
  'redirect',
  'rate-limit',
  'status',
  'too-large',
  'not-json',
  'wrong-shape',
  'wrong-nonce',
  'incomplete',
  'internal',
] as const;
export type JudgeFailure = (typeof JUDGE_FAILURES)[number];

export interface JudgeVerdict {
  readonly type: 'verdict';
  readonly verdict: VerdictName;
  /** From 0 to 1, as the model reports it. */
  readonly confidence: number;
  /** The model's own words: shown, never trusted. */
  readonly reason: string;
  /** Why the verdict is unreliable; null if it is reliable. */
  readonly doubt: string | null;
  readonly cached: boolean;
}

/** The result of a question. */
export type JudgeAnswer =
  | JudgeVerdict
  | {
      readonly type: 'failed';
      readonly failure: JudgeFailure;
      /** In words, without secrets and without text of the judge. */
      readonly cause: string;
    }
  /** Not asked, because others have refused or a later event of the call asks it. */
  | { readonly type: 'unasked' };

/** A question and its result, for the log. */
export interface JudgeNote {
  readonly ruleId: string;
  readonly answer: JudgeAnswer;
}

/** The answer of a missing judge, which refuses. */
export const NOBODY_ASKED: JudgeAnswer = { type: 'failed', failure: 'not-set-up', cause: 'nobody asked it' };
