import type { Reply } from '../hosts/host.ts';

/** From here on compiled code pays for its start, in UTF-16 units. */
const LONG = 32 * 1024;
/** As the lines of `policy install` start a process for one call. */
const COMPILER = 'BUN_JSC_useJIT';

/** True for a message that a process without a compiler of machine code would judge several times slower. */
export function isLong(text: string): boolean {
  return text.length > LONG && process.env[COMPILER] === '0';
}

/**
 * Has a process of this program judge a message, with a compiler of machine code. This one stays free to answer when the host's
 * time is up; the other ends with it.
 *
 * @throws if it ends without an answer
 */
export async function judgeApart(text: string): Promise<Reply> {
  const child = Bun.spawn([process.execPath, ...process.argv.slice(2)], {
    stdin: Buffer.from(text),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, [COMPILER]: '1' },
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  process.off('exit', end);
  // Every answer has words on stdout and one of two codes; anything else would be no refusal to some hosts.
  if (stdout === '' || (exitCode !== 0 && exitCode !== 2))
    throw new Error(
      `the process that judges it has not answered (${child.signalCode ?? `exit ${exitCode}`})`,
    );
  return { stdout, stderr, exitCode };
}
