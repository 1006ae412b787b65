import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import type { RewriteForm } from '../action-spec.ts';
import { CALL_EVENTS } from '../event-groups.ts';
import { addedFlag, addedFlagTest, addFlag } from './add-flag.ts';
import { checkFlagItem } from './check-flag-item.ts';
import { COMMAND_NAME_KEYS, namesCommand, programsOf, subcommandWords } from './command-name.ts';
import { isRead, mapCommandTexts, type Reader, refuseUnread } from './command-texts.ts';
import { addedFlags, removedFlags, renamedFlags } from './flag-item.ts';
import { removeFlag } from './remove-flag.ts';
import { renameFlag } from './rename-flag.ts';
import { RewriteError } from './rewrite-error.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';

const flag = { type: 'string', minLength: 1 } as const;

export const flags = {
  key: 'flags',
  summary: 'Change the flags of a program in a shell command; everything else stays as written',
  events: CALL_EVENTS,
  schema: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      additionalProperties: false,
      properties: {
        ...COMMAND_NAME_KEYS,
        remove: {
          type: 'array',
          minItems: 1,
          items: flag,
          description: 'Flags to take out, values included; both spellings go where they are known',
        },
        rename: {
          type: 'object',
          minProperties: 1,
          additionalProperties: flag,
          description: 'Flags by their old name, with the new one; values stay',
        },
        add: {
          type: 'array',
          minItems: 1,
          items: flag,
          description:
            'Flags that have to be there, such as --depth=1: put after the program or subcommand, or after the same flag with another value, so that this one counts',
        },
      },
    },
  },
  check: (spec) => itemsOf(spec).flatMap((item, index) => checkFlagItem(item, index)),
  apply: (spec, subject, input) => {
    const items = itemsOf(spec);
    const programs = items.flatMap(programsOf);
    const steps = items.flatMap(stepsOf);
    return mapCommandTexts(subject, input, (text, read) => settle(text, programs, steps, read));
  },
} satisfies RewriteForm;

/** One change of one flag. */
interface Step {
  /** `remove flag "--force"` */
  readonly verb: string;
  /** What a text still needs for it. */
  readonly edits: (text: string, reading: Reading) => readonly TextEdit[];
}

function stepsOf(item: JsonObject): readonly Step[] {
  const fits = namesCommand(item);
  const step = (verb: string, edits: (text: string, command: ReadCommand) => readonly TextEdit[]): Step => ({
    verb,
    edits: (text, { commands }) => commands.filter(fits).flatMap((command) => edits(text, command)),
  });
  const added = addedFlags(item).map(addedFlag);
  const after = subcommandWords(item);
  return [
    ...removedFlags(item).map((name) =>
      step(`remove flag "${name}"`, (text, command) => {
        // What has to be there in the end and is there already need not go first.
        const stays = added.map((each) => addedFlagTest(command, each));
        return removeFlag(text, command, name, (found) => !stays.some((test) => test(found)));
      }),
    ),
    ...renamedFlags(item).map(([from, to]) =>
      step(`rename flag "${from}"`, (text, command) => renameFlag(text, command, from, to)),
    ),
    ...added.map((each) =>
      step(`add flag "${each.text}"`, (text, command) => addFlag(text, command, each, after)),
    ),
  ];
}

/** Removing a flag may bring one into force that it undid, so that several rounds may be needed, but not many. */
const MAX_ROUNDS = 4;

/** Takes all steps, and again, until none of them finds anything to do in what is read then. */
function settle(text: string, programs: readonly string[], steps: readonly Step[], read: Reader): string {
  let current = text;
  let reading = read(text);
  refuseUnread(text, reading, programs);
  const wasRead = isRead(reading);
  let lastVerb = '';
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = current;
    for (const { verb, edits } of steps) {
      const changed = applyEdits(current, edits(current, reading));
      if (changed === current) continue;
      current = changed;
      reading = read(current);
      lastVerb = verb;
    }
    if (current === before && isRead(reading) === wasRead) return current;
  }
  throw new RewriteError(`Cannot ${lastVerb}: the command would not be read as wanted then`);
}

function itemsOf(spec: Json): readonly JsonObject[] {
  return Array.isArray(spec) ? spec.filter(isJsonObject) : [];
}
