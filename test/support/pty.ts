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
/** On a busy machine, output comes in parts. */
const SETTLED_MS = 50;

/**
 * Scripts, each started by the one before: the terminal's first process waits for an exit code; one lets go of the program
 * and ends; one waits for that end, and only then runs the program. So nobody who started the tests is above it: it
 * would be refused what only a person may do where that is an agent.
 */
const WAIT = 'exec 3<&0 4>&1; start=$1 run=$2; shift 2; exit "$(/bin/sh -c "$start" "$run" "$@"; :)"';
const LET_GO = '/bin/sh -c "$0" $$ "$@" &';
const RUN = 'while kill -0 "$0" 2>/dev/null; do /bin/sleep 0.01; done; "$@" <&3 >&4; echo $?';

/** Starts the built program, or another, on a real pseudo-terminal, as nobody's child. */
export function onTerminal(
  args: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly columns?: number;
    readonly program?: readonly string[];
  },
): OnTerminal {
  let text = '';
  const decoder = new TextDecoder();
  const terminal = new Bun.Terminal({
    cols: options.columns ?? 100,
    rows: 30,
    data: (_terminal, data) => {
      text += decoder.decode(data, { stream: true });
    },
  });
  const { env, cwd, program = [BINARY] } = options;
  const child = Bun.spawn(['/bin/sh', '-c', WAIT, 'sh', LET_GO, RUN, ...program, ...args], {
    terminal,
    env: { TERM: 'xterm-256color', ...env },
    cwd,
  });
  const ended = child.exited.then(async (code) => {
    // What was written last may still be on its way.
    let seen: string;
    do {
      seen = text;
      await Bun.sleep(SETTLED_MS);
    } while (seen !== text);
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
