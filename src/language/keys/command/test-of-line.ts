import type { Json, JsonObject } from '../../../lib/json.ts';
import { NO_SURROUNDINGS } from '../../../model/surroundings.ts';
import { readCommand } from '../../../reader/commands/read-command.ts';
import { knownText, type Word } from '../../../reader/reading/word.ts';
import { compileCommandTest } from './spec.ts';

const HOME = '/home/me';
const PLACE = { cwd: '/work', home: HOME };
const SURROUNDINGS = { ...NO_SURROUNDINGS, home: HOME, workspace: PLACE.cwd };

/** The test for a command line that somebody has written as a program's name; undefined if none matches that line. */
export function testOfLine(line: string): JsonObject | undefined {
  const reading = readCommand(line, PLACE);
  const running = reading.commands.filter(({ wrapper }) => !wrapper);
  const [command, ...others] = running.length === 0 ? reading.commands : running;
  if (command?.name === undefined || others.length > 0) return undefined;
  const { name, args, subcommands } = command;
  const words = textsOf(command.operands.slice(0, subcommands));
  let test: JsonObject = words.length > 0 ? { subcommand: [name, ...words] } : { run: name };
  const add = (part: JsonObject) => {
    const longer = { ...test, ...part };
    const isMet = compileCommandTest(longer)(command, reading, SURROUNDINGS) === true;
    if (isMet) test = longer;
    return isMet;
  };
  if (!add({})) return undefined;

  const last = command.operands[subcommands - 1];
  const own = command.flags.filter(({ arg }) => last === undefined || arg > args.indexOf(last));
  const valued = own.flatMap(({ name: flag, value }) =>
    textsOf(value === undefined ? [] : [value]).map((text) => [flag, text] as const),
  );
  const values = valued.filter(([, text]) => !isPath(text));
  const all = own.map((flag) => flag.name).filter((flag) => !values.some(([each]) => each === flag));
  if (own.length > 0)
    add({
      flags: {
        ...(all.length > 0 ? { all } : {}),
        ...(values.length > 0
          ? { values: Object.fromEntries(values.map(([flag, equals]) => [flag, { equals }])) }
          : {}),
      },
    });

  const operands = textsOf(command.operands.slice(subcommands)).filter((text) => !text.startsWith('-'));
  const addPath = (path: string) =>
    isPath(path) && USES.some((use) => !Object.hasOwn(test, use) && add({ [use]: shortPath(path) }));
  for (const [, text] of valued) addPath(text);
  const [first, ...rest] = operands.filter((text) => !addPath(text)).map((equals): Json => ({ equals }));
  if (first !== undefined && operands.length === 1) add({ args: { any: first } });
  else if (first !== undefined)
    add({ args: { first, ...(rest[0] === undefined ? {} : { rest: rest[0] }) } }) ||
      add({ args: { any: first } });
  return test;
}

/** The keys for what a command does with a path. */
const USES = ['deletes', 'writes', 'reads'] as const;

function textsOf(words: readonly Word[]): readonly string[] {
  return words.flatMap((word) => knownText(word) ?? []);
}

function isPath(text: string): boolean {
  return /^[/.]/.test(text) && !/(?:^|\/)\.\.(?:\/|$)/.test(text);
}

function shortPath(path: string): string {
  const short = path.replace(/(?<=[^/]|^\/)\/+$/, '');
  return short === HOME || short.startsWith(`${HOME}/`) ? `~${short.slice(HOME.length)}` : short;
}
