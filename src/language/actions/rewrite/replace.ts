import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import type { Subject } from '../../../model/event.ts';
import type { RewriteForm, RewriteInput } from '../action-spec.ts';
import { CALL_EVENTS, isCall, RESULT_EVENTS } from '../event-groups.ts';
import { checkTemplates } from '../template-params.ts';
import { checkPath } from './check-path.ts';
import { mapTexts, mapTextsAt } from './map-texts.ts';
import { checkPattern, patternChange, WITHHELD } from './pattern-change.ts';
import { RewriteError } from './rewrite-error.ts';

export const replace = {
  key: 'replace',
  summary: "Replace regex matches in the event's text or the call's arguments",
  events: ['before_prompt', 'before_llm', 'after_llm', ...CALL_EVENTS, ...RESULT_EVENTS],
  schema: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['regex', 'with'],
      properties: {
        at: {
          description: 'Path of what is looked through; every text unless given',
          type: 'string',
          minLength: 1,
        },
        regex: { description: 'What to replace (RE2 syntax)', type: 'string', minLength: 1 },
        with: {
          description: 'What to put in its place; a template, $1 is the first group',
          type: 'string',
        },
      },
    },
  },
  check: (spec) =>
    items(spec).flatMap((item, i) => [
      ...(Object.hasOwn(item, 'at') ? checkPath(ownString(item, 'at') ?? '', [i, 'at']) : []),
      ...checkPattern(item, [i]),
      ...checkTemplates(own(item, 'with'), [i, 'with']),
    ]),
  apply: (spec, subject, input) => items(spec).reduce((from, item) => replaceOne(from, item, input), subject),
} satisfies RewriteForm;

function replaceOne(subject: Subject, item: JsonObject, input: RewriteInput): Subject {
  const change = patternChange(item, input.render, '');
  const changeOrWithhold = (text: string) => change(text) ?? withheld(input);
  const at = ownString(item, 'at') ?? (isCall(input.kind) ? '*' : undefined);
  if (at === undefined) return mapTexts(subject, input.textPaths, changeOrWithhold);
  const changed = mapTextsAt(subject, at, input, changeOrWithhold);
  const { unwritten } = input;
  // What stands in an argument is read from there again; what does not would run as it was.
  const isMeant = unwritten !== undefined && ['*', 'command'].includes(at);
  if (isMeant && changed === subject && changeOrWithhold(unwritten) !== unwritten)
    throw new RewriteError('Cannot rewrite the command: no argument holds it as it runs');
  return changed;
}

/** In a call the words would be taken for the argument itself, so that nothing but a refusal is safe there. */
function withheld({ kind }: RewriteInput): string {
  if (isCall(kind))
    throw new RewriteError('Cannot rewrite the arguments: they are too large for this pattern');
  return WITHHELD;
}

function items(spec: Json): readonly JsonObject[] {
  return Array.isArray(spec) ? spec.filter(isJsonObject) : [];
}
