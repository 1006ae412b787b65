import {
  CLEAN_ENVIRONMENT,
  isKeyName,
  ONE_CALL,
  passedOn,
  QUOTE_IN_QUOTES,
} from '../../../hosts/clean-start.ts';
import { movingVariables, OWN } from '../../../hosts/guards.ts';
import type { Host } from '../../../hosts/host.ts';
import { HOSTS } from '../../../hosts/registry.ts';

/** A line that starts this program as a hook, taken apart. */
export interface OwnLine {
  readonly program: string;
  /** The words behind `hook`. */
  readonly words: readonly string[];
  /** The variables that the line itself sets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Keys and passwords that the hook gets from the host's environment, by name. */
  readonly passed: readonly string[];
  /** True if nothing else of the host's environment reaches the hook. */
  readonly isClean: boolean;
  /** True if it is to the letter a line that `policy install` writes: it refuses if the program fails. */
  readonly isWritten: boolean;
}

/** A line may set these, keys and passwords, and what says where files are: `keptVariables` says which of them stay. */
const VARIABLES = new Set([
  'HOME',
  'JCLI_HOOK_EVENT',
  'POLICY_PATH',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'],
  ...Object.keys(ONE_CALL),
  ...[OWN.policies, OWN.state, ...HOSTS.map(({ guards }) => guards)].flatMap(movingVariables),
]);
const SHELLS = /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash)$/;

/** Parses a host's line in the form of `policy install`, or in plain words with the program first; undefined for others. */
export function readOwnLine(
  argv: readonly string[],
  host: Pick<Host, 'name' | 'hookConfiguration'>,
): OwnLine | undefined {
  const [shell = '', flag = '', line = ''] = argv;
  if (!SHELLS.test(shell) || !/^-l?c$/.test(flag)) return fromWords(argv);
  return argv.length === 3 ? (fromWritten(line, host) ?? fromWords(wordsOf(line))) : undefined;
}

/** As `scriptWord` writes one. */
const WORD_OF_OURS = `(?:"[^"]*"|[^\\s"'$();|&<>]+)`;

/** The words after the host's name, which a person may have added and which must be kept. */
export function addedWords(argv: readonly string[], host: string): readonly string[] {
  const at = argv.findIndex((word, index) => word === '--host' && argv[index + 1] === host);
  if (at >= 0) return argv.slice(at + 2);
  const line = (argv.at(-1) ?? '').replaceAll(QUOTE_IN_QUOTES, "'");
  const [, words = ''] = new RegExp(` hook --host ${host}((?: ${WORD_OF_OURS})*)`).exec(line) ?? [];
  return [...words.matchAll(new RegExp(WORD_OF_OURS, 'g'))].map(([each]) => unquoted(each));
}

/** The line is taken apart, put together again, and compared. */
function fromWritten(line: string, host: Pick<Host, 'name' | 'hookConfiguration'>): OwnLine | undefined {
  if (PLAIN_ON_DRIVE.test(line)) return fromPlain(line, host);
  const [, set = '', quoted = ''] =
    /^\/usr\/bin\/env -i((?: \w+=(?:"[^"]*"|[^\s"']*))*) sh -c '(.*)'$/s.exec(line) ?? [];
  const script = quoted.replaceAll(QUOTE_IN_QUOTES, "'");
  const word = WORD_OF_OURS;
  const [, program, options = ''] =
    new RegExp(`(${word}) hook --host ${host.name}((?: ${word})*)`).exec(script) ?? [];
  if (program === undefined) return undefined;
  const pairs = [...set.matchAll(/ (\w+)=(?:"([^"]*)"|(\S*))/g)].map(
    ([, name = '', quoted, plain]) => [name, quoted ?? plain ?? ''] as const,
  );
  // What an adapter passes on or sets on its own stands in no list of variables.
  const given = pairs.filter(([name, value]) =>
    value === passedOn(name) ? isKeyName(name) : value !== ONE_CALL[name],
  );
  const passed = given.flatMap(([name, value]) => (value === passedOn(name) ? [name] : []));
  const variables = Object.fromEntries(given.filter(([name]) => !passed.includes(name)));
  const words = [...options.matchAll(new RegExp(word, 'g'))].map(([each]) => unquoted(each));
  const { HOME: home = '', ...others } = Object.fromEntries(given);
  const start = { program: unquoted(program), home: '', variables: Object.fromEntries(given) };
  const at = words.indexOf('--host-version');
  const candidates = [start, { ...start, home, variables: others }].flatMap((each) =>
    [
      { ...each, version: undefined, options: words },
      { ...each, version: words[at + 1], options: words.toSpliced(at, 2) },
    ].slice(0, at < 0 ? 1 : 2),
  );
  const isOurs = [line, asWrittenNow(line)].some((form) =>
    candidates.some((each) => writes(each, host, form)),
  );
  if (!isOurs || !areKnown(variables)) return undefined;
  return {
    program: start.program,
    words: ['--host', host.name, ...words],
    variables,
    passed,
    isClean: true,
    isWritten: true,
  };
}

const SETTINGS = Object.entries(ONE_CALL).map(([name, value]) => ` ${name}=${value}`);

/** A line with the settings of this release: one of an earlier release guards as well. */
function asWrittenNow(line: string): string {
  const at = line.indexOf(" sh -c '");
  const start = SETTINGS.reduce((text, setting) => text.replace(setting, ''), line.slice(0, at));
  return start + SETTINGS.join('') + line.slice(at);
}

/** As `plainLine` writes one. */
const PLAIN_ON_DRIVE = /^[A-Z]:\/\S+ hook --host /;

function fromPlain(line: string, host: Pick<Host, 'name' | 'hookConfiguration'>): OwnLine | undefined {
  const [program = '', , , , ...options] = line.split(' ');
  if (!writes({ program, home: '', version: undefined, options }, host, line)) return undefined;
  return {
    program,
    words: ['--host', host.name, ...options],
    variables: {},
    passed: [],
    isClean: false,
    isWritten: true,
  };
}

function writes(
  start: Parameters<Host['hookConfiguration']>[0],
  host: Pick<Host, 'hookConfiguration'>,
  line: string,
): boolean {
  try {
    return host.hookConfiguration(start)['command'] === line;
  } catch {
    return false;
  }
}

function unquoted(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1) : word;
}

/** `[env [-i]] [NAME=value …] program hook …` */
function fromWords(words: readonly string[] | undefined): OwnLine | undefined {
  if (words === undefined) return undefined;
  const [env, flag] = CLEAN_ENVIRONMENT;
  const isEnv = words[0] === env || words[0] === 'env';
  const isClean = isEnv && words[1] === flag;
  const rest = words.slice(isClean ? 2 : isEnv ? 1 : 0);
  const end = rest.findIndex((word) => !/^\w+=/.test(word));
  const [program = '', hook, ...more] = rest.slice(Math.max(end, 0));
  const variables = Object.fromEntries(
    rest
      .slice(0, Math.max(end, 0))
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const)
      .filter(([name, value]) => value !== `$${name}`),
  );
  if (hook !== 'hook' || program === '' || program.startsWith('-') || !areKnown(variables)) return undefined;
  return { program, words: more, variables, passed: [], isClean, isWritten: false };
}

function areKnown(variables: Readonly<Record<string, string>>): boolean {
  return Object.keys(variables).every((name) => VARIABLES.has(name) || isKeyName(name));
}

const BARE = '[\\w@%+=:,./-]';
/** In single quotes all is itself; in double quotes, all that no shell replaces. */
const WORD = new RegExp(`(?:HOME="\\$HOME"|(?:${BARE}|'[^']*'|"[^"$\`\\\\!]*")+)(?:[ \\t]+|$)`, 'y');

/** The words of a line in which every one is itself to a shell; undefined for any other. */
function wordsOf(line: string): readonly string[] | undefined {
  const words: string[] = [];
  const text = line.trim();
  WORD.lastIndex = 0;
  while (WORD.lastIndex < text.length) {
    const found = WORD.exec(text);
    if (found === null) return undefined;
    const word = found[0].trimEnd();
    words.push(
      word === 'HOME="$HOME"'
        ? 'HOME=$HOME'
        : word.replace(/'([^']*)'|"([^"]*)"/g, (_all, single, double) => single ?? double),
    );
  }
  return words;
}
