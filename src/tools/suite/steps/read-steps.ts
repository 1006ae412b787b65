import { parseDuration } from '../../../lib/duration.ts';
import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import { adjusted, type CaseCommon, type CaseReading, readCalls, readFacts } from '../case-parts.ts';
import { checkKeys, complain, textAt, wrongType } from '../case-reader.ts';
import { readExpect } from '../read-expect.ts';
import type { TestCase } from '../test-case.ts';
import { STEP_KEYS, STEP_OUTCOMES, type Step } from './step.ts';

const SECOND_MS = 1_000;

/** The run of a case with `steps`: its last step is what it is about. */
export function readStepsCase(reading: CaseReading, common: CaseCommon): readonly TestCase[] {
  const { reader, mapping, path } = reading;
  const before = reader.diagnostics.length;
  const steps = readSteps(reading);
  const last = steps.at(-1);
  if (last === undefined || reader.diagnostics.length > before) return [];
  if (steps.every(({ checks }) => checks.length === 0)) {
    complain(
      reader,
      'missing-key',
      [...path, 'steps'],
      'Cannot use "steps": they assert nothing',
      'add "expect"',
    );
    return [];
  }
  const model = textAt(reader, mapping, 'model', path);
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
  const { reader, mapping, path } = reading;
  const value = own(mapping, 'steps') ?? null;
  const here = [...path, 'steps'];
  if (!Array.isArray(value) || value.length === 0) {
    wrongType(reader, here, value, 'a list of steps');
    return [];
  }
  return value.flatMap((item: Json, index) => {
    const at = [...here, index];
    if (isJsonObject(item)) return readStep({ ...reading, mapping: item, path: at }, index);
    wrongType(reader, at, item, 'a step: a mapping with "call"');
    return [];
  });
}

function readStep(reading: CaseReading, index: number): readonly Step[] {
  const { reader, mapping, path } = reading;
  checkKeys(reader, mapping, path, Object.keys(STEP_KEYS), `step ${index + 1}`);
  if (!Object.hasOwn(mapping, 'call')) {
    complain(reader, 'missing-key', path, `Cannot use step ${index + 1}: it has no call`, 'add "call"');
    return [];
  }
  const [found] = readCalls(reading, 'one', 'call');
  const written = textAt(reader, mapping, 'outcome', path) ?? 'succeeded';
  const outcome = STEP_OUTCOMES.find((each) => each === written);
  if (outcome === undefined) {
    const message = `Cannot use outcome "${written}" of a step`;
    complain(reader, 'bad-value', [...path, 'outcome'], message, `use one of ${STEP_OUTCOMES.join(', ')}`);
  }
  const after = textAt(reader, mapping, 'after', path);
  const afterMs = after === undefined ? SECOND_MS : parseDuration(after);
  if (afterMs === undefined) {
    const message = `Cannot use "${after}" as a time`;
    complain(reader, 'bad-value', [...path, 'after'], message, 'write a number with m or h, such as 10m');
  }
  const result = own(mapping, 'result') ?? '';
  if (typeof result !== 'string') wrongType(reader, [...path, 'result'], result, 'text');
  const expect = own(mapping, 'expect');
  const checks = expect === undefined ? [] : readExpect(reader, expect, [...path, 'expect'], false);
  if (found === undefined || outcome === undefined || afterMs === undefined || checks === undefined)
    return [];
  return [{ call: found.call, label: found.label, outcome, result: String(result), afterMs, checks }];
}
