import { child } from '../../../lib/child.ts';
import {
  asList,
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  ownItems,
  ownString,
} from '../../../lib/json.ts';
import { compileRegex, type Regex, RegexError, regexProblem } from '../../../lib/regex/regex.ts';
import { TEXT, TEXT_OR_TEXTS } from '../../../lib/schema-parts.ts';
import { templatePaths } from '../../../lib/template.ts';
import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { nameTest, subcommandTest } from '../../keys/command/names.ts';
import type { ParamProblem, Render, RewriteForm } from '../action-spec.ts';
import { CALL_EVENTS } from '../event-groups.ts';
import { type CommandReader, isRead, mapCommandTexts, refuseUnread } from './command-texts.ts';
import { RewriteError } from './paths.ts';
import { applyEdits, type TextEdit } from './texts.ts';

/** JSON Schemas of the keys that say which commands are meant, as the `command` matcher has them. */
export const COMMAND_NAME_KEYS: Readonly<Record<string, JsonObject>> = {
  run: { ...TEXT_OR_TEXTS, description: 'The program, without its directory; * matches any characters' },
  subcommand: {
    type: 'array',
    minItems: 2,
    items: TEXT_OR_TEXTS,
    description:
      'The program and the first words after it that are no flags: [git, push]; a list means any of these',
  },
};

/** True for commands that are certainly meant; one whose name is not known is not. */
export function namesCommand(spec: JsonObject): (command: ReadCommand) => boolean {
  const run = own(spec, 'run');
  const words = ownItems(spec, 'subcommand');
  const tests = [
    ...(run === undefined ? [] : [nameTest(run)]),
    ...(words.length === 0 ? [] : [subcommandTest(words)]),
  ];
  return (command) => tests.every((test) => test(command) === true);
}

/** The programs that may be meant, with their wildcards. */
export function programsOf(spec: JsonObject): readonly string[] {
  return asList(own(spec, 'run') ?? ownItems(spec, 'subcommand')[0] ?? []).map(String);
}

/** The text instead of one that is too large to be searched. */
export const WITHHELD = '[withheld: too large to check]';

/** Compiled once per policy and process: the specs live as long as the policies. */
const compiled = new WeakMap<JsonObject, Regex>();

/** Replaces every match of `{regex, with}`; undefined for a text that is too large. */
export function patternChange(
  spec: JsonObject,
  render: Render,
  fallback: string,
): (text: string) => string | undefined {
  const regex = child(compiled, spec, () => compileRegex(ownString(spec, 'regex') ?? ''));
  const replacement = renderReplacement(ownString(spec, 'with') ?? fallback, render);
  return (text) => {
    const found = regex.test(text);
    if (found === false) return text;
    if (found === 'unknown') return undefined;
    try {
      return regex.replaceAll(text, replacement);
    } catch (error) {
      if (error instanceof RegexError) return undefined;
      throw error;
    }
  };
}

export function checkPattern(spec: JsonObject, path: readonly (string | number)[]): readonly ParamProblem[] {
  const message = regexProblem(ownString(spec, 'regex') ?? '');
  return message === undefined ? [] : [{ code: 'regex', path: [...path, 'regex'], message }];
}

/** Fills in the templates of a replacement; a `$` in a filled-in value is no reference to a group. */
function renderReplacement(template: string, render: Render): string {
  let text = '';
  let from = 0;
  for (const { index } of templatePaths(template)) {
    const end = template.indexOf('}}', index) + 2;
    text += template.slice(from, index) + render(template.slice(index, end)).replaceAll('$', '$$$$');
    from = end;
  }
  return text + template.slice(from);
}

export interface NameChange {
  /** `program "npm" by "pnpm"` */
  readonly what: string;
  readonly program: string;
  /**
   * The edits of a command; undefined if it is about another one, or nothing is left to do.
   *
   * @throws RewriteError if the words are not in the text as they are
   */
  readonly edits: (text: string, command: ReadCommand, reading: Reading) => readonly TextEdit[] | undefined;
  /** True for a command that reads as it shall in the end. */
  readonly isDone: (command: ReadCommand) => boolean;
}

/** A form of `rewrite` that replaces names; `replacementOf` reads one of its entries. */
export function nameForm<Replacement, Key extends string>(
  { key, summary, by }: { readonly key: Key; readonly summary: string; readonly by: string },
  replacementOf: (name: string, by: string) => Replacement,
  check: (each: Replacement, all: readonly Replacement[]) => readonly ParamProblem[],
  changeOf: (each: Replacement, all: readonly Replacement[]) => NameChange,
) {
  const replacementsOf = (spec: Json) =>
    isJsonObject(spec) ? Object.entries(spec).map(([name, words]) => replacementOf(name, String(words))) : [];
  return {
    key,
    summary,
    events: CALL_EVENTS,
    schema: { type: 'object', minProperties: 1, additionalProperties: { description: by, ...TEXT } },
    check: (spec) => replacementsOf(spec).flatMap((each, _, all) => check(each, all)),
    apply: (spec, subject, input) => {
      const changes = replacementsOf(spec).map((each, _, all) => changeOf(each, all));
      return mapCommandTexts(subject, input, (text, read) => changeNames(text, changes, read));
    },
  } satisfies RewriteForm;
}

/** Why a change cannot be made. */
export function cannotReplace(what: string, why: string): RewriteError {
  return new RewriteError(`Cannot replace ${what}: ${why}`);
}

/**
 * The text with the names of its commands changed.
 *
 * @throws RewriteError if that cannot be done, or if the result does not read as wanted
 */
export function changeNames(text: string, changes: readonly NameChange[], read: CommandReader): string {
  const reading = read(text);
  refuseUnread(
    text,
    reading,
    changes.map(({ program }) => program),
  );
  const found = findNames(text, reading, changes);
  if (found.length === 0) return text;
  const changed = applyEdits(
    text,
    found.flatMap(({ edits }) => edits),
  );
  const after = read(changed);
  const isWhole = isRead(after) || !isRead(reading);
  for (const change of changes) {
    const wanted = found.filter((each) => each.change === change).length;
    const count = ({ commands }: Reading) => commands.filter(change.isDone).length;
    // The words after a name may be lost to it: `bash -c npx` runs its first word only.
    if (!isWhole || count(after) < count(reading) + wanted)
      throw cannotReplace(change.what, 'the command would not run it in the same place');
  }
  const [left] = findNames(changed, after, changes);
  if (left !== undefined) throw cannotReplace(left.change.what, 'it would still run');
  return changed;
}

function findNames(text: string, reading: Reading, changes: readonly NameChange[]) {
  return reading.commands.flatMap((command) => {
    for (const change of changes) {
      const edits = change.edits(text, command, reading);
      if (edits !== undefined) return [{ change, edits }];
    }
    return [];
  });
}

/** Characters that mean themselves bare, in quotes and in nested scripts of every shell; text put into a command has no others. */
export const PLAIN_CHARACTERS = 'letters, digits and any of _ . / : @ = + , -';

const WORD = '[A-Za-z0-9_./:@=+,-]';
/** No flag and no assignment. */
const NAME = '[A-Za-z0-9_./][A-Za-z0-9_./:@+,-]*';

const PROGRAM = new RegExp(`^${NAME}(?: ${WORD}+)*$`);
const FLAG_NAME = new RegExp(`^--?${NAME}$`);
const FLAG = new RegExp(`^--?${NAME}(?:=${WORD}*)?$`);

/** True for a program and words after it, with single spaces between. */
export function isPlainProgram(text: string): boolean {
  return PROGRAM.test(text);
}

/** True for a flag without a value. */
export function isPlainFlagName(text: string): boolean {
  return FLAG_NAME.test(text);
}

/** True for a flag, with a value behind `=` or without. */
export function isPlainFlag(text: string): boolean {
  return FLAG.test(text);
}
