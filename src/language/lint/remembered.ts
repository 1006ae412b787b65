import type { Host } from '../../hosts/host.ts';

/** What can be known of the earlier calls of a host. */
export interface Remembered {
  /** What a result is tied to its call by; `nothing` where none comes. */
  readonly results: Host['results']['by'];
  /** Whether it says of some call that it succeeded, or failed. */
  readonly succeeded: boolean;
  readonly failed: boolean;
  /** How turns are told apart: by their names, by the prompts that start them, or not at all. */
  readonly turns: 'names' | 'prompts' | 'nothing';
}

/** What can be known of the earlier calls of a host, by what its adapter says of it. */
export function rememberedOf(host: Host): Remembered {
  const supports = host.supports(undefined);
  const { by, marks = [], unmarked = [] } = host.results;
  const ends = [...marks.map(({ means }) => means), ...unmarked];
  const hasResults = supports.after_tool !== undefined && by !== 'nothing';
  const setting = { version: undefined, env: {}, cwd: '/', interactive: false };
  const call = { on: 'before_tool', tool: 'shell', arguments: { command: 'ls' } } as const;
  const decoded = host.decode(host.compose(call), setting);
  const turn = decoded.type === 'event' ? decoded.event.turn : undefined;
  const byPrompts = supports.before_prompt === undefined ? 'nothing' : 'prompts';
  return {
    results: hasResults ? by : 'nothing',
    succeeded: hasResults && ends.includes('succeeded'),
    failed: hasResults && ends.includes('failed'),
    turns: turn === undefined ? byPrompts : 'names',
  };
}
