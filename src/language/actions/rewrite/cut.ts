import { countCharacters, offsetOfCharacter } from '../../../lib/characters.ts';
import { isJsonObject, itemsOf, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT } from '../../../lib/schema-parts.ts';
import type { Subject } from '../../../model/event.ts';
import type { RewriteForm, RewriteInput } from '../action-spec.ts';
import { CALL_EVENTS, isCall, RESULT_EVENTS } from '../event-groups.ts';
import { checkTemplates } from '../template-params.ts';
import { checkPattern, patternChange, WITHHELD } from './command-names.ts';
import { checkPath, RewriteError } from './paths.ts';
import { mapTexts, mapTextsAt } from './texts.ts';

export const replace = {
  key: 'replace',
  summary: "Replace regex matches in the event's text or the call's arguments",
  events: ['before_prompt', 'before_llm', 'after_llm', ...CALL_EVENTS, ...RESULT_EVENTS],
  schema: {
    ...LIST,
    items: {
      ...CLOSED,
      required: ['regex', 'with'],
      properties: {
        at: { description: 'Path of the texts to search; by default every text', ...TEXT },
        regex: { description: 'A regex to replace (RE2 syntax)', ...TEXT },
        with: { description: 'What to put in its place; a template, $1 is the first group', type: 'string' },
      },
    },
  },
  check: (spec) =>
    replacementsIn(spec).flatMap((item, i) => [
      ...(Object.hasOwn(item, 'at') ? checkPath(ownString(item, 'at') ?? '', [i, 'at']) : []),
      ...checkPattern(item, [i]),
      ...checkTemplates(own(item, 'with'), [i, 'with']),
    ]),
  apply: (spec, subject, input) =>
    replacementsIn(spec).reduce((from, item) => replaceOne(from, item, input), subject),
} satisfies RewriteForm;

function replaceOne(subject: Subject, item: JsonObject, input: RewriteInput): Subject {
  const change = patternChange(item, input.render, '');
  const changeOrWithhold = (text: string) => change(text) ?? withheld(input);
  const at = ownString(item, 'at') ?? (isCall(input.kind) ? '*' : undefined);
  if (at === undefined) return mapTexts(subject, input.textPaths, changeOrWithhold);
  const changed = mapTextsAt(subject, at, input, changeOrWithhold);
  const { unwritten } = input;
  // The host reads the command from an argument again; a command in no argument would run as it was.
  const isMeant = unwritten !== undefined && ['*', 'command'].includes(at);
  if (isMeant && changed === subject && changeOrWithhold(unwritten) !== unwritten)
    throw new RewriteError('Cannot rewrite the command: no argument holds it as it runs');
  return changed;
}

/** In a call the words would be read as the argument itself, so that nothing but a refusal is safe there. */
function withheld({ kind }: RewriteInput): string {
  if (isCall(kind))
    throw new RewriteError('Cannot rewrite the arguments: they are too large for this pattern');
  return WITHHELD;
}

function replacementsIn(spec: Json): readonly JsonObject[] {
  return itemsOf(spec).filter(isJsonObject);
}

const KEEPS = ['head', 'tail', 'both'] as const;
type Keep = (typeof KEEPS)[number];

export const truncate = {
  key: 'truncate',
  summary: 'Cut long strings and say how much is missing',
  events: RESULT_EVENTS,
  schema: {
    ...CLOSED,
    required: ['max_length'],
    properties: {
      max_length: { description: 'Characters to keep of each text', type: 'integer', minimum: 1 },
      keep: { description: 'Which part to keep; head unless given', enum: KEEPS },
    },
  },
  apply: (spec, subject, { textPaths }) => {
    if (!isJsonObject(spec)) return subject;
    const { maxLength, keep } = limits(spec);
    return mapTexts(subject, textPaths, (text) => cut(text, maxLength, keep));
  },
} satisfies RewriteForm;

function limits(spec: JsonObject): { readonly maxLength: number; readonly keep: Keep } {
  const maxLength = own(spec, 'max_length');
  const keep: Json | undefined = own(spec, 'keep');
  return {
    maxLength: typeof maxLength === 'number' ? maxLength : 0,
    keep: KEEPS.find((known) => known === keep) ?? 'head',
  };
}

function cut(text: string, maxLength: number, keep: Keep): string {
  if (text.length <= maxLength) return text;
  const length = countCharacters(text);
  if (length <= maxLength || isCut(text, maxLength, keep)) return text;
  const head = headLength(maxLength, keep);
  const start = offsetOfCharacter(text, head);
  const end = offsetOfCharacter(text, length - (maxLength - head));
  return `${text.slice(0, start)}${note(length - maxLength)}${text.slice(end)}`;
}

function headLength(maxLength: number, keep: Keep): number {
  if (keep === 'head') return maxLength;
  return keep === 'tail' ? 0 : Math.ceil(maxLength / 2);
}

/** True if the text is the result of a cut of this kind: cutting it again would count the note as text. */
function isCut(text: string, maxLength: number, keep: Keep): boolean {
  const start = offsetOfCharacter(text, headLength(maxLength, keep));
  const found = /^\n\[\d{1,16} characters? cut\]\n/.exec(text.slice(start, start + 64));
  return found !== null && countCharacters(text) - found[0].length === maxLength;
}

function note(count: number): string {
  return `\n[${count} ${count === 1 ? 'character' : 'characters'} cut]\n`;
}
