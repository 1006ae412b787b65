/** A kind: what a command does that has it, and its values with what each of them means. */
interface Consequence {
  readonly summary: string;
  readonly values: Readonly<Record<string, string>>;
}

/** What a command may do beside its effects on paths and the network: kinds, their values, and what each value means. */
export const CONSEQUENCES = {
  destroys: {
    summary: 'It destroys one of these',
    values: {
      infrastructure: 'Machines, clusters, buckets, projects, apps or sites that others use are deleted',
      database: 'A database is deleted or emptied, with all that is in it',
      history: 'History that others have, or what could bring lost commits back, is rewritten or deleted',
      uncommitted: 'Work that is not committed is overwritten or deleted',
      refs: 'Branches, tags or worktrees that may hold the only copy of something are deleted',
      stash: 'Work that was put aside is deleted',
      disk: 'A disk, a partition or a file system is overwritten or deleted',
      backups: 'Backups or snapshots are deleted',
      packages: 'A published package, release or version is taken away from those who use it',
    },
  },
  reveals: {
    summary: 'It reveals one of these',
    values: {
      secret: 'A password, key or token comes out of the place that keeps it',
      environment: 'All variables of an environment are shown, tokens among them',
    },
  },
  stops: {
    summary: 'It stops one of these',
    values: {
      machine: 'The machine is turned off, restarted or put to sleep',
      processes: 'Every process ends, or one that the session needs',
      defences: 'What keeps others out of the machine is switched off',
    },
  },
  persists: {
    summary: 'It leaves one of these behind to run on its own',
    values: {
      schedule: 'A command runs later, by itself',
      startup: 'Something runs at every start of the machine',
      login: 'Somebody may log in from now on',
      hook: 'A program runs another one by itself from now on',
    },
  },
  grants: {
    summary: 'It grants one of these permanently',
    values: {
      privilege: 'Somebody has more rights from now on',
      access: 'Everybody may read or write what was closed',
      container_host: 'A container owns the machine that it runs on',
    },
  },
  unguards: {
    summary: 'It bypasses one of these',
    values: {
      checks: 'Checks that somebody has set up are left out, or an agent asks nobody',
      signatures: 'What is installed or fetched is not checked for who made it',
      transport: 'The other end of a connection is not checked',
    },
  },
} as const satisfies Readonly<Record<string, Consequence>>;

/** One of the kinds: `destroys`. */
export type ConsequenceKind = keyof typeof CONSEQUENCES;

/** The kinds, in the order of the reference. */
export const CONSEQUENCE_KINDS = Object.keys(CONSEQUENCES) as readonly ConsequenceKind[];
