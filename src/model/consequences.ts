/** A kind of consequence: its summary, and its values with their meanings. */
interface ConsequenceDescription {
  readonly summary: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A command's consequences beside its effects on paths and the network: kinds, values and their meanings. */
export const CONSEQUENCES = {
  destroys: {
    summary: 'It destroys one of these',
    values: {
      infrastructure: 'Machines, clusters, buckets, projects, apps or sites that others use are deleted',
      database: 'A database is deleted or emptied',
      rows: 'Tables, rows or documents of a database are deleted',
      history: 'History that others have, or that could restore lost commits, is rewritten or deleted',
      uncommitted: 'Uncommitted work is overwritten or deleted',
      refs: 'Branches, tags or worktrees that may hold the only copy of something are deleted',
      stash: 'Stashed work is deleted',
      disk: 'A disk, a partition or a file system is overwritten or deleted',
      backups: 'Backups or snapshots are deleted',
      packages: 'A published package, release or version is removed',
    },
  },
  changes: {
    summary: 'It changes one of these without a word that names it',
    values: {
      files:
        'Files of the folder that it works in are changed, as a formatter, a merge or a change of branch does',
    },
  },
  reveals: {
    summary: 'It reveals one of these',
    values: {
      secret: 'A password, key or token leaves the place that stores it',
      environment: 'All variables of an environment are shown, including tokens',
    },
  },
  stops: {
    summary: 'It stops one of these',
    values: {
      machine: 'The machine is turned off, restarted or put to sleep',
      processes: 'Every process ends, or one that the session needs',
      defences: 'Defences of the machine are disabled',
    },
  },
  persists: {
    summary: 'It leaves one of these behind to run on its own',
    values: {
      schedule: 'A command is scheduled to run later',
      startup: 'Something runs at every start of the machine',
      login: 'Somebody can log in from now on',
      hook: 'A program runs another one automatically from now on',
    },
  },
  grants: {
    summary: 'It grants one of these permanently',
    values: {
      privilege: 'Somebody has more rights from now on',
      access: 'Everybody can read or write what was protected',
      container_host: 'A container gains control of its host',
    },
  },
  unguards: {
    summary: 'It bypasses one of these',
    values: {
      checks: 'Checks that somebody set up are skipped, or an agent acts without asking',
      hooks: 'An agent runs without its hooks, or with others, now or from then on',
      questions: 'A question that is meant for a person is answered',
      signatures: 'The origin of installed or fetched code is not verified',
      transport: 'The other end of a connection is not verified',
    },
  },
} as const satisfies Readonly<Record<string, ConsequenceDescription>>;

/** One of the kinds: `destroys`. */
export type ConsequenceKind = keyof typeof CONSEQUENCES;

/** One of them: `unguards: checks`. */
export interface Consequence {
  readonly kind: ConsequenceKind;
  readonly value: string;
}

/** The kinds, in the order of the reference. */
export const CONSEQUENCE_KINDS = Object.keys(CONSEQUENCES) as readonly ConsequenceKind[];

/** A consequence that a command may have, as the needs of policies name it. */
export function causeNamed(kind: ConsequenceKind, value: string): string {
  return `${kind}:${value}`;
}

/** The kind in the name of one. */
export function kindOfCause(name: string): ConsequenceKind {
  return name.slice(0, name.indexOf(':')) as ConsequenceKind;
}
