import type { Word as SyntaxWord } from 'unbash';
import { isRooted } from '../../../lib/path/drive-path.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  originsOf,
  outsideVariable,
  splittingWord,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { choose } from '../scope/choices.ts';
import { statusWord } from '../scope/flow.ts';
import { cwdOf, positionalOf, UNSET, type Variable, variableOf } from '../scope/scope.ts';
import type { Expansion } from './expansion.ts';

/** The value of a parameter. `outside`: nobody knows if it is set, and to which value. */
export type Lookup =
  | {
      readonly type: 'set';
      readonly word: Word;
      /** The operand that the word is the value of. */
      readonly operand?: SyntaxWord;
    }
  | { readonly type: 'unset' }
  | { readonly type: 'outside'; readonly word: Word }
  | { readonly type: 'list'; readonly words: readonly Word[]; readonly complete: boolean };

/** Parameters that are numbers or flags of the shell itself. */
const SHELL_NUMBERS = '#?$!-';

/** Variables that a shell or a login always sets. */
const ALWAYS_SET = new Set(
  (
    'HOME PATH PWD USER LOGNAME SHELL UID EUID PPID HOSTNAME RANDOM SECONDS LINENO OSTYPE HOSTTYPE MACHTYPE ' +
    'BASH BASHPID BASH_VERSION SHLVL TERM 0'
  ).split(' '),
);

/** Looks up a variable or a special parameter by name. */
export function lookUp(name: string, expansion: Expansion, source: string): Lookup {
  const { scope, interpreter } = expansion;
  if (name === '@' || name === '*') return positional(expansion, source);
  if (name.length === 1 && SHELL_NUMBERS.includes(name))
    return { type: 'set', word: shellNumber(name, expansion) };
  if (/^[0-9]+$/.test(name)) return positionalAt(Number(name), expansion, source);
  const variable = variableOf(scope, name);
  if (variable !== undefined) {
    const { values, elements } = variable;
    const word =
      elements?.[0] ?? valueAt(variable, name, expansion) ?? unknownWord(source, values.flatMap(originsOf));
    const only = word[0];
    const isOutside = word.length === 1 && only?.type === 'unknown' && only.variable === name;
    if (isOutside) return outside(name, expansion, source);
    return word === UNSET ? { type: 'unset' } : { type: 'set', word };
  }
  if (name === 'PWD') return { type: 'set', word: workingDirectory(expansion) };
  if (name === 'BASH') return { type: 'set', word: textWord('/bin/bash') };
  if (name === 'IFS') return { type: 'set', word: textWord(' \t\n') };
  const { context } = interpreter;
  if (name === 'HOME' && context.home !== undefined) return { type: 'set', word: textWord(context.home) };
  return outside(name, expansion, source);
}

/** The value that a variable takes here; undefined if it may be any. */
function valueAt(variable: Variable, name: string, { choices }: Expansion): Word | undefined {
  const values = variable.maybe === true ? [...variable.values, outsideVariable(name)] : variable.values;
  const index = choose(choices, variable, values.length);
  return index === undefined ? undefined : (values[index] ?? EMPTY_WORD);
}

/** The characters at which values without quotes are split. */
export function separatorsOf(expansion: Expansion): string {
  const variable = variableOf(expansion.scope, 'IFS');
  if (variable === undefined) return ' \t\n';
  return knownText(variable.values[0] ?? EMPTY_WORD) ?? ' \t\n';
}

/** The elements of an array, or undefined if they are not known. */
export function elementsOf(name: string, expansion: Expansion): readonly Word[] | undefined {
  if (name === '@' || name === '*') return positionalOf(expansion.scope);
  const variable = variableOf(expansion.scope, name);
  if (variable === undefined) return undefined;
  const { arrays } = variable;
  if (arrays !== undefined) {
    const index = choose(expansion.choices, arrays, arrays.length);
    if (index !== undefined) return arrays[index];
    return [splittingWord(unknownWord(`${name}[@]`, arrays.flat().flatMap(originsOf)))];
  }
  return variable.elements ?? [valueAt(variable, name, expansion) ?? unknownWord(`$${name}`)];
}

function workingDirectory(expansion: Expansion): Word {
  const cwd = cwdOf(expansion.scope);
  const known = knownText(cwd);
  if (known !== undefined && isRooted(known)) return cwd;
  if (known === '.') return outsideVariable('PWD');
  return cwd[0]?.type === 'unknown' ? cwd : joinWords(outsideVariable('PWD'), joinWords(textWord('/'), cwd));
}

function outside(name: string, expansion: Expansion, source: string): Lookup {
  const { env } = expansion.interpreter.context;
  const known = env !== undefined && Object.hasOwn(env, name) ? env[name] : undefined;
  if (known !== undefined) return { type: 'set', word: textWord(known) };
  // The shells of Windows have the home directory under this name as well.
  const word = outsideVariable(name === 'USERPROFILE' ? 'HOME' : name, source);
  return ALWAYS_SET.has(name) ? { type: 'set', word } : { type: 'outside', word };
}

function shellNumber(name: string, expansion: Expansion): Word {
  if (name === '?') return statusWord('$?', expansion.flow, expansion.flow);
  const words = name === '#' ? positionalOf(expansion.scope) : undefined;
  return words === undefined ? unknownWord(`$${name}`) : textWord(String(words.length));
}

function positional(expansion: Expansion, source: string): Lookup {
  const words = positionalOf(expansion.scope);
  if (words !== undefined) return { type: 'list', words, complete: true };
  return { type: 'list', words: [outsideVariable('@', source)], complete: false };
}

function positionalAt(index: number, expansion: Expansion, source: string): Lookup {
  if (index === 0) {
    const given = variableOf(expansion.scope, '0')?.values[0];
    return { type: 'set', word: given ?? outsideVariable('0', source) };
  }
  const words = positionalOf(expansion.scope);
  if (words === undefined) return { type: 'outside', word: outsideVariable(String(index), source) };
  const word = words[index - 1];
  return word === undefined ? { type: 'unset' } : { type: 'set', word };
}
