import { serveStdio } from '../../src/hook/run-lines.ts';

/** A server for the tests: echoes a line; `big N` is answered with N letters, `throw` with a refusal. */
process.exit(
  await serveStdio({
    stdin: Bun.stdin.stream(),
    respond: (line) => {
      if (line === 'throw') throw new Error('a bug');
      return reply(line.startsWith('big ') ? 'x'.repeat(Number(line.slice(4))) : line);
    },
    refuse: (line, cause) => reply(`refused ${line}: ${cause}`),
    budgetMs: () => 1000,
  }),
);

function reply(text: string) {
  return { stdout: `${text}\n`, stderr: '', exitCode: 0 };
}
