import { textWord, type Word } from '../../reading/word.ts';
import type { Code } from './code.ts';
import type { Language } from './language.ts';
import { elementOf, listValue, textValue, type Value } from './values.ts';

interface GivenList {
  /** The variable that holds the list. */
  readonly name: string;
  /** What stands in front of its dot. */
  readonly of?: readonly string[];
  /** Calls without arguments that take one of them. */
  readonly takers?: readonly string[];
  /** How many other words come first: the program, the script. */
  readonly before: number;
}

/** Where the code of a language finds the words that it is started with. */
const LISTS: Readonly<Partial<Record<Language, GivenList>>> = {
  python: { name: 'argv', of: ['sys'], before: 1 },
  javascript: { name: 'argv', of: ['process', 'Bun'], before: 1 },
  ruby: { name: 'ARGV', before: 0 },
  perl: { name: '@ARGV', takers: ['shift', 'pop'], before: 0 },
  php: { name: '$argv', before: 1 },
  lua: { name: 'arg', before: 1 },
};

/** Sets the variables that hold the words that a program is started with. */
export function noteGiven({ language, variables }: Code, given: readonly Word[] | undefined): void {
  const list = LISTS[language];
  if (given === undefined || list === undefined) return;
  const before: readonly Value[] = new Array<Value>(list.before).fill(textValue(textWord('')));
  const value = listValue([...before, ...given.map(textValue)]);
  variables.set(list.name, value);
  for (const owner of list.of ?? []) variables.set(`${owner}.${list.name}`, value);
  for (const name of list.takers ?? []) variables.set(name, elementOf(value));
}
