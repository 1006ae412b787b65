import { flowYaml } from '../../lib/flow-yaml.ts';
import {
  asList,
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  ownObject,
  ownString,
} from '../../lib/json.ts';
import { readCommand } from '../../reader/commands/read-command.ts';
import type { ReadCommand } from '../../reader/reading/reading.ts';
import { knownText } from '../../reader/reading/word.ts';
import { ANY_FLAG } from '../keys/command/called-flags.ts';
import { testsIn } from '../keys/command/spec.ts';
import { testOfLine } from '../keys/command/test-of-line.ts';
import { COMMANDS } from '../keys/types/commands.ts';
import { areImpossible } from '../keys/types/impossible-test.ts';
import { PROGRAM_TEXT, unheardText } from '../keys/types/shapes.ts';
import type { YamlPath } from '../policy/yaml/yaml.ts';
import { isMeetable } from './command-samples.ts';
import { deadPaths } from './dead-paths.ts';
import { deadUrls } from './dead-urls.ts';
import { firstClash } from './first-clash.ts';
import type { Finding } from './lint-rule.ts';

/** The parts of a command test that no command passes, those of the commands that it is piped to included. */
export function deadCommands(spec: Json, path: YamlPath): readonly Finding[] {
  if (Array.isArray(spec) && spec.some(isJsonObject))
    return spec.flatMap((each: Json, index) => deadCommands(each, [...path, index]));
  if (!isJsonObject(spec)) return wholeCommands(spec, path);
  return [
    ...wholeCommands(own(spec, 'run'), [...path, 'run']),
    ...['pipes_to', 'pipes_from', 'except'].flatMap((key) => {
      const inner = own(spec, key);
      return inner === undefined ? [] : deadCommands(inner, [...path, key]);
    }),
    ...asList(own(spec, 'wrapped_by') ?? []).flatMap(
      (name, index) =>
        oddName(String(name), itemPath(own(spec, 'wrapped_by'), index, [...path, 'wrapped_by'])) ?? [],
    ),
    ...subcommandWords(spec, path),
    ...repeatedSubcommand(spec, path),
    ...bundles(spec, path),
    ...flagWildcards(spec, path),
    ...flagsAsOperands(spec, path),
    ...contradictsEvery(spec, path),
    ...branchNames(spec, path),
    ...['reads', 'writes', 'deletes'].flatMap((key) => deadPaths(own(spec, key) ?? null, [...path, key])),
    ...deadUrls(own(spec, 'network') ?? null, [...path, 'network']),
    ...firstClash(spec, path, (keys) => isMeetable(keys) && !exceptsAll(keys), CLASHES),
  ];
}

/** `git push --force` as a program's name. One with a blank is rare, and begins with no other program and has no flags. */
function wholeCommands(names: Json | undefined, path: YamlPath): readonly Finding[] {
  if (names === undefined) return [];
  return asList(names).flatMap((name, index): readonly Finding[] => {
    const odd = oddName(String(name), itemPath(names, index, path));
    if (odd !== undefined) return [odd];
    const [program = '', ...words] = String(name).trim().split(/\s+/);
    const flags = words.filter((word) => /^-./.test(word));
    if (words.length === 0 || !(flags.length > 0 || hasRow(program))) return [];
    const message = `Cannot match command "${name}": no program has this name`;
    const hint = `write command: ${flowYaml(testOfLine(String(name)) ?? { run: program })}`;
    return [{ path: itemPath(names, index, path), message, hint }];
  });
}

/** `git, hub`, or a name in capitals. */
function oddName(name: string, path: YamlPath): Finding | undefined {
  const unheard = unheardText(PROGRAM_TEXT, name);
  return unheard === undefined ? foldedName(name, path) : { path, ...unheard };
}

/** `Remove-Item`, `Git`: names that are read in lower case wherever case means nothing. */
function foldedName(name: string, path: YamlPath): Finding | undefined {
  const lower = name.toLowerCase();
  if (lower === name || hasRow(name) || !hasRow(lower)) return undefined;
  const message = `Cannot match command "${name}": it is read as "${lower}"`;
  return { path, message, hint: `write ${lower}` };
}

/** Leads to one of several, or to the only one where no list is written. */
function itemPath(list: Json | undefined, index: number, path: YamlPath): YamlPath {
  return Array.isArray(list) ? [...path, index] : path;
}

function exceptsAll({ except, ...rest }: JsonObject): boolean {
  return except !== undefined && testsIn(except).some((each) => COMMANDS.implies(rest, each, false));
}

/** `{run: npm, subcommand: [git, push]}`, `{any: -f, none: --force}`, `{max: 0, first: a}` */
const CLASHES = {
  subcommand: {
    message: 'Cannot match this subcommand: "run" wants another program',
    hint: 'leave "run" out: "subcommand" begins with the program',
  },
  flags: {
    message: 'Cannot match these flags: one of them must be given and must not be given',
    hint: 'leave it out of one of the lists; -f and --force may be one flag',
  },
  args: {
    message: 'Cannot match these operands: no number of them passes all tests',
    hint: '"first", "any" and "every" need one operand and "rest" two; "min" is at most "max"',
  },
} as const;

/** `[git, push, --force]`, `[git, push origin]`, `[npm, run, 'build:*']` */
function subcommandWords(spec: JsonObject, path: YamlPath): readonly Finding[] {
  const subcommand = own(spec, 'subcommand');
  const words = Array.isArray(subcommand) ? subcommand : [];
  return words.flatMap((alternatives: Json, index) =>
    asList(alternatives).flatMap((word, at): readonly Finding[] => {
      const text = String(word);
      const place = itemPath(alternatives, at, [...path, 'subcommand', index]);
      if (index === 0) return [oddName(text, place) ?? []].flat();
      const said = wordProblem(text);
      if (said === undefined) return [];
      return [{ path: place, message: `Cannot match subcommand "${text}": ${said.state}`, hint: said.hint }];
    }),
  );
}

function wordProblem(word: string): { readonly state: string; readonly hint: string } | undefined {
  if (word.startsWith('-')) return { state: 'it is a flag', hint: `write flags: {any: ${word}}` };
  if (/\s/.test(word))
    return { state: 'it is several words', hint: `write ${word.trim().split(/\s+/).join(', ')}` };
  if (/^[\w-]+(?:\|[\w-]+)+$/.test(word))
    return {
      state: 'a word is literal here, with its | too',
      hint: `write [${word.split('|').join(', ')}]`,
    };
  if (!word.includes('*')) return undefined;
  const state = 'a word is literal here, with its * too';
  return { state, hint: `write args: {first: {glob: '${word}'}}` };
}

/** `{subcommand: [git, push], args: {first: push}}` */
function repeatedSubcommand(spec: JsonObject, path: YamlPath): readonly Finding[] {
  const words = own(spec, 'subcommand');
  const args = own(spec, 'args');
  const test = isJsonObject(args) ? own(args, 'first') : undefined;
  const first = isJsonObject(test) ? ownString(test, 'equals') : test;
  const last = Array.isArray(words) ? words.at(-1) : undefined;
  if (first === undefined || first !== last) return [];
  const message = `Cannot match "${first}" as first operand: "subcommand" has taken it already`;
  const hint = 'test what follows the subcommand, or leave the test out';
  return [{ path: [...path, 'args', 'first', ...(isJsonObject(test) ? ['equals'] : [])], message, hint }];
}

/** `{any: -rf}` */
function bundles(spec: JsonObject, path: YamlPath): readonly Finding[] {
  const flags = ownObject(spec, 'flags') ?? {};
  return ['any', 'all', 'none', 'unless'].flatMap((key) =>
    asList(own(flags, key) ?? []).flatMap((each, index): readonly Finding[] => {
      const flag = String(each);
      if (!isBundle(flag, spec)) return [];
      const letters = [...flag.slice(1)].map((letter) => `-${letter}`).join(', ');
      // As many letters are more likely a word.
      const long = flag.length > 4 ? `-${flag}, or ` : '';
      const message = `Cannot match flags ${letters} by "${flag}": only this one spelling of them fits`;
      const hint =
        key === 'none' || key === 'unless' ? `list ${long}${letters}` : `write ${long}all: [${letters}]`;
      return [{ path: itemPath(own(flags, key), index, [...path, 'flags', key]), message, hint }];
    }),
  );
}

/** `{any: '--no-*'}` */
function flagWildcards(spec: JsonObject, path: YamlPath): readonly Finding[] {
  return Object.entries(ownObject(spec, 'flags') ?? {}).flatMap(([key, value]) => {
    const isValues = key === 'values';
    const names = isValues && isJsonObject(value) ? Object.keys(value) : asList(value);
    return names.flatMap((each, index): readonly Finding[] => {
      const name = String(each);
      if (!name.includes('*') || (name === ANY_FLAG && !isValues)) return [];
      const here = [...path, 'flags', key];
      const message = `Cannot match flag "${name}": a flag is literal here, with its * too`;
      const hint = `list the flags${isValues ? '' : `; "${ANY_FLAG}" is any flag`}`;
      return [{ path: isValues ? [...here, name] : itemPath(value, index, here), message, hint }];
    });
  });
}

/** `{first: ^-f}` */
function flagsAsOperands(spec: JsonObject, path: YamlPath): readonly Finding[] {
  const args = ownObject(spec, 'args') ?? {};
  return ['first', 'rest', 'every', 'any'].flatMap((key): readonly Finding[] => {
    const test = own(args, key);
    const { regex, equals } = operandTest(test ?? null);
    const isFlag = /^(?:\^--?\w[^|]*|--[\w-]+)$/.test(String(regex)) || /^--?\w/.test(String(equals));
    if (!isFlag || (equals !== undefined && isOperand(String(equals), spec))) return [];
    const message = 'Cannot match an operand that begins with a dash: it is a flag';
    return [{ path: [...path, 'args', key], message, hint: 'test it with "flags"' }];
  });
}

/** `{pushes_to: refs/heads/main}`, `{pushes_to: 'release/.*'}` */
function branchNames(spec: JsonObject, path: YamlPath): readonly Finding[] {
  const names = own(spec, 'pushes_to');
  return asList(names ?? []).flatMap((name, index): readonly Finding[] => {
    const text = String(name);
    const named = text.replace(/^refs\/heads\//, '');
    // No part of a branch's name begins with a dot. Elsewhere `.*` may be a dot and any characters, as in `v2.*`.
    const isRegex = /[\^$\\(|]|(?:^|\/)\.\*/.test(named);
    const short = isRegex ? named.replaceAll('.*', '*').replace(/^\^|\$$/g, '') : named;
    if (short === text && !/[|\\^?[]/.test(text)) return [];
    const write = short.includes('|') ? `[${short.split('|').join(', ')}]` : short;
    const hint = /[\\^?[()]/.test(short) ? 'write names with * for any characters' : `write ${write}`;
    const message = `Cannot match branch "${text}": it is the short name of a branch, in which * matches any characters`;
    return [{ path: itemPath(names, index, [...path, 'pushes_to']), message, hint }];
  });
}

/** `{first: {equals: a}, every: {equals: b}}` */
function contradictsEvery(spec: JsonObject, path: YamlPath): readonly Finding[] {
  const { every, ...others } = ownObject(spec, 'args') ?? {};
  if (every === undefined) return [];
  return ['first', 'rest', 'any'].flatMap((key): readonly Finding[] => {
    const test = own(others, key);
    if (test === undefined || !areImpossible([every, test].map(operandTest))) return [];
    const message = `Cannot match an operand by "${key}": none passes "every" as well`;
    return [{ path: [...path, 'args', key], message, hint: 'leave out one of them' }];
  });
}

/** True if the programs of a test take a word with a dash for an operand, as find takes `-delete`. */
function isOperand(word: string, spec: JsonObject): boolean {
  return (
    commandsWith(word, spec)?.every(({ operands }) => operands.some((each) => knownText(each) === word)) ===
    true
  );
}

function operandTest(test: Json): JsonObject {
  return isJsonObject(test) ? test : { regex: test };
}

/** True if each program of the test takes the flag for several, by trying it. A program without a row may take it for one. */
function isBundle(flag: string, spec: JsonObject): boolean {
  if (!/^-[A-Za-z]{2,}$/.test(flag)) return false;
  const found = commandsWith(flag, spec);
  return (
    found?.every(
      ({ rows, flags }) => rows.length > 0 && flags.filter(({ written }) => written === flag).length > 1,
    ) === true
  );
}

/** The commands that the programs of a test become with one more word; undefined if one of them is unknown. */
function commandsWith(more: string, spec: JsonObject): readonly ReadCommand[] | undefined {
  const [program, ...words] = asList(own(spec, 'subcommand') ?? [own(spec, 'run') ?? []]);
  const programs = asList(program ?? []).map(String);
  const rest = words.map((word) => String(asList(word)[0]));
  const found = programs.flatMap((name) => {
    if (!PLAIN_WORD.test(name) || !rest.every((word) => PLAIN_WORD.test(word))) return [];
    const { commands } = readCommand([name, ...rest, more, 'x'].join(' '), NOWHERE);
    return commands.filter((command) => command.name === name).slice(0, 1);
  });
  return programs.length > 0 && found.length === programs.length ? found : undefined;
}

const NOWHERE = { cwd: undefined, home: undefined };
/** Words that mean themselves in a shell command. */
const PLAIN_WORD = /^[\w.+-]+$/;

function hasRow(program: string): boolean {
  if (!PLAIN_WORD.test(program)) return false;
  return readCommand(`${program} x`, NOWHERE).commands.some(
    ({ name, rows }) => name === program && rows.length > 0,
  );
}
