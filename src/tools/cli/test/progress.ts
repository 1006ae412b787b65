import { grouped } from '../../report/layout/quantity.ts';
import type { Output } from '../io.ts';

export interface Progress {
  /** Shows how far it is, from 0 to 1; `what` names the counted things. */
  readonly show: (done: number, count: number, what: string) => void;
  /** Takes the bar away, so that something else can be written. */
  readonly clear: () => void;
}

const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 100;
const WIDTH = 24;

/**
 * A bar for work that takes longer than a second; nothing if nobody watches.
 *
 * @param now milliseconds
 */
export function createProgress(output: Output, now: () => number = () => performance.now()): Progress {
  if (!output.isTTY) return { show: () => {}, clear: () => {} };
  const startMs = now();
  let shownMs = 0;
  let visible = false;
  return {
    show(done, count, what) {
      const nowMs = now();
      if (nowMs - startMs < FIRST_AFTER_MS || nowMs - shownMs < EVERY_MS) return;
      shownMs = nowMs;
      visible = true;
      const filled = Math.round(Math.min(done, 1) * WIDTH);
      const bar = `${'━'.repeat(filled)}${' '.repeat(WIDTH - filled)}`;
      output.write(`\r\u001b[K${bar} ${Math.floor(done * 100)} %  ${grouped(count)} ${what}`);
    },
    clear() {
      if (visible) output.write('\r\u001b[K');
      visible = false;
    },
  };
}
