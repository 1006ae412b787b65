import { BINARY } from './binary.ts';

/** A program on a terminal of its own, as a person has it. */
export interface OnTerminal {
  /** What the terminal has been sent so far. */
  readonly shown: () => string;
  /** Waits until the terminal shows this. Throws after 20 s. */
  readonly sees: (text: string) => Promise<void>;
  readonly types: (keys: string) => void;
  /** The exit code. */
  readonly ended: Promise<number>;
}

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 10;

/** Starts the built program, or another, on a real pseudo-terminal. */
export function onTerminal(
  args: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly program?: readonly string[];
  },
): OnTerminal {
  let text = '';
  const decoder = new TextDecoder();
  const terminal = new Bun.Terminal({
    cols: 100,
    rows: 30,
    data: (_terminal, data) => {
      text += decoder.decode(data, { stream: true });
    },
  });
  const { env, cwd, program = [BINARY] } = options;
  const child = Bun.spawn([...program, ...args], { terminal, env: { TERM: 'xterm-256color', ...env }, cwd });
  const ended = child.exited.then(async (code) => {
    // What was written last may still be on its way.
    await Bun.sleep(LOOK_EVERY_MS);
    terminal.close();
    return code;
  });
  return {
    shown: () => text,
    sees: async (wanted) => {
      const endMs = performance.now() + PATIENCE_MS;
      while (!text.includes(wanted)) {
        if (performance.now() > endMs) throw new Error(`the terminal does not show "${wanted}" but: ${text}`);
        await Bun.sleep(LOOK_EVERY_MS);
      }
    },
    types: (keys) => {
      terminal.write(keys);
    },
    ended,
  };
}
