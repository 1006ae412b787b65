import type { Reply } from '../../../hosts/host.ts';
import { isJsonObject, type Json, own, parseJson } from '../../../lib/json.ts';
import type { ExpectKey } from './expect-key.ts';
import { EXPECTED_TEXT, readTextTest, readValueExpectation } from './value-expectation.ts';

/** The answer on standard output, as JSON or as text. */
export const stdout = {
  key: 'stdout',
  schema: {
    description:
      "The agent's answer: a part of the JSON, or of the text, /regex/ or {exactly: value}; a list for the answers to several messages",
  },
  needsHost: true,
  read: (value) => {
    const reading = readValueExpectation(value, 'stdout');
    if (!reading.ok) return reading;
    const exact = isJsonObject(value) ? own(value, 'exactly') : undefined;
    const asText = typeof value === 'string' || typeof exact === 'string';
    const asList = Array.isArray(value) || Array.isArray(exact);
    return {
      ok: true,
      value: ({ replies }) => {
        const actual = asText ? replies.map(({ stdout }) => stdout).join('') : outputValue(replies, asList);
        const mismatch = reading.value.mismatch(actual);
        return mismatch === undefined
          ? undefined
          : { expected: `stdout ${mismatch.expected}`, actual: `stdout ${mismatch.actual}` };
      },
    };
  },
} as const satisfies ExpectKey;

/** What is on standard error. */
export const stderr = {
  key: 'stderr',
  schema: { description: 'A part of standard error, /regex/ or {exactly: text}', ...EXPECTED_TEXT },
  needsHost: true,
  read: (value) => {
    const reading = readTextTest(value, 'stderr');
    if (!reading.ok) return reading;
    const { holds, wanted } = reading.value;
    return {
      ok: true,
      value: ({ replies }) => {
        const text = replies.map((reply) => reply.stderr).join('');
        return holds(text)
          ? undefined
          : { expected: `stderr ${wanted}`, actual: `stderr ${JSON.stringify(text)}` };
      },
    };
  },
} as const satisfies ExpectKey;

/** The exit code. */
export const exit = {
  key: 'exit',
  schema: { description: 'The exit code', type: 'integer', minimum: 0, maximum: 255 },
  needsHost: true,
  read: (value) => ({
    ok: true,
    value: ({ replies }) => {
      const code = replies.at(-1)?.exitCode ?? 0;
      return code === value ? undefined : { expected: `exit ${value}`, actual: `exit ${code}` };
    },
  }),
} as const satisfies ExpectKey;

/** What a host was answered: one value, or one for each line that was answered. Text that is no JSON stays text. */
export function outputValue(replies: readonly Reply[], asList: boolean): Json {
  const values = replies
    .map(({ stdout }) => stdout.trim())
    .filter((text) => text !== '')
    .map((text) => parseJson(text) ?? text);
  return asList ? values : (values.at(-1) ?? '');
}
