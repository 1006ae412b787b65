/** How one generation of jcli runs hooks and reads their answers. */
export interface Generation {
  readonly shell: readonly string[];
  /** Which field refuses: the other is an unknown key. `both` prefers `action`. */
  readonly control: 'abort' | 'action' | 'both';
  /** What a broken hook does where nothing else is configured. */
  readonly onError: 'skip' | 'stop';
  /** True if every hook gets JCLI_HOOK_DIR. */
  readonly hookDir: boolean;
  readonly retries: boolean;
  /** True if a timeout ends the whole process tree, not the shell alone. */
  readonly killsTree: boolean;
  /** True if the host tells of calls that did not run, and sends the session. */
  readonly failureEvent: boolean;
}

const SH = ['sh', '-c'];
const OLD = { shell: SH, hookDir: false, retries: false, killsTree: false, failureEvent: false } as const;

export const GENERATIONS = {
  A: { ...OLD, control: 'abort', onError: 'stop' },
  B: { ...OLD, control: 'abort', onError: 'skip' },
  C: { ...OLD, control: 'both', onError: 'skip', retries: true, failureEvent: true },
  D: { ...OLD, control: 'action', onError: 'skip', hookDir: true, retries: true, failureEvent: true },
  E: {
    shell: ['bash', '-lc'],
    control: 'action',
    onError: 'skip',
    hookDir: true,
    retries: true,
    killsTree: true,
    failureEvent: true,
  },
} as const satisfies Record<string, Generation>;

export type GenerationName = keyof typeof GENERATIONS;
