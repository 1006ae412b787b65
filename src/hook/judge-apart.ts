import type { Reply } from '../hosts/host.ts';

/** From this length on, in UTF-16 units, compiled code pays for its start. */
const LONG = 32 * 1024;
/** The variable by which the lines of `policy install` switch the JIT off. */
const COMPILER = 'BUN_JSC_useJIT';

/** True for a message that takes several times longer without a JIT. */
export function isLong(text: string): boolean {
  return text.length > LONG && process.env[COMPILER] === '0';
}

/**
 * Judges a message in another process of this program, with a JIT. This process stays free to answer in time; the other one
 * ends with it.
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
  // Every answer has text on stdout and one of two codes; some hosts would not take anything else as a refusal.
  if (stdout === '' || (exitCode !== 0 && exitCode !== 2))
    throw new Error(
      `the process that judges it has not answered (${child.signalCode ?? `exit ${exitCode}`})`,
    );
  return { stdout, stderr, exitCode };
}
