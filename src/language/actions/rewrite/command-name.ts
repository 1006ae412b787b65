import { compileNameGlob } from '../../../lib/glob.ts';
import { type Json, type JsonObject, own } from '../../../lib/json.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText } from '../../../reader/reading/word.ts';

const name = { type: 'string', minLength: 1 } as const;
const names = { anyOf: [name, { type: 'array', minItems: 1, items: name }] } as const;

/** JSON Schemas of the keys that say which commands are meant, as the `command` matcher has them. */
export const COMMAND_NAME_KEYS: Readonly<Record<string, JsonObject>> = {
  run: { ...names, description: 'The program, without its directory; * matches any characters' },
  subcommand: {
    type: 'array',
    minItems: 2,
    items: names,
    description:
      'The program and the first words after it that are no flags: [git, push]; a list means any of these',
  },
};

/** True for commands that are certainly meant; one whose name is not known is not. */
export function namesCommand(spec: JsonObject): (command: ReadCommand) => boolean {
  const run = own(spec, 'run');
  const [program, ...words] = wordsOf(spec);
  const tests = [run, program].filter((each) => each !== undefined).map(anyName);
  const wanted = words.map(listOf);
  return ({ name: found, operands }) =>
    found !== undefined &&
    tests.every((fits) => fits(found)) &&
    wanted.every((alternatives, index) => alternatives.includes(knownText(operands[index] ?? []) ?? ''));
}

/** The programs that may be meant, with their wildcards. */
export function programsOf(spec: JsonObject): readonly string[] {
  return listOf(own(spec, 'run') ?? wordsOf(spec)[0] ?? []);
}

/** How many words after the program name the subcommand. */
export function subcommandWords(spec: JsonObject): number {
  return Math.max(0, wordsOf(spec).length - 1);
}

function wordsOf(spec: JsonObject): readonly Json[] {
  const words = own(spec, 'subcommand');
  return Array.isArray(words) ? words : [];
}

function anyName(spec: Json): (name: string) => boolean {
  const globs = listOf(spec).map(compileNameGlob);
  return (found) => globs.some((fits) => fits(found));
}

function listOf(spec: Json): readonly string[] {
  return (Array.isArray(spec) ? spec : [spec]).map(String);
}
