import { readCommand } from '../commands/read-command.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString } from '../lib/json.ts';
import { testsIn } from '../matchers/command-spec.ts';
import { asList } from './implies/alternatives.ts';
import { commandImplies } from './implies/command-implies.ts';
import { patternsOverlap } from './name-pattern.ts';

/** A part of a command test that no command passes. */
export interface DeadPart {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

/** The parts of a command test that no command passes, those of the commands that it is piped to included. */
export function deadCommands(spec: Json, path: DeadPart['path']): readonly DeadPart[] {
  if (Array.isArray(spec) && spec.some(isJsonObject))
    return spec.flatMap((each: Json, index) => deadCommands(each, [...path, index]));
  if (!isJsonObject(spec)) return wholeCommands(spec, path);
  return [
    ...wholeCommands(own(spec, 'run'), [...path, 'run']),
    ...['pipes_to', 'pipes_from', 'except'].flatMap((key) => {
      const inner = own(spec, key);
      return inner === undefined ? [] : deadCommands(inner, [...path, key]);
    }),
    ...exceptsAll(spec, path),
    ...otherPrograms(spec, path),
    ...subcommandAgain(spec, path),
    ...deadFlags(spec, path),
  ];
}

/** `git push --force` as a program's name. One with a blank is rare, and begins with no other program and has no flags. */
function wholeCommands(names: Json | undefined, path: DeadPart['path']): readonly DeadPart[] {
  if (names === undefined) return [];
  return asList(names).flatMap((name, index): readonly DeadPart[] => {
    const [program = '', ...words] = String(name).trim().split(/\s+/);
    const flags = words.filter((word) => /^-./.test(word));
    if (words.length === 0 || !(flags.length > 0 || hasRow(program))) return [];
    const operands = words.filter((word) => !flags.includes(word));
    const keys = [
      operands.length > 0 ? `subcommand: [${[program, ...operands].join(', ')}]` : `run: ${program}`,
      ...(flags.length > 0 ? [`flags: {all: [${flags.join(', ')}]}`] : []),
    ];
    return [
      {
        path: Array.isArray(names) ? [...path, index] : path,
        message: `Cannot match command "${name}": no program has this name`,
        hint: `write command: {${keys.join(', ')}}`,
      },
    ];
  });
}

function exceptsAll(spec: JsonObject, path: DeadPart['path']): readonly DeadPart[] {
  const { except, ...rest } = spec;
  if (except === undefined || !testsIn(except).some((each) => commandImplies(rest, each))) return [];
  return [
    {
      path: [...path, 'except'],
      message: 'Cannot match: "except" leaves out all that the other keys let through',
      hint: 'narrow what stands in "except"',
    },
  ];
}

/** `{run: npm, subcommand: [git, push]}` */
function otherPrograms(spec: JsonObject, path: DeadPart['path']): readonly DeadPart[] {
  const run = own(spec, 'run');
  const words = own(spec, 'subcommand');
  const first = Array.isArray(words) ? words[0] : words;
  if (run === undefined || first === undefined) return [];
  const programs = asList(first).map(String);
  const names = asList(run).map(String);
  if (names.some((name) => programs.some((program) => patternsOverlap(name, program)))) return [];
  return [
    {
      path: [...path, 'subcommand'],
      message: `Cannot match a subcommand of ${programs.join(' or ')}: "run" wants ${names.join(' or ')}`,
      hint: 'leave "run" out: "subcommand" begins with the program',
    },
  ];
}

/** `{subcommand: [git, push], args: {first: push}}` */
function subcommandAgain(spec: JsonObject, path: DeadPart['path']): readonly DeadPart[] {
  const words = own(spec, 'subcommand');
  const args = own(spec, 'args');
  const test = isJsonObject(args) ? own(args, 'first') : undefined;
  const first = isJsonObject(test) ? ownString(test, 'equals') : test;
  const last = Array.isArray(words) ? words.at(-1) : undefined;
  if (first === undefined || first !== last) return [];
  return [
    {
      path: [...path, 'args', 'first', ...(isJsonObject(test) ? ['equals'] : [])],
      message: `Cannot match "${first}" as first operand: "subcommand" has taken it already`,
      hint: 'test what follows the subcommand, or leave the test out',
    },
  ];
}

function deadFlags(spec: JsonObject, path: DeadPart['path']): readonly DeadPart[] {
  const flags = own(spec, 'flags');
  if (!isJsonObject(flags)) return [];
  const at = [...path, 'flags'];
  const list = (key: string) => asList(own(flags, key) ?? []).map(String);
  const refused = new Set([...list('none'), ...list('unless')]);
  const any = list('any');
  const clash =
    list('all').find((flag) => refused.has(flag)) ??
    (any.every((flag) => refused.has(flag)) ? any[0] : undefined);
  const contradiction: DeadPart = {
    path: at,
    message: `Cannot match flag "${clash}": it must be given and must not be given`,
    hint: 'leave it out of one of the lists',
  };
  const bundles = ['any', 'all', 'none', 'unless'].flatMap((key) =>
    list(key).flatMap((flag, index): readonly DeadPart[] => {
      if (!isBundle(flag, spec)) return [];
      const letters = [...flag.slice(1)].map((letter) => `-${letter}`).join(', ');
      return [
        {
          path: Array.isArray(own(flags, key)) ? [...at, key, index] : [...at, key],
          message: `Cannot match flags ${letters} by "${flag}": only this one spelling of them fits`,
          hint: key === 'none' || key === 'unless' ? `list ${letters}` : `write all: [${letters}]`,
        },
      ];
    }),
  );
  return clash === undefined ? bundles : [contradiction, ...bundles];
}

/** True if each program of the test takes the flag for several, by trying it. What has no row may take it for one. */
function isBundle(flag: string, spec: JsonObject): boolean {
  if (!/^-[A-Za-z]{2,}$/.test(flag)) return false;
  const [program, ...words] = asList(own(spec, 'subcommand') ?? [own(spec, 'run') ?? []]);
  const programs = asList(program ?? []).map(String);
  const rest = words.map((word) => String(asList(word)[0]));
  return (
    programs.length > 0 &&
    programs.every((name) => {
      if (!PLAIN_WORD.test(name) || !rest.every((word) => PLAIN_WORD.test(word))) return false;
      const { commands } = readCommand([name, ...rest, flag, 'x'].join(' '), NOWHERE);
      const found = commands.find((command) => command.name === name);
      return (
        found !== undefined &&
        found.rows.length > 0 &&
        found.flags.filter(({ written }) => written === flag).length > 1
      );
    })
  );
}

const NOWHERE = { cwd: undefined, home: undefined };
/** What stands for itself in a shell command. */
const PLAIN_WORD = /^[\w.+-]+$/;

function hasRow(program: string): boolean {
  if (!PLAIN_WORD.test(program)) return false;
  return readCommand(`${program} x`, NOWHERE).commands.some(
    ({ name, rows }) => name === program && rows.length > 0,
  );
}
