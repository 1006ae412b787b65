import { own } from '../../../lib/json.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText, textWord, type Word } from '../../../reader/reading/word.ts';

const CONTAINERS =
  'attach commit cp create diff exec export inspect kill logs pause port rename restart run start stats stop top unpause update wait';
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

/** Names that a program has for one subcommand, with | between them: aliases in its help, and the ways to run a script of a package. */
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
    ...scripts('test|t|tst', ['run', 'run-script', 'rum', 'urn']),
  ],
  pnpm: [
    'install|i|add',
    'remove|rm|uninstall|un|uni',
    'update|up|upgrade',
    'run|run-script',
    'link|ln',
    ...scripts('test|t|tst', ['run', 'run-script']),
  ],
  // `yarn t` runs a script of that name.
  yarn: scripts('test', ['run']),
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

/** Scripts that a package manager runs by their name alone too. */
function scripts(test: string, runs: readonly string[]): readonly string[] {
  return [test, 'start', 'stop', 'restart'].map((names) => {
    const [name] = names.split('|');
    return [names, ...runs.map((run) => `${run} ${name}`)].join('|');
  });
}

/** The operands of a command, and others that mean the same: `npm t`, `npm test`, `npm run test`, or `npm i` and `npm install`. */
export function sameOperands({
  name = '',
  operands,
}: Pick<ReadCommand, 'name' | 'operands'>): readonly (readonly Word[])[] {
  const groups = own(ALIASES, name);
  if (groups === undefined) return [operands];
  const [first = '', second = ''] = operands.slice(0, 2).map((word) => knownText(word) ?? '');
  const others = groups.flatMap((group): readonly (readonly Word[])[] => {
    const names = group.split('|');
    const said = [`${first} ${second}`, first].find((text) => names.includes(text));
    if (said === undefined) return [];
    const rest = operands.slice(said.split(' ').length);
    return names.map((other) => [...other.split(' ').map(textWord), ...rest]);
  });
  return [operands, ...others];
}

/** All first operands that those of plain commands may mean. */
export function sameWords(names: readonly string[], words: readonly string[]): readonly string[] {
  const groups = names.flatMap((name) => own(ALIASES, name) ?? []).map((group) => group.split('|'));
  const isSaid = (name: string) => name.split(' ').every((word) => words.includes(word));
  const others = groups.filter((group) => group.some(isSaid)).flat();
  return others.length === 0 ? words : [...words, ...others.map((name) => name.split(' ')[0] ?? '')];
}
