import { describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { BINARY } from '../../support/binary.ts';
import { idOf, type LineClient, request, resultOf, shellCall, startLines } from './line-client.ts';
import { type Workplace, workplace } from './workplace.ts';

const POLICIES = `
version: 1
policies:
  - {id: never, tool: shell, arguments: {command: 'git push'}, action: deny, reason: Pushing is for people}
  - id: no-keys
    on: after_tool
    content: 'key-[0-9]+'
    action: modify
    rewrite: {redact: [{regex: 'key-[0-9]+', with: '[redacted]'}]}
  - id: polite
    on: before_llm
    content: please
    action: modify
    rewrite: {replace: [{regex: please, with: now}]}
  - {id: echo, tool: other, tool_matcher: echo, action: respond, result: {for_llm: '{{arguments.text}}'}}
  - {id: talkative, tool_matcher: talk, action: deny, reason: 'No {{arguments.text}}'}
`;
const MEGABYTE = 1024 * 1024;
const MAX_LINE = 1_048_575;

function start(place: Workplace = workplace(), args: readonly string[] = []): LineClient {
  place.write({ 'house.yaml': POLICIES });
  return startLines(place, ['--policies', join(place.folder, 'house.yaml'), ...args]);
}

async function finish(client: LineClient): Promise<readonly string[]> {
  client.close();
  expect(await client.ended).toBe(0);
  expect(client.stderr()).toBe('');
  return client.lines();
}

describe('what is read', () => {
  const command = fc.constantFrom('ls', 'git push', 'echo "git push"', 'x'.repeat(70_000), 'größe 😀');
  const asked = fc.record({
    method: fc.constantFrom('hook.before_tool', 'hook.approve_tool', 'hook.unheard_of', 'hook.hello'),
    command,
  });
  const told = fc.constantFrom(
    '',
    '   ',
    'no JSON',
    '{"jsonrpc":"2.0","method":"hook.runtime_event","params":{"kind":"agent.turn.start","payload":{}}}',
    '{"jsonrpc":"2.0","method":"hook.event","params":{"Kind":3}}',
    '{"jsonrpc":"2.0","method":"hook.before_tool","params":{"tool":"exec"}}',
    '[1,2,3]',
    '\0',
  );

  test('gets exactly one answer if it asks, whatever the pipe does to it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: asked }, told), { minLength: 1, maxLength: 120 }),
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (items, cuts, newline, endsWithBreak) => {
          const lines = items.map((item, index) =>
            typeof item === 'string' ? item : shellCall(index + 1, item.command, item.method),
          );
          const bytes = Buffer.from(lines.join(newline) + (endsWithBreak ? newline : ''));
          const client = start();
          let at = 0;
          for (let turn = 0; at < bytes.length; turn++) {
            const next = turn < 200 ? at + (cuts[turn % cuts.length] ?? 1) : bytes.length;
            client.send(bytes.subarray(at, next));
            at = next;
            if (turn % 8 === 0) await Bun.sleep(0);
          }
          const answers = await finish(client);
          const expected = items.flatMap((item, index) => (typeof item === 'string' ? [] : [index + 1]));
          expect(answers.map(idOf).sort(byNumber)).toEqual(expected);
          for (const answer of answers) {
            const item = items[(idOf(answer) ?? 0) - 1];
            if (typeof item !== 'object') throw new Error(answer);
            const denied = item.command.includes('git push');
            const result = resultOf(answer);
            switch (item.method) {
              case 'hook.before_tool':
                expect(result['action']).toBe(denied ? 'deny_tool' : 'continue');
                break;
              case 'hook.approve_tool':
                expect(result['approved']).toBe(!denied);
                break;
              case 'hook.hello':
                expect(result).toMatchObject({ ok: true });
                break;
              default:
                expect(result).toEqual({ action: 'deny_tool', approved: false });
            }
          }
        },
      ),
      { numRuns: 12 },
    );
  }, 60_000);

  test('is refused by its id where the line is broken behind it', async () => {
    const client = start();
    const whole = shellCall(7, 'ls');
    client.send(`${whole.slice(0, -1)}\n`);
    expect(resultOf(await client.answerTo(7))).toMatchObject({ action: 'deny_tool' });
    client.send(`${shellCall(8, 'ls', 'hook.approve_tool').slice(0, 60)}\n`);
    expect(resultOf(await client.answerTo(8))).toMatchObject({ approved: false });
    client.send(`${shellCall(9, '\0').replace('\\u0000', '\0')}\n`);
    expect(resultOf(await client.answerTo(9))).toMatchObject({ action: 'deny_tool' });
    client.send(`${request(10, 'hook.before_llm', {}).replace('{}', '['.repeat(500_000))}\n`);
    expect(resultOf(await client.answerTo(10))).toMatchObject({ action: 'abort_turn' });
    // The host is gone in the middle of a line.
    client.send(shellCall(11, 'ls').slice(0, -10));
    const answers = await finish(client);
    expect(answers.map(idOf)).toEqual([7, 8, 9, 10, 11]);
  });

  test('may be far longer than what may be written', async () => {
    const client = start();
    const long = 'x'.repeat(10 * MEGABYTE);
    client.send(`${shellCall(1, long)}\n${shellCall(2, `${long}git push`)}\n${shellCall(3, 'ls')}\n`);
    expect(resultOf(await client.answerTo(1))).toEqual({ action: 'continue' });
    expect(resultOf(await client.answerTo(2))).toMatchObject({ action: 'deny_tool' });
    expect(resultOf(await client.answerTo(3))).toEqual({ action: 'continue' });
    await finish(client);
  });

  test('is refused above 64 MiB, and what follows is judged', async () => {
    const client = start();
    const piece = 'x'.repeat(MEGABYTE);
    const [head = '', tail = ''] = shellCall(1, 'HERE').split('HERE');
    client.send(head);
    for (let sent = 0; sent < 65; sent++) client.send(piece);
    client.send(`${tail}\n${shellCall(2, 'ls')}\n${shellCall(3, 'git push')}\n`);
    expect(resultOf(await client.answerTo(1))).toMatchObject({ action: 'deny_tool' });
    expect(resultOf(await client.answerTo(2))).toEqual({ action: 'continue' });
    expect(resultOf(await client.answerTo(3))).toMatchObject({ action: 'deny_tool' });
    await finish(client);
  });

  test('may nest deep, and is refused in no time if it nests deeper than anybody needs', async () => {
    const client = start();
    const lists = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels);
    const finished = request(5, 'hook.after_tool', { tool: 'exec', result: { for_llm: 'key-17', extra: 0 } });
    const started = performance.now();
    client.send(`${shellCall(1, 'DEEP').replace('"DEEP"', lists(500))}\n`);
    client.send(`${shellCall(2, 'DEEP').replace('"DEEP"', lists(500, '"git push"'))}\n`);
    client.send(`${shellCall(3, 'DEEP').replace('"DEEP"', lists(100_000))}\n`);
    client.send(`${shellCall(4, 'DEEP', 'hook.approve_tool').replace('"DEEP"', lists(100_000))}\n`);
    client.send(`${finished.replace('"extra":0', `"extra":${lists(100_000)}`)}\n`);
    const withheld = await client.answerTo(5);
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(withheld).not.toContain('key-17');
    expect(resultOf(withheld)).toMatchObject({ action: 'modify' });
    expect(resultOf(await client.answerTo(1))).toEqual({ action: 'continue' });
    expect(resultOf(await client.answerTo(2))).toMatchObject({ action: 'deny_tool' });
    expect(resultOf(await client.answerTo(3))).toMatchObject({ action: 'deny_tool' });
    expect(resultOf(await client.answerTo(4))).toMatchObject({ approved: false });
    await finish(client);
  });
});

describe('what is written', () => {
  test('is never longer than PicoClaw reads, and never says less for it', async () => {
    const client = start();
    const long = 'y'.repeat(2 * MEGABYTE);
    const wide = '\u0001'.repeat(200_000);
    const finished = (id: number, text: string) =>
      request(id, 'hook.after_tool', { tool: 'exec', result: { for_llm: text, for_user: text } });
    const asking = (id: number, content: string) =>
      request(id, 'hook.before_llm', { model: 'm', messages: [{ role: 'user', content }] });
    const echoing = (id: number, tool: string, text: string) =>
      request(id, 'hook.before_tool', { tool, arguments: { text } });
    const requests: readonly (readonly [string, (result: ReturnType<typeof resultOf>) => void])[] = [
      [finished(1, `key-17${long}`), (result) => expect(JSON.stringify(result)).not.toContain('key-17')],
      [finished(2, `key-17${wide}`), (result) => expect(JSON.stringify(result)).not.toContain('key-17')],
      [asking(3, `please ${long}`), (result) => expect(result['action']).toBe('abort_turn')],
      [asking(4, `please ${wide}`), (result) => expect(result['action']).toBe('abort_turn')],
      [echoing(5, 'echo', long), (result) => expect(result['action']).toBe('deny_tool')],
      [echoing(6, 'echo', 'fine'), (result) => expect(result['action']).toBe('respond')],
      [echoing(7, 'talk', long), (result) => expect(result['action']).toBe('deny_tool')],
      [request(8, `hook.${long}`, {}), (result) => expect(result['action']).toBe('deny_tool')],
    ];
    for (const [line, check] of requests) {
      client.send(`${line}\n`);
      const answer = await client.answerTo(JSON.parse(line).id);
      expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(MAX_LINE);
      check(resultOf(answer));
    }
    await finish(client);
  });

  test('comes whole when the host reads late, and then the process ends', async () => {
    const count = 5_000;
    const client = start();
    const lines = Array.from({ length: count }, (_, index) => shellCall(index + 1, 'git push'));
    client.send(`${lines.join('\n')}\n`);
    client.close();
    expect(await client.ended).toBe(0);
    expect(new Set(client.lines().map(idOf)).size).toBe(count);
  });
});

describe('the process', () => {
  test('stays after every signal that can be ignored, and ends at once at the end of its input', async () => {
    const client = start();
    client.send(`${request(1, 'hook.hello', {})}\n`);
    await client.answerTo(1);
    const ignorable =
      'HUP INT QUIT USR1 USR2 PIPE ALRM TERM CHLD CONT TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO'.split(
        ' ',
      );
    for (const [index, name] of ignorable.entries()) {
      client.signal(`SIG${name}` as NodeJS.Signals);
      await Bun.sleep(20);
      client.send(`${shellCall(index + 2, 'git push')}\n`);
      expect([name, resultOf(await client.answerTo(index + 2))]).toMatchObject([
        name,
        { action: 'deny_tool' },
      ]);
    }
    const closed = performance.now();
    await finish(client);
    expect(performance.now() - closed).toBeLessThan(4_000);
  });

  test('ends quietly when nobody reads its answers', async () => {
    const place = workplace({ 'house.yaml': POLICIES });
    const args = [BINARY, 'hook', '--host', 'picoclaw', '--policies', join(place.folder, 'house.yaml')];
    const child = spawn('sh', ['-c', '"$@"; echo "ended $?" >&2', 'sh', ...args], {
      env: place.env,
      cwd: place.project,
      stdio: 'pipe',
    });
    child.stdin.on('error', () => {});
    child.stdout.destroy();
    child.stdin.write(`${shellCall(1, 'ls')}\n`);
    const said = await new Promise<string>((resolve) => {
      child.stderr.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8')));
    });
    expect(said).toBe('ended 0\n');
  });

  test('says once on stderr that decisions cannot be logged, and judges on', async () => {
    const place = workplace();
    mkdirSync(join(place.state, 'decisions.jsonl'), { recursive: true, mode: 0o700 });
    chmodSync(place.state, 0o700);
    const client = start(place);
    for (const id of [1, 2, 3]) {
      client.send(`${shellCall(id, 'git push')}\n`);
      expect(resultOf(await client.answerTo(id))).toMatchObject({ action: 'deny_tool' });
      await Bun.sleep(150);
    }
    client.close();
    expect(await client.ended).toBe(0);
    expect(client.stderr()).toMatch(/^policy: decisions are not logged: [^\n]+\n$/);
  });

  test('survives that the state folder is taken from it, and refuses only while it cannot tell what is trusted', async () => {
    const place = workplace({
      'project/.policy/house.yaml':
        "version: 1\npolicies: [{id: calm, tool: shell, arguments: {command: '^ls'}, action: approve}]\n",
    });
    expect((await place.run({ args: ['trust', '--yes'] })).exitCode).toBe(0);
    const client = startLines(place, []);
    client.send(`${shellCall(1, 'ls')}\n`);
    expect(resultOf(await client.answerTo(1))).toEqual({ action: 'continue' });
    chmodSync(place.state, 0o777);
    await untilAction(client, 1_000, 'deny_tool');
    chmodSync(place.state, 0o700);
    await untilAction(client, 2_000, 'continue');
    client.close();
    expect(await client.ended).toBe(0);
    // Whether it had begun to log by then is a matter of time.
    expect(client.stderr()).toMatch(/^(policy: decisions are not logged: [^\n]+ run chmod 700 on it\n)?$/);
  }, 60_000);

  test('follows its policies as they break, come back and go', async () => {
    const place = workplace();
    const client = start(place);
    client.send(`${shellCall(1, 'ls')}\n`);
    expect(resultOf(await client.answerTo(1))).toEqual({ action: 'continue' });
    place.write({ 'house.yaml': 'version: 1\npolicies: [{id: MARK-17' });
    const broken = await untilAction(client, 1_000, 'deny_tool');
    expect(broken).toContain('house.yaml:2:');
    expect(broken).not.toContain('MARK-17');
    place.write({ 'house.yaml': POLICIES });
    await untilAction(client, 2_000, 'continue');
    rmSync(join(place.folder, 'house.yaml'));
    await untilAction(client, 3_000, 'deny_tool');
    await finish(client);
  }, 60_000);

  /** Asks for `ls` until the answer is this: a busy machine looks for changes less often than once a second. */
  async function untilAction(client: LineClient, firstId: number, action: string): Promise<string> {
    for (let id = firstId; id < firstId + 150; id++) {
      client.send(`${shellCall(id, 'ls')}\n`);
      const answer = await client.answerTo(id);
      if (resultOf(answer)['action'] === action) return answer;
      await Bun.sleep(100);
    }
    throw new Error(`never ${action}; ${client.stderr()}`);
  }
});

function byNumber(a: number | undefined, b: number | undefined): number {
  return (a ?? 0) - (b ?? 0);
}
