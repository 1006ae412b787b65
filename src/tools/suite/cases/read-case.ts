import { type JsonObject, own, ownString } from '../../../lib/json.ts';
import type { CaseCommon, CaseReading, SampleCalls } from './case-parts.ts';
import { type CaseReader, complain, complainOfKey, positionAt } from './case-reader.ts';
import { readCallCase } from './read-call-case.ts';
import { readJudge } from './read-judge.ts';
import { readMatrixCase } from './read-matrix-case.ts';
import { readRawCase } from './read-raw-case.ts';
import { readStepsCase } from './read-steps.ts';
import type { TestCase } from './test-case.ts';

/** Reads one case and expands it into its runs. Problems are noted; nothing is left of a case that has some. */
export function readCase(
  reader: CaseReader,
  value: JsonObject,
  index: number,
  samples: SampleCalls,
  recording: boolean,
): readonly TestCase[] {
  const path = ['cases', index];
  const reading: CaseReading = { reader, mapping: value, path, samples };
  const name = ownString(value, 'name');
  const owner = name === undefined ? `case ${index + 1}` : `case "${name}"`;
  const form = formOf(reading, owner);
  const written = own(value, 'judge');
  const judge = written === undefined ? undefined : readJudge(written);
  const common: CaseCommon = {
    name: name ?? '',
    position: positionAt(reader, Object.hasOwn(value, 'name') ? [...path, 'name'] : path),
    index,
    interactive: own(value, 'interactive') === true,
    skip: ownString(value, 'skip'),
    ...(judge === undefined ? {} : { judge }),
  };
  switch (form) {
    case 'call':
    case 'calls':
      return readCallCase(reading, common, form, owner);
    case 'matrix':
      return readMatrixCase(reading, common);
    case 'steps':
      return readStepsCase(reading, common);
    case 'stdin':
      return readRawCase(reading, common, recording);
    case undefined:
      return [];
  }
}

const FORMS = ['call', 'calls', 'matrix', 'steps', 'stdin'] as const;
type Form = (typeof FORMS)[number];

/** Keys that only some forms have. */
const FOREIGN: Readonly<Record<Form, readonly string[]>> = {
  call: ['host'],
  calls: ['host'],
  matrix: ['host', 'hosts', 'model', 'expect'],
  steps: ['host', 'hosts', 'history', 'expect'],
  stdin: ['hosts', 'model', 'cwd', 'context', 'history'],
};

function formOf({ reader, mapping, path }: CaseReading, owner: string): Form | undefined {
  const [form, second] = FORMS.filter((key) => Object.hasOwn(mapping, key));
  if (form === undefined) {
    complain(
      reader,
      'missing-key',
      path,
      `Cannot use ${owner}: it has no call`,
      `add one of ${FORMS.join(', ')}`,
    );
    return undefined;
  }
  for (const key of [...(second === undefined ? [] : [second]), ...FOREIGN[form]]) {
    if (!Object.hasOwn(mapping, key)) continue;
    complainOfKey(
      reader,
      'bad-value',
      [...path, key],
      `Cannot use key "${key}" in ${owner} beside "${form}"`,
      hintFor(form, key),
    );
  }
  return form;
}

function hintFor(form: Form, key: string): string {
  if (form === 'matrix' && key !== 'host')
    return key === 'model' ? 'write "models" inside of "matrix"' : `write it inside of "matrix"`;
  if (form === 'steps')
    return key === 'expect' ? 'write it in a step' : 'the steps are judged by the engine alone';
  if (key === 'host') return 'write "hosts" with a list';
  return form === 'stdin' ? 'the message itself says it' : `give one of ${FORMS.join(', ')}`;
}
