import { own } from '../../../lib/json.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText, textWord, type Word } from '../../../reader/reading/word.ts';

/** Scripts of a package that its manager runs by their name alone, with the short names for them. */
const SHORT: Readonly<Record<string, string>> = {
  t: 'test',
  tst: 'test',
  test: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
};
const MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn']);
const RUN = /^(?:run|run-script|rum|urn)$/;

const CONTAINERS =
  'attach commit cp create diff exec export inspect kill logs pause port rename restart rm run start stats stop top unpause update wait';
const IMAGES = 'build history import load pull push save tag';
const DOCKER: readonly string[] = [
  ...CONTAINERS.split(' ').map((word) => `${word}|container ${word}`),
  ...IMAGES.split(' ').map((word) => `${word}|image ${word}`),
  'rm|container rm|container remove',
  'rmi|image rm|image remove',
  'images|image ls|image list',
  'ps|container ls|container list|container ps',
  'volume rm|volume remove',
  'network rm|network remove',
];

/** Names that a program has for one subcommand, which its help lists as aliases, with | between them. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  npm: [
    'install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add',
    'uninstall|un|unlink|remove|rm|r',
    'update|up|upgrade|udpate',
    'ci|ic|clean-install|install-clean|isntall-clean',
    'exec|x',
    'run|run-script|rum|urn',
    'init|create|innit',
    'view|info|show|v',
    'config|c',
    'owner|author',
    'dist-tag|dist-tags',
    'link|ln',
  ],
  pnpm: ['install|i|add', 'remove|rm|uninstall|un|uni', 'update|up|upgrade', 'run|run-script', 'link|ln'],
  bun: ['install|i|add|a', 'remove|rm|r|uninstall'],
  cargo: ['build|b', 'check|c', 'doc|d', 'run|r', 'test|t', 'remove|rm'],
  composer: ['install|i', 'update|u|upgrade', 'remove|rm|uninstall', 'require|r'],
  brew: ['uninstall|remove|rm', 'list|ls'],
  helm: ['uninstall|delete|del|un', 'list|ls'],
  pulumi: ['up|update', 'destroy|down|dn'],
  conda: ['remove|uninstall', 'update|upgrade'],
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
};

/** The operands of a command, and others that mean the same: `npm t`, `npm test`, `npm run test`, or `npm i` and `npm install`. */
export function sameOperands({
  name = '',
  operands,
}: Pick<ReadCommand, 'name' | 'operands'>): readonly (readonly Word[])[] {
  const groups = own(ALIASES, name);
  if (groups === undefined && !MANAGERS.has(name)) return [operands];
  const [first = '', second = ''] = operands.slice(0, 2).map((word) => knownText(word) ?? '');
  const aliased = (groups ?? []).flatMap((group): readonly (readonly Word[])[] => {
    const names = group.split('|');
    const said = [`${first} ${second}`, first].find((text) => names.includes(text));
    if (said === undefined) return [];
    const rest = operands.slice(said.split(' ').length);
    return names.map((other) => [...other.split(' ').map(textWord), ...rest]);
  });
  return [operands, ...aliased, ...asScript(name, operands, first, second)];
}

function asScript(
  name: string,
  operands: readonly Word[],
  first: string,
  second: string,
): readonly (readonly Word[])[] {
  if (!MANAGERS.has(name)) return [];
  const isRun = RUN.test(first);
  const script = isRun ? second : first;
  // `yarn tst` is a script of that name.
  const long =
    name === 'yarn' || isRun ? (script === SHORT[script] ? script : undefined) : own(SHORT, script);
  if (long === undefined || !Object.hasOwn(SHORT, script)) return [];
  const rest = operands.slice(isRun ? 2 : 1);
  return [
    [textWord(long), ...rest],
    [textWord('run'), textWord(long), ...rest],
  ];
}

/** All first operands that those of plain commands may mean. */
export function sameWords(names: readonly string[], words: readonly string[]): readonly string[] {
  const groups = names.flatMap((name) => own(ALIASES, name) ?? []);
  const firsts = groups.flatMap((group) => {
    const starts = group.split('|').map((name) => name.split(' ')[0] ?? '');
    return starts.some((start) => words.includes(start)) ? starts : [];
  });
  const isManager = names.some((name) => MANAGERS.has(name));
  const scripts = isManager
    ? words.flatMap((word) => (Object.hasOwn(SHORT, word) ? [SHORT[word] ?? word] : []))
    : [];
  return scripts.length + firsts.length === 0 ? words : [...words, ...firsts, ...scripts, 'run'];
}
