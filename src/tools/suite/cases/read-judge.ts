import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { CLOSED } from '../../../lib/schema-parts.ts';
import { JUDGE_FAILURES, type JudgeAnswer, VERDICTS } from '../../../model/judge.ts';

const KEYS: Readonly<Record<string, JsonObject>> = {
  verdict: { description: 'What it says', type: 'string', enum: VERDICTS },
  confidence: {
    description: 'How sure it is, from 0 to 1; 1 unless given',
    type: 'number',
    minimum: 0,
    maximum: 1,
  },
  reason: { description: 'Its own words', type: 'string' },
  failure: { description: 'Why it says nothing', type: 'string', enum: JUDGE_FAILURES },
};

export const JUDGE_SCHEMA: JsonObject = {
  description: 'What every judge that is asked answers: a verdict, or more about it',
  anyOf: [
    { type: 'string', enum: VERDICTS },
    { ...CLOSED, oneOf: [{ required: ['verdict'] }, { required: ['failure'] }], properties: KEYS },
  ],
};

export function readJudge(value: Json): JudgeAnswer {
  const { verdict, failure, confidence = 1, reason } = isJsonObject(value) ? value : { verdict: value };
  const said = typeof reason === 'string' ? reason : undefined;
  const failed = JUDGE_FAILURES.find((each) => each === failure);
  if (failed !== undefined) return { type: 'failed', failure: failed, cause: said ?? failed };
  const given = VERDICTS.find((each) => each === verdict) ?? 'deny';
  const sure = Number(confidence);
  return {
    type: 'verdict',
    verdict: given,
    confidence: sure,
    reason: said ?? '',
    doubt: null,
    cached: false,
  };
}
