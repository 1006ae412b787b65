import {
  isJsonObject,
  itemsOf,
  type Json,
  type JsonObject,
  own,
  ownItems,
  ownObject,
} from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT, TEXTS } from '../../../lib/schema-parts.ts';
import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { namedOperands } from '../../keys/command/names.ts';
import type { ParamProblem, RewriteForm } from '../action-spec.ts';
import { CALL_EVENTS } from '../event-groups.ts';
import {
  COMMAND_NAME_KEYS,
  isPlainFlag,
  isPlainFlagName,
  namesCommand,
  PLAIN_CHARACTERS,
  programsOf,
} from './command-names.ts';
import { type CommandReader, isRead, mapCommandTexts, refuseUnread } from './command-texts.ts';
import { addedFlag, addedFlagTest, addFlag, removeFlag, renameFlag } from './flag-changes.ts';
import { RewriteError } from './paths.ts';
import { applyEdits, type TextEdit } from './texts.ts';

export const flags = {
  key: 'flags',
  summary: 'Change the flags of a program in a shell command; everything else stays as written',
  events: CALL_EVENTS,
  schema: {
    ...LIST,
    items: {
      ...CLOSED,
      properties: {
        ...COMMAND_NAME_KEYS,
        remove: {
          ...TEXTS,
          description: 'Flags to take out, values included; both spellings go where they are known',
        },
        rename: {
          type: 'object',
          minProperties: 1,
          additionalProperties: TEXT,
          description: 'Flags by their old name, with the new one; values stay',
        },
        add: {
          ...TEXTS,
          description:
            'Flags that must be present, as --depth=1: put after the program or subcommand, or after the same flag with another value, so that this one counts',
        },
      },
    },
  },
  check: (spec) => changesIn(spec).flatMap((item, index) => checkFlagItem(item, index)),
  apply: (spec, subject, input) => {
    const items = changesIn(spec);
    const programs = items.flatMap(programsOf);
    const steps = items.flatMap(stepsOf);
    return mapCommandTexts(subject, input, (text, read) => applyUntilStable(text, programs, steps, read));
  },
} satisfies RewriteForm;

/** One change of one flag. */
interface Step {
  /** `remove flag "--force"` */
  readonly verb: string;
  /** The edits that a text still needs for it. */
  readonly edits: (text: string, reading: Reading) => readonly TextEdit[];
}

function stepsOf(item: JsonObject): readonly Step[] {
  const fits = namesCommand(item);
  const step = (verb: string, edits: (text: string, command: ReadCommand) => readonly TextEdit[]): Step => ({
    verb,
    edits: (text, { commands }) => commands.filter(fits).flatMap((command) => edits(text, command)),
  });
  const added = flagsAt(item, 'add').map(addedFlag);
  const after = namedOperands(own(item, 'subcommand'));
  return [
    ...flagsAt(item, 'remove').map((name) =>
      step(`remove flag "${name}"`, (text, command) => {
        // A flag that has to be there in the end and is there already need not go first.
        const stays = added.map((each) => addedFlagTest(command, each));
        return removeFlag(text, command, name, (found) => !stays.some((test) => test(found)));
      }),
    ),
    ...renamedFlags(item).map(([from, to]) =>
      step(`rename flag "${from}"`, (text, command) => renameFlag(text, command, from, to)),
    ),
    ...added.map((each) =>
      step(`add flag "${each.text}"`, (text, command) => addFlag(text, command, each, after(command))),
    ),
  ];
}

/** Removing a flag may bring one into force that it undid, so that several rounds may be needed, but not many. */
const MAX_ROUNDS = 4;

/** Takes all steps, and again, until none of them finds anything to do in the result. */
function applyUntilStable(
  text: string,
  programs: readonly string[],
  steps: readonly Step[],
  read: CommandReader,
): string {
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

function changesIn(spec: Json): readonly JsonObject[] {
  return itemsOf(spec).filter(isJsonObject);
}

/** Old and new names. */
function renamedFlags(item: JsonObject): readonly (readonly [from: string, to: string])[] {
  return Object.entries(ownObject(item, 'rename') ?? {}).map(([from, to]) => [from, String(to)] as const);
}

/** The flags under a key of an item, as written. */
function flagsAt(item: JsonObject, key: 'add' | 'remove'): readonly string[] {
  return ownItems(item, key).map(String);
}

const CHANGES = ['remove', 'rename', 'add'] as const;

/** The problems of an item of `flags` beyond its schema. */
function checkFlagItem(item: JsonObject, index: number): readonly ParamProblem[] {
  const problems: ParamProblem[] = [];
  if (!Object.hasOwn(item, 'run') && !Object.hasOwn(item, 'subcommand')) {
    problems.push({
      code: 'missing-key',
      path: [index],
      message: 'Cannot tell whose flags to change: neither "run" nor "subcommand" is given',
      hint: 'write run: rm or subcommand: [git, push]',
    });
  }
  if (!CHANGES.some((key) => Object.hasOwn(item, key))) {
    problems.push({
      code: 'missing-key',
      path: [index],
      message: 'Cannot change flags: none of "remove", "rename" and "add" is given',
    });
  }
  return [
    ...problems,
    ...flagsAt(item, 'remove').flatMap((name, at) =>
      checkName(`remove flag "${name}"`, name, [index, 'remove', at]),
    ),
    ...renamedFlags(item).flatMap(([from, to], _, all) =>
      checkRename(from, to, all, [index, 'rename', from]),
    ),
    ...flagsAt(item, 'add').flatMap((text, at) =>
      isPlainFlag(text)
        ? []
        : [notPlain(`add flag "${text}"`, '-x, --long or --long=value', [index, 'add', at])],
    ),
  ];
}

/** A name to look for may be anything that a program could call a flag. */
function checkName(verb: string, name: string, path: ParamProblem['path']): readonly ParamProblem[] {
  if (/^-[^\s=]+$/.test(name)) return [];
  const message = `Cannot ${verb}: that is no flag`;
  return [
    { code: 'bad-value', path, message, hint: 'write it with its dashes and without a value, such as -f' },
  ];
}

function checkRename(
  from: string,
  to: string,
  all: readonly (readonly [string, string])[],
  path: ParamProblem['path'],
): readonly ParamProblem[] {
  const verb = `rename flag "${from}" to "${to}"`;
  const bad = checkName(verb, from, path);
  if (bad.length > 0) return bad;
  if (!isPlainFlagName(to)) return [notPlain(verb, '-x or --long', path)];
  // A call that is still to be rewritten after it has been is refused.
  if (from === to || !all.some(([other]) => other === to)) return [];
  const message = `Cannot ${verb}: "${to}" is renamed too`;
  return [{ code: 'bad-value', path, message, hint: 'write the new name' }];
}

function notPlain(verb: string, form: string, path: ParamProblem['path']): ParamProblem {
  const message = `Cannot ${verb}: it takes a flag that needs no quotes`;
  return { code: 'bad-value', path, message, hint: `write ${form}, of ${PLAIN_CHARACTERS}` };
}
