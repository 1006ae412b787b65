import { didYouMean, suggestionOr } from '../../lib/closest.ts';
import { UsageError } from './io.ts';

/** An option of a command: parsing, help and completion follow from it. */
export interface OptionSpec {
  /** Without the leading dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** A name for the value, as `DIR`; an option without one is a switch. */
  readonly value?: string;
  /** The values that it can have; undefined where nobody can list them. */
  readonly words?: readonly string[];
  /** True if `words` are only for completion: it can have other values. */
  readonly isOpen?: true;
  /** True if the value may be left out: then it is a switch as well, and a value follows only after `=`. */
  readonly optional?: boolean;
  /** True if two values follow: `--compare OLD NEW`. */
  readonly pair?: boolean;
  /** True if it may be given several times. */
  readonly repeatable?: boolean;
  readonly summary: string;
}

/** The options and operands of a command line. */
export interface Arguments {
  readonly switches: ReadonlySet<string>;
  /** Values by option, in the order given. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

/** The readable part of a command line, and the first thing wrong with it. */
export interface ParsedArguments extends Arguments {
  readonly problem: UsageError | undefined;
}

/** Parses a command line: `--name value`, `--name=value`, `-n value`, `--`, `-`. Node's own parser takes a millisecond to load. */
export function parseArguments(args: readonly string[], specs: readonly OptionSpec[]): ParsedArguments {
  const switches = new Set<string>();
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  let problem: UsageError | undefined;

  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      operands.push(arg);
      continue;
    }
    const { flag, inline } = splitOption(arg);
    const spec = specs.find(({ name, short }) => flag === `--${name}` || flag === `-${short}`);
    if (spec === undefined) {
      problem ??= unknownOption(flag, specs);
    } else if (spec.value === undefined) {
      switches.add(spec.name);
      if (inline !== undefined)
        problem ??= new UsageError(`Cannot use value "${inline}" for ${flag}: it takes none`);
    } else if (spec.optional === true && inline === undefined) {
      switches.add(spec.name);
    } else {
      const next = args[i + 1];
      const following = next === undefined || (next.startsWith('-') && next !== '-') ? undefined : next;
      if (inline === undefined && following !== undefined) i++;
      const value = inline ?? following;
      const given = values.get(spec.name) ?? [];
      if (value === undefined || value === '')
        problem ??= new UsageError(
          `Cannot use ${flag}: give it ${/^[AEIOU]/.test(spec.value) ? 'an' : 'a'} ${spec.value}`,
        );
      else if (given.length > 0 && spec.repeatable !== true)
        problem ??= new UsageError(`Cannot use ${flag} twice`);
      else if (spec.isOpen !== true && spec.words?.includes(value) === false)
        problem ??= new UsageError(`Cannot use ${flag} "${value}": ${wordsHint(flag, spec.words)}`);
      else if (spec.pair === true) {
        const second = args[++i];
        if (inline !== undefined || second === undefined || second.startsWith('-'))
          problem ??= new UsageError(`Cannot use ${flag}: give it ${spec.value}`);
        else values.set(spec.name, [value, second]);
      } else values.set(spec.name, [...given, value]);
    }
  }
  return { switches, values, operands, problem };
}

/** The value of an option that may be given once. */
export function optionValue(args: Arguments, name: string): string | undefined {
  return args.values.get(name)?.[0];
}

/** The values of an option that may be given several times. */
export function optionValues(args: Arguments, name: string): readonly string[] {
  return args.values.get(name) ?? [];
}

function wordsHint(flag: string, words: readonly string[]): string {
  return words.length === 1 ? `it can only be ${flag} ${words[0]}` : `give one of ${words.join(', ')}`;
}

function splitOption(arg: string): { flag: string; inline: string | undefined } {
  const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
  return equals === -1
    ? { flag: arg, inline: undefined }
    : { flag: arg.slice(0, equals), inline: arg.slice(equals + 1) };
}

function unknownOption(flag: string, specs: readonly OptionSpec[]): UsageError {
  const known = specs.map(({ name }) => `--${name}`);
  const [meant, ...others] = known.filter((each) => each.startsWith(flag));
  const hint =
    others.length === 0 && meant !== undefined
      ? suggestionOr(meant, '')
      : didYouMean(flag, known, 'there is no such option');
  return new UsageError(`Cannot use option "${flag}": ${hint}`);
}
