import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import type { VerdictName } from '../../model/judge.ts';
import type { KeptVerdict } from '../../model/verdict-store.ts';
import { JudgeError } from './judge-error.ts';

/** A longer answer is no verdict. */
const MAX_ANSWER_CHARS = 16_384;
const MAX_REASON_CHARS = 600;
const KEYS = ['nonce', 'reason', 'confidence', 'verdict'] as const;

/** The JSON Schema of an answer. The nonce is not in it: a server that fills in constants would repeat it for anybody. */
export function verdictSchema(offered: readonly VerdictName[]): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: KEYS,
    properties: {
      nonce: { type: 'string' },
      reason: { type: 'string' },
      confidence: { type: 'number' },
      verdict: { type: 'string', enum: offered },
    },
  };
}

/**
 * Reads a verdict. The text must be the object that was asked for and nothing else; servers without structured output
 * may put it into one code block.
 *
 * @throws JudgeError
 */
export function parseVerdict(text: string, nonce: string, offered: readonly VerdictName[]): KeptVerdict {
  const answer = answerObject(text);
  const verdict = offered.find((name) => name === own(answer, 'verdict'));
  const confidence = own(answer, 'confidence');
  const reason = own(answer, 'reason');
  const keys = Object.keys(answer);
  if (
    verdict === undefined ||
    typeof confidence !== 'number' ||
    !(confidence >= 0 && confidence <= 1) ||
    typeof reason !== 'string' ||
    keys.length !== KEYS.length
  ) {
    throw new JudgeError('wrong-shape', 'its answer is not the verdict that was asked for');
  }
  if (own(answer, 'nonce') !== nonce) {
    throw new JudgeError('wrong-nonce', 'its answer is not to this question: the nonce is another');
  }
  return { verdict, confidence, reason: cutReason(reason) };
}

/**
 * The JSON object that an answer is.
 *
 * @throws JudgeError
 */
export function answerObject(text: string): JsonObject {
  if (text.length > MAX_ANSWER_CHARS) throw new JudgeError('too-large', 'its answer is too long');
  const json = /^\s*```(?:json)?[ \t]*\r?\n([\s\S]*?)\n?[ \t]*```\s*$/.exec(text)?.[1] ?? text;
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch {
    throw new JudgeError('not-json', 'its answer is not JSON');
  }
  if (!isJsonObject(value) || !isFlat(value) || repeatsKey(json, value)) {
    throw new JudgeError('wrong-shape', 'its answer is not the object that was asked for');
  }
  return value;
}

export function cutReason(reason: string): string {
  return reason.length > MAX_REASON_CHARS ? `${reason.slice(0, MAX_REASON_CHARS).toWellFormed()}…` : reason;
}

/** No answer that is asked for holds lists or objects. */
function isFlat(value: JsonObject): boolean {
  return Object.values(value).every((item) => typeof item !== 'object' || item === null);
}

/** JSON.parse keeps the last of two equal keys: an answer that says two things says nothing. For flat objects. */
function repeatsKey(json: string, value: JsonObject): boolean {
  const keys = [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined);
  return keys.length !== Object.keys(value).length;
}
