import { didYouMean } from '../../../lib/closest.ts';
import { isJsonObject, itemsOf, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT } from '../../../lib/schema-parts.ts';
import { DETECTOR_NAMES, isDetector } from '../../../reader/secrets/detectors.ts';
import { redactSecrets } from '../../../reader/secrets/redact-secrets.ts';
import type { ParamProblem, Render, RewriteForm } from '../action-spec.ts';
import { RESULT_EVENTS } from '../event-groups.ts';
import { checkTemplates } from '../template-params.ts';
import { checkPattern, patternChange, WITHHELD } from './command-names.ts';
import { mapTexts } from './texts.ts';

/** The text instead of a match if the policy names none. */
const REDACTED = '[redacted]';

type Change = (text: string) => string | undefined;

export const redact = {
  key: 'redact',
  summary: "Redact secrets, personal data or regex matches in the event's text",
  events: ['before_prompt', 'before_llm', 'after_llm', ...RESULT_EVENTS],
  schema: {
    ...LIST,
    items: {
      oneOf: [
        {
          description: 'A detector; secrets means all detectors of secrets, personal all of personal data',
          type: 'string',
          examples: DETECTOR_NAMES,
        },
        {
          ...CLOSED,
          required: ['regex'],
          properties: {
            regex: { description: 'A regex to take out (RE2 syntax)', ...TEXT },
            with: {
              description: `What to put in its place; a template, $1 is the first group; ${REDACTED} unless given`,
              type: 'string',
            },
          },
        },
      ],
    },
  },
  check: (spec) => itemsOf(spec).flatMap((item, i) => checkItem(item, i)),
  apply: (spec, subject, { render, textPaths }) =>
    mapTexts(subject, textPaths, redactor(itemsOf(spec), render)),
} satisfies RewriteForm;

/** Redacting is idempotent: a text whose replacements would be replaced again is replaced whole. */
function redactor(specs: readonly Json[], render: Render): (text: string) => string {
  const changes = specs.map((item) => changeOf(item, render));
  const once: Change = (text) => changes.reduce<string | undefined>((t, c) => t && c(t), text);
  return (text) => {
    if (text === REDACTED || text === WITHHELD) return text;
    const redacted = once(text);
    if (redacted === undefined) return WITHHELD;
    if (redacted === text) return text;
    return once(redacted) === redacted ? redacted : REDACTED;
  };
}

function changeOf(item: Json, render: Render): Change {
  if (isJsonObject(item)) return patternChange(item, render, REDACTED);
  const detectors = [String(item)];
  return (text) => redactSecrets(text, detectors).text;
}

function checkItem(item: Json, index: number): readonly ParamProblem[] {
  if (typeof item === 'string') return checkDetector(item, index);
  if (!isJsonObject(item)) return [];
  return [
    ...checkPattern(item, [index]),
    ...checkTemplates(own(item, 'with'), [index, 'with']),
    ...checkSettles(item, index),
  ];
}

function checkDetector(name: string, index: number): readonly ParamProblem[] {
  if (isDetector(name)) return [];
  return [
    {
      code: 'bad-value',
      path: [index],
      message: `Cannot find detector "${name}": there is none of this name`,
      hint: didYouMean(name, DETECTOR_NAMES, `the detectors are ${DETECTOR_NAMES.join(', ')}`),
    },
  ];
}

/** A replacement that the pattern changes again would replace whole texts. */
function checkSettles(item: JsonObject, index: number): readonly ParamProblem[] {
  const replacement = ownString(item, 'with') ?? REDACTED;
  if (/\$|\{\{/.test(replacement) || checkPattern(item, []).length > 0) return [];
  if (patternChange(item, (text) => text, REDACTED)(replacement) === replacement) return [];
  return [
    {
      code: 'bad-value',
      path: [index, Object.hasOwn(item, 'with') ? 'with' : 'regex'],
      message: `Cannot redact with "${replacement}": the pattern matches it again`,
      hint: 'give a "with" that the pattern does not match',
    },
  ];
}
