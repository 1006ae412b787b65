import type { JsonObject } from '../lib/json.ts';
import { wordsIn } from './words-in.ts';

/** Files that decide about the rights of an agent, or whether anybody is asked. Globs as in policies. */
export interface Guards {
  readonly paths: readonly string[];
  /** Files among these that the agent keeps for itself, and those that people write all day. */
  readonly notes?: readonly string[];
  /** Skills, agents and commands: guarded only against texts that carry hooks or servers. */
  readonly instructions?: readonly string[];
  /** Files in which people name servers, or set up an editor: guarded only against commands that start one and settings of its agent. */
  readonly servers?: readonly string[];
  /** Variables that move them: `$NAME`, with the rest of the path, to the usual place. The first that fits counts. */
  readonly moved?: Readonly<Record<string, string>>;
  /** How the agent is started without its hooks, or made to run without them, or with others, from then on. */
  readonly escapes?: Escapes;
}

/** Ways to start an agent past its hooks. `self-protection` refuses them and `policy doctor` finds them, by these rows. */
export interface Escapes {
  /** Programs that start the agent, wrappers that hand their words on to it, and packages by the end of their name. */
  readonly programs: readonly string[];
  /** Flags; with `=` if a value follows. */
  readonly flags?: readonly string[];
  /** Values of flags that have others too, as regular expressions. */
  readonly values?: Readonly<Record<string, string>>;
  /** Subcommands that change the hooks or servers that run; a list of tests if only some of their calls do. */
  readonly subcommands?: Readonly<Record<string, true | readonly JsonObject[]>>;
  /** How it is started so that it asks nobody, beside the ways that most agents have. */
  readonly unasked?: Pick<Escapes, 'flags' | 'values'>;
  /** Variables with which the agent runs no hook; `*` matches any characters. */
  readonly off?: readonly string[];
  /** Variables that put its files elsewhere, beside those that `moved` names. */
  readonly elsewhere?: readonly string[];
}

/** Variables that put the files of any agent elsewhere, or end or change the shell that starts a hook. */
export const COMMON_ESCAPES = ['HOME', 'BASH_ENV', 'SHELLOPTS', 'LD_*', 'DYLD_*'] as const;

/** Variables that say where files are. */
export function movingVariables({ moved = {} }: Pick<Guards, 'moved'>): readonly string[] {
  return Object.keys(moved).map((place) => place.slice(1).replace(/\W.*/, ''));
}

/** Variables with which an agent would run no hook, or those of another home. */
export function escapingVariables(guards: Guards): readonly string[] {
  const { escapes } = guards;
  const movers = movingVariables(guards);
  return [...new Set([...COMMON_ESCAPES, ...movers, ...(escapes?.off ?? []), ...(escapes?.elsewhere ?? [])])];
}

/** Subcommands that change them with any words behind; their names are words. */
export function alwaysChanging(names: string): Readonly<Record<string, true>> {
  return Object.fromEntries(wordsIn(names).map((name) => [name, true] as const));
}

/** The same for verbs of one subcommand. */
export function verbsOf(subcommand: string, verbs: string): Readonly<Record<string, true>> {
  return Object.fromEntries(wordsIn(verbs).map((verb) => [`${subcommand} ${verb}`, true] as const));
}

/** `policy install --system` puts the program here: only root writes there. */
export const SYSTEM_PROGRAM = '/usr/local/lib/policy/bin/policy';

/** The files of this engine itself. */
export const OWN = {
  policies: {
    paths: [
      '**/.policy/**',
      '~/.config/policy/**',
      '/etc/policy/**',
      '/var/{lib,db}/policy/**',
      '/Library/Application Support/policy/**',
      '**/ProgramData/policy{,-managed}/**',
    ],
    moved: { '$XDG_CONFIG_HOME/policy': '~/.config/policy' },
  },
  /** The records of trust, counts and decisions. */
  state: {
    paths: ['~/.local/state/policy/**', '**/.local/state/policy/**'],
    moved: { '$XDG_STATE_HOME/policy': '~/.local/state/policy' },
  },
  /** The program, where programs usually lie. The one that runs is known wherever it lies. */
  program: {
    paths: [
      '/{usr,usr/local,opt/homebrew}/bin/policy{,.exe}',
      '~/{bin,.local/bin}/policy{,.exe}',
      SYSTEM_PROGRAM,
    ],
  },
} as const satisfies Readonly<Record<string, Guards>>;

/** All that is guarded, at its usual places and where variables put it. */
export function guardedGlobs({ paths, moved = {} }: Guards): readonly string[] {
  return [
    ...paths,
    ...Object.entries(moved).flatMap(([place, usual]) => {
      const inside = movedTo(place, usual, paths);
      return inside.length === 0 ? [place] : inside;
    }),
  ];
}

/** The globs of one kind that is not guarded as a whole, at usual places and where variables put it. */
export function globsOf(guards: Guards, kind: 'notes' | 'instructions' | 'servers'): readonly string[] {
  const { [kind]: globs = [], moved = {} } = guards;
  return [...globs, ...Object.entries(moved).flatMap(([place, usual]) => movedTo(place, usual, globs))];
}

/** The globs for files at or below the usual place, at the other. */
function movedTo(place: string, usual: string, globs: readonly string[]): readonly string[] {
  return globs
    .filter((glob) => glob === usual || glob.startsWith(`${usual}/`))
    .map((glob) => place + glob.slice(usual.length));
}
