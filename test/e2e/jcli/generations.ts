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
  /** True if the host tells of calls that did not run. */
  readonly failureEvent: boolean;
  readonly sendsSession: boolean;
  /** True if stdout is read only when the hook has ended: what does not fit into the pipe keeps it from ending. */
  readonly readsLate: boolean;
}

const FIRST = {
  shell: ['sh', '-c'],
  control: 'abort',
  onError: 'stop',
  hookDir: false,
  retries: false,
  killsTree: false,
  failureEvent: false,
  sendsSession: false,
  readsLate: true,
} as const satisfies Generation;

const B = { ...FIRST, onError: 'skip', sendsSession: true, readsLate: false } as const;
const C = { ...B, control: 'both', retries: true, failureEvent: true } as const;
const D = { ...C, control: 'action', hookDir: true } as const;
const E = { ...D, shell: ['bash', '-lc'], killsTree: true } as const;

export const GENERATIONS = { A: FIRST, B, C, D, E } as const satisfies Record<string, Generation>;

export type GenerationName = keyof typeof GENERATIONS;
