/** Files that decide what an agent may do, or whether anybody is asked. Globs as in policies. */
export interface Guards {
  readonly paths: readonly string[];
  /** What the agent keeps for itself among these. */
  readonly notes?: readonly string[];
  /** Where variables put them: `$NAME`, with what follows it, to the usual place that it stands for. */
  readonly moved?: Readonly<Record<string, string>>;
}

/** Where `policy install --system` puts the program: only root writes there. */
export const SYSTEM_PROGRAM = '/usr/local/lib/policy/bin/policy';

/** What this engine has of its own. */
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
  /** What is trusted, counted and decided. */
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

/** All that the agent keeps for itself, at its usual places and where variables put it. */
export function notedGlobs({ notes = [], moved = {} }: Guards): readonly string[] {
  return [...notes, ...Object.entries(moved).flatMap(([place, usual]) => movedTo(place, usual, notes))];
}

/** The globs for what lies at or below the usual place, at the other. */
function movedTo(place: string, usual: string, globs: readonly string[]): readonly string[] {
  return globs
    .filter((glob) => glob === usual || glob.startsWith(`${usual}/`))
    .map((glob) => place + glob.slice(usual.length));
}
