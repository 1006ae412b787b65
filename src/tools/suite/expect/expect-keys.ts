import { ACTION_ALIASES } from '../../../language/actions/action-aliases.ts';
import type { Answer } from '../../../language/calls/answer-call.ts';
import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import { TEXT } from '../../../lib/schema-parts.ts';
import { ACTIONS } from '../../../model/action.ts';
import type { Decision } from '../../../model/decision.ts';
import { isNamed } from '../../../model/rule-id.ts';
import type { Check, ExpectKey, Read } from './expect-key.ts';
import { readExpectedCall } from './expected-call.ts';
import { outputValue } from './output-value.ts';
import { EXPECTED_TEXT, readTextTest, readValueExpectation } from './value-expectation.ts';

/** Names of actions as a policy writes them. */
export const ACTION_NAMES: readonly string[] = [...ACTIONS, ...Object.keys(ACTION_ALIASES)];

const action = {
  key: 'action',
  schema: {
    description: 'What is decided; through an agent, as fitted to what the agent can do',
    enum: ACTION_NAMES,
  },
  read: (value) => {
    const wanted = ACTION_ALIASES[String(value)]?.action ?? value;
    return found((answer) =>
      answer.decision.action === wanted ? undefined : { expected: String(wanted), actual: verdictOf(answer) },
    );
  },
} as const satisfies ExpectKey;

const policy = {
  key: 'policy',
  schema: { description: 'The policy that decides: its id, with or without the name of its file', ...TEXT },
  read: (value) =>
    found((answer) =>
      isNamed(answer.decision.policyId ?? '', String(value))
        ? undefined
        : { expected: `a decision by ${value}`, actual: verdictOf(answer) },
    ),
} as const satisfies ExpectKey;

const monitored = {
  key: 'monitored',
  schema: { description: 'A policy in monitor mode that matches: its id', ...TEXT },
  read: (value) =>
    found(({ outcome }) => {
      const ids = (outcome?.hits ?? []).filter(({ how }) => how === 'monitored').map(({ rule }) => rule.id);
      return ids.some((id) => isNamed(id, String(value)))
        ? undefined
        : {
            expected: `${value} matches in monitor mode`,
            actual: ids.length === 0 ? 'no policy does' : ids.join(', '),
          };
    }),
} as const satisfies ExpectKey;

const reason = textKey('reason', 'The refusal as the model reads it', ({ decision }) => decision.reason);
const feedback = textKey(
  'feedback',
  'What sends the model back to work',
  ({ decision }) => decision.feedback,
);
const message = textKey('message', 'What the user is shown', ({ decision }) => joined(decision.messages));
const addContext = textKey('add_context', 'What the model reads beside', ({ decision }) =>
  joined(decision.contexts),
);

const call = {
  key: 'call',
  schema: {
    description: 'The call as rewritten, at least these arguments of it; {exactly: call} for all of them',
    type: 'object',
    minProperties: 1,
  },
  read: readExpectedCall,
} as const satisfies ExpectKey;

/** The forms of an expected rewritten value: a part of its text, /regex/, some of its keys, or all of it. */
const VALUE_HELP = 'a part of its text, /regex/, a part of the mapping, or {exactly: value}';

const result = valueKey('result', 'The result as rewritten or answered', ({ decision }) =>
  decision.action === 'respond'
    ? (decision.result as unknown as Json | undefined)
    : rewrittenPart(decision, 'result'),
);
const response = valueKey('response', "The model's answer as rewritten", ({ decision }) =>
  rewrittenPart(decision, 'response'),
);
const prompt = valueKey('prompt', 'The prompt as rewritten', ({ decision }) =>
  rewrittenPart(decision, 'prompt'),
);
const request = valueKey(
  'request',
  'The request to the model as rewritten: model, messages, tools, options',
  ({ decision }) => (decision.action === 'modify' ? decision.subject : undefined),
);

/** The answer on standard output, as JSON or as text. */
const stdout: ExpectKey = {
  ...valueKey('stdout', '', ({ replies }, wanted) => {
    const exact = isJsonObject(wanted) ? own(wanted, 'exactly') : undefined;
    if (typeof wanted === 'string' || typeof exact === 'string')
      return replies.map((reply) => reply.stdout).join('');
    return outputValue(replies, Array.isArray(wanted) || Array.isArray(exact));
  }),
  schema: {
    description:
      "The agent's answer: a part of the JSON, or of the text, /regex/ or {exactly: value}; a list for the answers to several messages",
  },
  needsHost: true,
};

const stderr: ExpectKey = {
  ...textKey('stderr', '', ({ replies }) => replies.map((reply) => reply.stderr).join('')),
  schema: { description: 'A part of standard error, /regex/ or {exactly: text}', ...EXPECTED_TEXT },
  needsHost: true,
};

const exit = {
  key: 'exit',
  schema: { description: 'The exit code', type: 'integer', minimum: 0, maximum: 255 },
  needsHost: true,
  read: (value) =>
    found(({ replies }) => {
      const code = replies.at(-1)?.exitCode ?? 0;
      return code === value ? undefined : { expected: `exit ${value}`, actual: `exit ${code}` };
    }),
} as const satisfies ExpectKey;

export const EXPECT_KEYS: readonly ExpectKey[] = [
  action,
  policy,
  reason,
  call,
  result,
  response,
  prompt,
  request,
  feedback,
  message,
  addContext,
  monitored,
  stdout,
  stderr,
  exit,
];

/** The verdict in a few words: `deny by git-safety/no-force-push`. */
export function verdictOf({ decision }: Answer): string {
  return decision.policyId === undefined ? decision.action : `${decision.action} by ${decision.policyId}`;
}

function textKey(
  key: string,
  description: string,
  textOf: (answer: Answer) => string | undefined,
): ExpectKey {
  return {
    key,
    schema: { description: `${description}: a part of it, /regex/ or {exactly: text}`, ...EXPECTED_TEXT },
    read: (value) => {
      const reading = readTextTest(value, key);
      if (!reading.ok) return reading;
      const { holds, wanted } = reading.value;
      return found((answer) => {
        const text = textOf(answer);
        if (text !== undefined && holds(text)) return undefined;
        return {
          expected: `${key} ${wanted}`,
          actual: text === undefined ? `no ${key}` : `${key} ${JSON.stringify(text)}`,
        };
      });
    },
  };
}

function valueKey(
  key: string,
  description: string,
  partOf: (answer: Answer, wanted: Json) => Json | undefined,
): ExpectKey {
  return {
    key,
    schema: { description: `${description}: ${VALUE_HELP}` },
    read: (value) => {
      const reading = readValueExpectation(value, key);
      if (!reading.ok) return reading;
      return found((answer) => {
        const actual = partOf(answer, value);
        if (actual === undefined)
          return { expected: `another ${key}`, actual: `${verdictOf(answer)}, which gives none` };
        const mismatch = reading.value.mismatch(actual);
        return mismatch === undefined
          ? undefined
          : { expected: `${key} ${mismatch.expected}`, actual: `${key} ${mismatch.actual}` };
      });
    },
  };
}

function rewrittenPart(decision: Decision, key: string): Json | undefined {
  const { subject } = decision;
  return decision.action === 'modify' && isJsonObject(subject) ? own(subject, key) : undefined;
}

function joined(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join('\n');
}

function found(check: Check): Read<Check> {
  return { ok: true, value: check };
}
