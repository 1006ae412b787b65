import { readArrived } from '../../src/hook/read-arrived.ts';
import { serveDocument } from '../../src/hook/serve-document.ts';

/** A server for the tests: echoes the message; some words make it fail in ways that nothing catches. */
const { stdout } = await serveDocument({
  stdin: { stream: () => Bun.stdin.stream(), arrived: readArrived },
  respond: async (message) => {
    if (message === 'throw') throw new Error('a bug');
    if (message === 'stray rejection') void Promise.reject(new Error('a stray bug'));
    if (message === 'stray error') setTimeout(() => JSON.parse('{'), 1);
    if (message !== 'echo') await Bun.sleep(message === 'slow' ? 5_000 : 50);
    return reply(message);
  },
  refuse: (text, cause) => reply(`refused ${text}: ${cause}`),
  leftMs: () => 500,
});
process.stdout.write(stdout);
process.exit(0);

function reply(text: string) {
  return { stdout: `${text}\n`, stderr: '', exitCode: 0 };
}
