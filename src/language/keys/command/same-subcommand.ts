import { child } from '../../../lib/child.ts';
import { own } from '../../../lib/json.ts';
import { and, anyTruth, or, type Truth } from '../../../model/truth.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { textWord, type Word, wordEquals } from '../../../reader/reading/word.ts';

const CONTAINERS =
  'attach commit cp create exec export kill logs pause port rename restart run start stats stop top unpause update wait';
const IMAGES = 'build history import load pull push save tag';
const containerNames = (): readonly string[] => [
  ...CONTAINERS.split(' ').map((word) => `${word}|container ${word}`),
  ...IMAGES.split(' ').map((word) => `${word}|image ${word}`),
  'rm|container rm|container remove',
  'rmi|image rm|image remove',
  'images|image ls|image list',
  'ps|container ls|container list|container ps',
  'volume rm|volume remove',
  'network rm|network remove',
];

const NPM_INSTALL = 'install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall';
const NPM_CI = 'ci|ic|clean-install|install-clean|isntall-clean';
const NPM_RUNS = ['run', 'run-script', 'rum', 'urn'];
const NPM_CI_TEST = 'install-ci-test|cit|clean-install-test|sit';
const npmScripts = () => scripts('test|t|tst', NPM_RUNS);
const pnpmScripts = () => scripts('test|t|tst', ['run', 'run-script']);

/**
 * Names that a program has for one subcommand, with | between them: aliases in its help, and the ways to run a script
 * of a package. A name before > means the one behind it, and not the other way round: >+ only with an operand,
 * >? as a part of it, or unless the user gave the name another meaning. Made when a command of the program comes.
 */
const ALIASES: Readonly<Record<string, () => readonly string[]>> = {
  npm: () => [
    NPM_INSTALL,
    `add > ${NPM_INSTALL}`,
    `${NPM_INSTALL} >+ add`,
    'install-test|it',
    `install-test|it >? ${NPM_INSTALL}|${npmScripts()[0]}`,
    'install-test|it >+? add',
    NPM_CI_TEST,
    `${NPM_CI_TEST} >? ${NPM_CI}|${npmScripts()[0]}`,
    'uninstall|un|unlink|remove|rm|r',
    'update|up|upgrade|udpate',
    NPM_CI,
    'exec|x',
    NPM_RUNS.join('|'),
    'init|create|innit',
    'view|info|show|v',
    'config|c',
    'owner|author',
    'dist-tag|dist-tags',
    'link|ln',
    ...npmScripts(),
  ],
  pnpm: () => [
    'install|i',
    'add > install|i',
    'install|i >+ add',
    'install-test|it',
    `install-test|it >? install|i|${pnpmScripts()[0]}`,
    'install-test|it >+? add',
    'remove|rm|uninstall|un|uni',
    'update|up|upgrade',
    'run|run-script',
    'link|ln',
    ...pnpmScripts(),
  ],
  // `yarn t` runs a script of that name.
  yarn: () => scripts('test', ['run']),
  bun: () => ['install|i', 'add|a', 'add|a > install|i', 'install|i >+ add|a', 'remove|rm|r|uninstall'],
  cargo: () => ['b >? build', 'c >? check', 'd >? doc', 'r >? run', 't >? test', 'rm >? remove'],
  composer: () => ['install|i', 'update|u|upgrade', 'remove|rm|uninstall', 'require|r'],
  brew: () => ['uninstall|remove|rm', 'list|ls'],
  helm: () => ['uninstall|delete|del|un', 'list|ls'],
  pulumi: () => ['up|update', 'destroy|down|dn'],
  conda: () => ['remove|uninstall', 'update|upgrade'],
  docker: () => [...containerNames(), 'diff|container diff'],
  podman: containerNames,
  nerdctl: () => [...containerNames(), 'diff|container diff'],
};

/** Scripts that a package manager runs by their name alone too. */
function scripts(test: string, runs: readonly string[]): readonly string[] {
  return [test, 'start', 'stop', 'restart'].map((names) => {
    const [name] = names.split('|');
    return [names, ...runs.map((run) => `${run} ${name}`)].join('|');
  });
}

interface Group {
  /** Each with its words. */
  readonly said: readonly (readonly string[])[];
  readonly meant: readonly (readonly string[])[];
  readonly needsOperand: boolean;
  readonly truth: Truth;
}

const groupsByProgram = new Map<string, readonly Group[]>();

function groupsOf(program: string): readonly Group[] {
  return child(groupsByProgram, program, () => (own(ALIASES, program)?.() ?? []).map(groupIn));
}

function groupIn(row: string): Group {
  const [said = '', sign = '', meant = said] = row.split(/ (>\S*) /);
  const namesIn = (names: string) => names.split('|').map((name) => name.split(' '));
  return {
    said: namesIn(said),
    meant: namesIn(meant),
    needsOperand: sign.includes('+'),
    truth: sign.includes('?') ? 'unknown' : true,
  };
}

/** Operands that a command may have for others that mean the same. */
export interface Meaning {
  readonly operands: readonly Word[];
  /** Unknown if the command may mean something else. */
  readonly truth: Truth;
}

const meanings = new WeakMap<object, readonly Meaning[]>();

type Named = Pick<ReadCommand, 'name' | 'operands' | 'openEnded'>;

/** The operands of a command, and others that mean the same: `npm t`, `npm test`, `npm run test`, or `npm i` and `npm install`. */
export function sameOperands(command: Named): readonly Meaning[] {
  return child(meanings, command, () => meaningsOf(command));
}

function meaningsOf(command: Named): readonly Meaning[] {
  const { operands, openEnded } = command;
  const others = groupsOf(command.name ?? '').flatMap(({ said, meant, needsOperand, truth }) =>
    said.flatMap((name): readonly Meaning[] => {
      const isSaid = and(truth, startsWith(operands, name, openEnded));
      if (isSaid === false) return [];
      const rest = operands.slice(name.length);
      const holds = needsOperand ? and(isSaid, hasOperand(rest, openEnded)) : isSaid;
      if (holds === false) return [];
      return meant.map((words) => ({ operands: [...words.map(textWord), ...rest], truth: holds }));
    }),
  );
  return [{ operands, truth: true }, ...others];
}

function startsWith(operands: readonly Word[], words: readonly string[], openEnded: boolean): Truth {
  return words.reduce<Truth>((truth, word, index) => {
    const operand = operands[index];
    return and(truth, operand === undefined ? openEnded && 'unknown' : wordEquals(operand, word));
  }, true);
}

/** An unquoted expansion may be no word at all. */
function hasOperand(operands: readonly Word[], openEnded: boolean): Truth {
  const found = anyTruth(operands, (word) =>
    word.length > 0 && word.every((part) => part.type === 'unknown' && part.splits) ? 'unknown' : true,
  );
  return or(found, openEnded && 'unknown');
}

/** All first operands that those of plain commands may mean. */
export function sameWords(names: readonly string[], words: readonly string[]): readonly string[] {
  const groups = names.flatMap(groupsOf);
  const isSaid = (name: readonly string[]) => name.every((word) => words.includes(word));
  const others = groups.filter(({ said }) => said.some(isSaid)).flatMap(({ meant }) => meant);
  return others.length === 0 ? words : [...words, ...others.map(([first = '']) => first)];
}
