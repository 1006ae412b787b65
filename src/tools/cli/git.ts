/** Runs git. Returns its output, or why there is none. */
export function git(
  args: readonly string[],
  cwd: string,
  stdin?: string,
): Buffer | { readonly cause: string } {
  try {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...args], {
      cwd,
      stdin: stdin === undefined ? 'ignore' : Buffer.from(stdin),
      stdout: 'pipe',
      stderr: 'pipe',
    });
    if (exitCode === 0) return stdout;
    return { cause: `git says "${stderr.toString().trim().split('\n')[0] ?? ''}"` };
  } catch {
    return { cause: 'git cannot be started' };
  }
}
