import { isJsonObject, type Json, ownString } from '../../../lib/json.ts';
import { compileRegex } from '../../../lib/regex/regex.ts';
import { CLOSED, TEXT } from '../../../lib/schema-parts.ts';
import type { EventKind, EventText } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import type { Matcher } from '../matcher.ts';
import { prefixed } from '../spec-path.ts';
import {
  compileValueTest,
  VALUE_TEST_DEFINITION,
  VALUE_TEST_SCHEMA,
  valueTestLiterals,
  valueTestProblems,
} from '../types/value-test.ts';

const TEXT_EVENTS: readonly EventKind[] = [
  'before_prompt',
  'prompt_sent',
  'before_llm',
  'tool_choice',
  'after_llm',
  'after_tool',
  'tool_failure',
  'after_turn',
  'before_compact',
  'after_compact',
  'notification',
];

interface ContentSpec {
  readonly scope: string;
  readonly role: string | undefined;
  readonly test: Json;
}

function read(spec: Json): ContentSpec {
  if (!isJsonObject(spec)) return { scope: 'new', role: undefined, test: spec };
  return {
    scope: ownString(spec, 'scope') ?? 'new',
    role: ownString(spec, 'role'),
    test: spec['test'] ?? null,
  };
}

function textsIn(spec: ContentSpec, facts: Facts): readonly EventText[] {
  const texts = scoped(spec.scope, facts);
  return spec.role === undefined ? texts : texts.filter((text) => text.role === spec.role);
}

function scoped(scope: string, facts: Facts): readonly EventText[] {
  if (scope === 'new') return facts.newTexts;
  if (scope === 'all') return facts.event.texts;
  const last = facts.event.texts.findLast((text) => text.role === 'user');
  return last === undefined ? [] : [last];
}

export const content = {
  key: 'content',
  summary:
    "A test on the event's text: the prompt, the messages to the model, its answer or the tool's result",
  schema: {
    anyOf: [
      { ...TEXT, description: 'A regex on new text' },
      {
        ...CLOSED,
        required: ['test'],
        properties: {
          scope: {
            enum: ['new', 'last_user', 'all'],
            description: 'Which text: what is new since the last check, the last user message, or all of it',
          },
          role: { ...TEXT, description: 'Only text by this speaker' },
          test: VALUE_TEST_SCHEMA,
        },
      },
    ],
  },
  steady: true,
  definitions: VALUE_TEST_DEFINITION,
  events: TEXT_EVENTS,
  check: (spec) =>
    isJsonObject(spec) ? prefixed('test', valueTestProblems(spec['test'] ?? null)) : valueTestProblems(spec),
  literals: (spec) => {
    const found = valueTestLiterals(read(spec).test);
    return found === undefined ? undefined : { scope: 'texts', ...found };
  },
  compile: (spec) => {
    const content = read(spec);
    const test = compileValueTest(content.test);
    return (facts, missed?) =>
      test(
        textsIn(content, facts).map(({ text }) => text),
        missed,
      );
  },
  seen: (facts, spec) => textsIn(read(spec), facts).map(({ text }) => text),
  captures: (spec, facts) => {
    const content = read(spec);
    const source = isJsonObject(content.test) ? content.test['regex'] : content.test;
    if (typeof source !== 'string') return undefined;
    const regex = compileRegex(source);
    for (const { text } of textsIn(content, facts)) {
      const captures = regex.captures(text);
      if (captures !== undefined) return captures;
    }
    return undefined;
  },
} as const satisfies Matcher;
