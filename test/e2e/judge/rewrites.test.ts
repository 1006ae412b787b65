import { describe, expect, test } from 'bun:test';
import { resultOf, shellCall, startLines } from '../hook/line-client.ts';
import { type Workplace, workplace } from '../hook/workplace.ts';
import { askHost, HOST_NAMES, hello, judgeFile, leave } from './ask-host.ts';
import type { ModelServer, Saying } from './model-server.ts';
import { serveModel } from './serve-model.ts';

/** What the rule of every test makes of `make`. */
const MADE = 'make --jobs=8 install';

interface House {
  readonly server: ModelServer;
  readonly place: Workplace;
  readonly args: readonly string[];
  /** The commands that the judge was shown, in the order in which it was. */
  readonly shown: () => readonly string[];
}

/** A rule that rewrites `make`, and a judge. */
function house(say: (command: string) => Saying, policy: Readonly<Record<string, unknown>> = {}): House {
  const commandIn = (user: string) => />([^<]*)</.exec(user)?.[1] ?? '';
  const server = serveModel(({ user }) => say(commandIn(user)));
  const place = workplace({
    'judge.yaml': judgeFile({ base_url: `${server.url}/v1`, cache: false }, policy),
    'rule.yaml': JSON.stringify({
      version: 1,
      name: 'rule',
      policies: [
        {
          id: 'jobs',
          tool: 'shell',
          arguments: { command: '^make$' },
          action: 'modify',
          rewrite: { set: { command: MADE } },
        },
      ],
    }),
  });
  return {
    server,
    place,
    args: ['--policies', `${place.folder}/rule.yaml`, '--policies', `${place.folder}/judge.yaml`],
    shown: () => server.received.map(({ user }) => commandIn(user)),
  };
}

function denyingWhatIsMade(command: string): Saying {
  return command === MADE ? { verdict: 'deny', reason: 'it installs' } : { verdict: 'approve' };
}

describe.each(HOST_NAMES)('%s', (host) => {
  test('is refused a call that the judge approves as it came and denies as rules have made it', async () => {
    const { place, args, shown } = house(denyingWhatIsMade);
    const answer = await askHost(host, place, 'make', { args });
    expect(answer.refused).toBe(true);
    expect(answer.reason).toBe(
      'Refused by house/judged: it installs. This is about the call as rewritten by rule/jobs.',
    );
    expect(shown()).toEqual(['make', MADE]);
  });

  test('is refused a call that the judge denies as it came, and nobody is asked about another', async () => {
    const { place, args, shown } = house((command) => ({ verdict: command === MADE ? 'approve' : 'deny' }));
    const answer = await askHost(host, place, 'make', { args });
    expect(answer.refused).toBe(true);
    expect(shown()).toEqual(['make']);
  });

  test('is refused a call that a judge is for only once it is rewritten', async () => {
    const { place, args, shown } = house(denyingWhatIsMade, { arguments: { command: 'install' } });
    expect((await askHost(host, place, 'make', { args })).refused).toBe(true);
    expect(shown()).toEqual([MADE]);
  });

  test('is refused a call for which the judge has no verdict once it is rewritten', async () => {
    const { place, args } = house((command) =>
      command === MADE ? { text: 'sure, go ahead' } : { verdict: 'approve' },
    );
    const answer = await askHost(host, place, 'make', { args });
    expect(answer.refused).toBe(true);
    expect(answer.reason).toContain('as rewritten by rule/jobs');
  });

  test('is refused a call that the judge would have a person look at once it is rewritten', async () => {
    const verdicts = ['approve', 'ask', 'deny'];
    const { place, args } = house(
      (command) => (command === MADE ? { verdict: 'ask' } : { verdict: 'approve' }),
      { verdicts },
    );
    expect((await askHost(host, place, 'make', { args: [...args, '--interactive'] })).refused).toBe(true);
  });

  test('is refused a call that rules and the judge would rewrite to different ones', async () => {
    const verdicts = { approve: 'approve', modify: { rewrite: { set: { command: 'make check' } } } };
    const { place, args, shown } = house(
      (command) => (command === MADE ? { verdict: 'modify' } : { verdict: 'approve' }),
      { verdicts },
    );
    const answer = await askHost(host, place, 'make', { args });
    expect(answer.refused).toBe(true);
    expect(answer.reason).toContain('would be rewritten again');
    expect(shown()).toEqual(['make', MADE]);
  });

  test('runs what rules have made of a call if the judge approves both', async () => {
    const { place, args, shown } = house(() => ({ verdict: 'approve' }));
    const answer = await askHost(host, place, 'make', { args });
    expect(answer.refused).toBe(false);
    expect(answer.everything).toContain(MADE);
    expect(shown()).toEqual(['make', MADE]);
  });
});

describe('PicoClaw, where it asks for approval', () => {
  async function ask(client: ReturnType<typeof startLines>, id: number, command: string, method: string) {
    client.send(`${shellCall(id, command, `hook.${method}`).replace(`turn-${id}`, 'turn')}\n`);
    return resultOf(await client.answerTo(id));
  }

  test.each([
    ['denies', 'deny', false],
    ['approves', 'approve', true],
  ])('has the judge see the rewritten call, and what it %s', async (_what, verdict, approved) => {
    const { place, args, shown } = house(() => ({ verdict }));
    const client = startLines(place, args);
    client.send(`${hello(['tool', 'approve'])}\n`);
    await client.answerTo(1);
    const before = await ask(client, 2, 'make', 'before_tool');
    expect(before['action']).toBe('modify');
    expect(JSON.stringify(before['call'])).toContain(MADE);
    expect(shown()).toEqual([]);
    expect((await ask(client, 3, MADE, 'approve_tool'))['approved']).toBe(approved);
    expect(shown()).toEqual([MADE]);
    await leave(client);
  });

  test('refuses the call that the rule would have rewritten, whatever the judge says', async () => {
    const { place, args, shown } = house(() => ({ verdict: 'approve' }));
    const client = startLines(place, args);
    client.send(`${hello(['tool', 'approve'])}\n`);
    await client.answerTo(1);
    expect((await ask(client, 2, 'make', 'before_tool'))['action']).toBe('modify');
    // Another hook has undone the rewrite.
    expect((await ask(client, 3, 'make', 'approve_tool'))['approved']).toBe(false);
    expect(shown()).not.toContain('');
    await leave(client);
  });
});
