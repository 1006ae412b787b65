import { countCharacters, offsetOfCharacter } from '../../../lib/characters.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import type { RewriteForm } from '../action-spec.ts';
import { RESULT_EVENTS } from '../event-groups.ts';
import { mapTexts } from './map-texts.ts';

const KEEPS = ['head', 'tail', 'both'] as const;
type Keep = (typeof KEEPS)[number];

export const truncate = {
  key: 'truncate',
  summary: 'Cut long strings and say how much is missing',
  events: RESULT_EVENTS,
  schema: {
    type: 'object',
    additionalProperties: false,
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

/** True if the text is what a cut of this kind leaves: cutting it again would count the note as text. */
function isCut(text: string, maxLength: number, keep: Keep): boolean {
  const start = offsetOfCharacter(text, headLength(maxLength, keep));
  const found = /^\n\[\d{1,16} characters? cut\]\n/.exec(text.slice(start, start + 64));
  return found !== null && countCharacters(text) - found[0].length === maxLength;
}

function note(count: number): string {
  return `\n[${count} ${count === 1 ? 'character' : 'characters'} cut]\n`;
}
