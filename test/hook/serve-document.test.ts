import { describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function run(input: string): Promise<{ stdout: string; stderr: string; exitCode: number }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'document-server.ts')], {
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { stdout, stderr, exitCode: await child.exited };
}

describe('serveDocument', () => {
  test.each([
    ['echo', 'echo'],
    ['throw', 'refused throw: a bug'],
    ['slow', 'refused slow: no answer within 500 ms'],
    ['stray rejection', 'refused stray rejection: a stray bug'],
    ['stray error', "refused stray error: SyntaxError: JSON Parse error: Expected '}'"],
  ])('answers %p with %p and nothing else', async (input, stdout) => {
    expect(await run(input)).toEqual({ stdout: `${stdout}\n`, stderr: '', exitCode: 0 });
  });

  /** A shell gives the message to the server, which is "$@". */
  test.each([
    ['in a pipe', 'printf echo | "$@"'],
    ['in a pipe, late and in pieces', '(sleep 0.2; printf ec; sleep 0.1; printf ho) | "$@"'],
    [
      'in a pipe, the second piece after the first was looked for',
      '(printf ec; sleep 0.4; printf ho) | "$@"',
    ],
    ['in a file of which a line has been read', '{ read -r _; "$@"; } <<< $\'first\\necho\''],
  ])('finds a message %s', (_, script) => {
    const server = [process.execPath, join(import.meta.dir, 'document-server.ts')];
    const { stdout, stderr } = Bun.spawnSync(['bash', '-c', script, 'bash', ...server]);
    expect([stdout.toString().trim(), stderr.toString()]).toEqual(['echo', '']);
  });

  test('finds a message in a socket', async () => {
    const path = join(temporaryFolder(), 'socket');
    const listening = createServer((socket) => socket.end('echo')).listen(path);
    const child = Bun.spawn(
      [
        'python3',
        '-c',
        'import os,socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); os.dup2(s.fileno(),0); os.execv(sys.argv[2],sys.argv[2:])',
        path,
        process.execPath,
        join(import.meta.dir, 'document-server.ts'),
      ],
      { stdin: 'ignore', stdout: 'pipe' },
    );
    expect(await new Response(child.stdout).text()).toBe('echo\n');
    listening.close();
  });
});
