import { orList } from '../../language/calls/found-problem.ts';
import type { YamlPath } from '../../language/policy/yaml/yaml.ts';
import { closest } from '../../lib/closest.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import { JUDGE_FAILURES, type JudgeAnswer, VERDICTS } from '../../model/judge.ts';
import { type CaseReader, checkKeys, complain, wrongType } from './case-reader.ts';

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

/** JSON Schema of what judges answer in a case. */
export const JUDGE_SCHEMA: JsonObject = {
  description: 'What every judge that is asked answers: a verdict, or more about it',
  anyOf: [
    { type: 'string', enum: VERDICTS },
    {
      type: 'object',
      additionalProperties: false,
      oneOf: [{ required: ['verdict'] }, { required: ['failure'] }],
      properties: KEYS,
    },
  ],
};

/** Reads what judges answer; undefined if it is not sound. */
export function readJudge(reader: CaseReader, value: Json, path: YamlPath): JudgeAnswer | undefined {
  const mapping = typeof value === 'string' ? { verdict: value } : value;
  const pathOf = (key: string) => (typeof value === 'string' ? path : [...path, key]);
  if (!isJsonObject(mapping)) {
    wrongType(reader, path, value, 'a verdict or a mapping');
    return undefined;
  }
  const before = reader.diagnostics.length;
  checkKeys(reader, mapping, path, Object.keys(KEYS), '"judge"');
  const verdict = choiceAt(reader, mapping, 'verdict', VERDICTS, pathOf('verdict'));
  const failure = choiceAt(reader, mapping, 'failure', JUDGE_FAILURES, pathOf('failure'));
  const confidence = own(mapping, 'confidence') ?? 1;
  if (typeof confidence !== 'number' || confidence < 0 || confidence > 1) {
    complain(
      reader,
      'bad-value',
      pathOf('confidence'),
      'Cannot use key "confidence"',
      'write a number from 0 to 1',
    );
  }
  if (Object.hasOwn(mapping, 'verdict') === Object.hasOwn(mapping, 'failure')) {
    complain(reader, 'missing-key', path, 'Cannot use "judge"', 'give either a verdict or a failure');
  }
  if (reader.diagnostics.length > before) return undefined;
  if (failure !== undefined)
    return { type: 'failed', failure, cause: ownString(mapping, 'reason') ?? failure };
  if (verdict === undefined) return undefined;
  const reason = ownString(mapping, 'reason') ?? '';
  return { type: 'verdict', verdict, confidence: Number(confidence), reason, doubt: null, cached: false };
}

function choiceAt<T extends string>(
  reader: CaseReader,
  mapping: JsonObject,
  key: string,
  choices: readonly T[],
  path: YamlPath,
): T | undefined {
  const value = own(mapping, key);
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const near = typeof value === 'string' ? closest(value, choices) : undefined;
  const hint = near === undefined ? `write ${orList(choices)}` : `did you mean "${near}"?`;
  complain(reader, 'bad-value', path, `Cannot use ${key} ${JSON.stringify(value)}`, hint);
  return undefined;
}
