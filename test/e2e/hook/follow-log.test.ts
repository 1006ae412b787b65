import { expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { testedHost } from './host-reading.ts';
import { messageText } from './messages.ts';
import { workplace } from './workplace.ts';

const gemini = testedHost('gemini');

test('policy log --follow shows each decision as it is taken, also after a file was put aside', async () => {
  const place = workplace();
  const judge = (session: string) =>
    place.run({
      args: ['hook', '--host', 'gemini'],
      input: messageText(gemini.host, {
        on: 'before_tool',
        tool: 'shell',
        arguments: { command: 'ls' },
        context: { session },
      }),
    });
  await judge('first');
  const follower = Bun.spawn([BINARY, 'log', '--follow', '--json'], {
    env: { ...place.env },
    stdout: 'pipe',
  });
  try {
    const lines = follower.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const upTo = async (session: string) => {
      while (!text.includes(`"session":"${session}"`)) {
        const { value, done } = await lines.read();
        if (done) throw new Error(`the log ended before ${session}: ${text}`);
        text += value;
      }
    };
    await upTo('first');
    await judge('second');
    await upTo('second');
    renameSync(join(place.state, 'decisions.jsonl'), join(place.state, 'decisions.000000001.jsonl'));
    await judge('third');
    await upTo('third');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).session),
    ).toEqual(['first', 'second', 'third']);
  } finally {
    follower.kill();
  }
}, 60_000);

test('policy log --follow ends when nobody reads it any more', async () => {
  const place = workplace();
  const input = messageText(gemini.host, { on: 'before_tool', tool: 'shell', arguments: { command: 'ls' } });
  const judge = () => place.run({ args: ['hook', '--host', 'gemini'], input });
  await judge();
  const follower = Bun.spawn(['sh', '-c', '"$0" log --follow | head -n 1', BINARY], {
    env: { ...place.env },
    stdout: 'pipe',
  });
  let ended = false;
  void follower.exited.then(() => (ended = true));
  // The first line is there at once; that nobody reads on shows at the next one.
  for (let attempt = 0; attempt < 100 && !ended; attempt++) {
    await judge();
    await Bun.sleep(50);
  }
  expect(ended).toBe(true);
}, 60_000);
