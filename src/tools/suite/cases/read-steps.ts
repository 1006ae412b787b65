import { parseDuration } from '../../../lib/duration.ts';
import { isJsonObject, own, ownItems, ownString } from '../../../lib/json.ts';
import { STEP_OUTCOMES, type Step } from '../steps/step.ts';
import { adjusted, type CaseCommon, type CaseReading, readCalls, readFacts } from './case-parts.ts';
import { complain } from './case-reader.ts';
import { readExpect } from './read-expect.ts';
import type { TestCase } from './test-case.ts';

const SECOND_MS = 1_000;

/** The run of a case with `steps`: it is about its last step. */
export function readStepsCase(reading: CaseReading, common: CaseCommon): readonly TestCase[] {
  const { reader, mapping, path } = reading;
  const before = reader.diagnostics.length;
  const steps = readSteps(reading);
  const last = steps.at(-1);
  if (last === undefined || reader.diagnostics.length > before) return [];
  if (steps.every(({ checks }) => checks.length === 0)) {
    const message = 'Cannot use "steps": they assert nothing';
    complain(reader, 'missing-key', [...path, 'steps'], message, 'add "expect"');
    return [];
  }
  const model = ownString(mapping, 'model');
  const facts = readFacts(reading);
  const whole = steps.map((step) => ({ ...step, call: adjusted(step.call, model, facts) }));
  return [
    {
      ...common,
      name: common.name === '' ? last.label : common.name,
      input: { type: 'call', call: last.call },
      history: [],
      host: undefined,
      checks: [],
      steps: whole,
    },
  ];
}

/** The steps under the key of a case. */
export function readSteps(reading: CaseReading): readonly Step[] {
  const here = [...reading.path, 'steps'];
  return ownItems(reading.mapping, 'steps')
    .filter(isJsonObject)
    .flatMap((mapping, index) => readStep({ ...reading, mapping, path: [...here, index] }));
}

function readStep(reading: CaseReading): readonly Step[] {
  const { reader, mapping, path } = reading;
  const [found] = readCalls(reading, 'one', 'call');
  const outcome = STEP_OUTCOMES.find((each) => each === own(mapping, 'outcome')) ?? 'succeeded';
  const after = ownString(mapping, 'after');
  const afterMs = after === undefined ? SECOND_MS : parseDuration(after);
  if (afterMs === undefined) {
    const message = `Cannot use "${after}" as a time`;
    complain(reader, 'bad-value', [...path, 'after'], message, 'write a number with m or h, such as 10m');
  }
  const result = ownString(mapping, 'result') ?? '';
  const expect = own(mapping, 'expect');
  const checks = expect === undefined ? [] : readExpect(reader, expect, [...path, 'expect'], false);
  if (found === undefined || afterMs === undefined || checks === undefined) return [];
  return [{ call: found.call, label: found.label, outcome, result, afterMs, checks }];
}
