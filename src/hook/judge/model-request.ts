import type { JsonObject } from '../../lib/json.ts';
import type { JudgeEndpoint } from '../../model/judge.ts';

export interface ModelRequest {
  readonly endpoint: JudgeEndpoint;
  readonly apiKey: string;
  readonly model: string;
  readonly system: string;
  readonly user: string;
  /** The schema of the answer; undefined for models and servers that take none. */
  readonly schema: JsonObject | undefined;
  /** 0 for the likeliest answer; undefined leaves it to the provider. */
  readonly temperature: number | undefined;
  readonly maxTokens: number;
}

export interface ModelReply {
  readonly text: string;
  /** Tokens of question and answer, 0 where the server does not say. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Sends one request. Rejects with `JudgeError`, also once the signal says that time is up. */
export type AskModel = (request: ModelRequest, signal: AbortSignal) => Promise<ModelReply>;
