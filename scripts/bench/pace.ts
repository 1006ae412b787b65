import { median } from './measure.ts';

/**
 * Bars in milliseconds and decisions a second are for a machine that does the work below in this time: the one on which
 * they were set. A slower one, or one that is busy with something else, is given as much more as it takes longer.
 */
const REFERENCE_MS = 40;
/** A machine that is slower still measures nothing but itself. */
const MOST_SLOWNESS = 4;
const ROUNDS = 50_000;
const MESSAGE = JSON.stringify({
  jsonrpc: '2.0',
  id: 7,
  method: 'hook.before_tool',
  params: {
    meta: { AgentID: 'main', TurnID: 'main-turn-1', SessionKey: 'bench', Iteration: 1 },
    context: { inbound: { channel: 'cli', chat_id: 'direct' } },
    tool: 'exec',
    arguments: { action: 'run', command: 'git status --short' },
  },
});

/** How slow the machine is, looked at again and again while something is measured. */
export interface Pace {
  readonly sample: () => void;
  /** How many times slower than the reference, in the middle of the samples since the last take; 1 to 4. */
  readonly take: () => number;
}

export function createPace(): Pace {
  // Code that is compiled on the way would count as slowness.
  for (let warmUp = 0; warmUp < 3; warmUp += 1) workMs();
  let samples: number[] = [];
  return {
    sample: () => {
      samples.push(workMs());
    },
    take: () => {
      const slowness = median(samples) / REFERENCE_MS;
      samples = [];
      return Math.min(Math.max(slowness, 1), MOST_SLOWNESS);
    },
  };
}

/** Reads a message, takes it apart and writes an answer, over and over, as a hook does. */
function workMs(): number {
  const startNs = Bun.nanoseconds();
  let chars = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, params } = JSON.parse(MESSAGE);
    chars += JSON.stringify({ jsonrpc: '2.0', id: id + round, result: { action: 'continue' } }).length;
    for (const word of params.arguments.command.split(' ')) chars += word.charCodeAt(0);
  }
  const tookMs = (Bun.nanoseconds() - startNs) / 1e6;
  if (chars < ROUNDS) throw new Error('The work that tells the pace was not done');
  return tookMs;
}
