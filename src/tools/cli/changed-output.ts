import type { Output } from './io.ts';

/**
 * The same output, but for the texts that go there.
 *
 * @param lessColumns how many columns narrower it is for who writes there
 */
export function changedOutput(output: Output, change: (text: string) => string, lessColumns = 0): Output {
  return {
    get isTTY() {
      return output.isTTY;
    },
    get columns() {
      return output.columns === undefined ? undefined : output.columns - lessColumns;
    },
    get hasFailed() {
      return output.hasFailed;
    },
    get isClosed() {
      return output.isClosed;
    },
    write: (text) => output.write(change(text)),
  };
}
