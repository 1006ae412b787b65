import type { Io } from './io.ts';

/** As git starts it: colours as they are, and no waiting where all of it fits on the screen. */
const LESS_OPTIONS = 'FRX';

/** Shows a long text by the pager in `PAGER`, by default `less`; without a terminal or pager it is printed. */
export async function page(text: string, { stdout, env }: Io): Promise<void> {
  const pager = env['PAGER'] ?? 'less';
  if (stdout.isTTY && pager !== '' && pager !== 'cat' && (await showBy(pager, text, env))) return;
  stdout.write(text);
}

async function showBy(pager: string, text: string, env: Io['env']): Promise<boolean> {
  // An interrupt is for the pager, which would be left behind on the terminal.
  const stay = () => {};
  process.on('SIGINT', stay);
  try {
    const child = Bun.spawn(['/bin/sh', '-c', pager], {
      stdin: new Blob([text]),
      stdout: 'inherit',
      stderr: 'ignore',
      env: { LESS: LESS_OPTIONS, ...env },
    });
    const code = await child.exited;
    // A shell answers so for a program that is not there or cannot be run.
    return code !== 127 && code !== 126;
  } catch {
    return false;
  } finally {
    process.off('SIGINT', stay);
  }
}
