import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECISION_ATTRIBUTES, METRICS, RESOURCE_ATTRIBUTES } from '../../../src/fleet/export/attributes.ts';
import { stopAfterwards } from '../../support/stop-afterwards.ts';
import { testedHost } from '../hook/host-reading.ts';
import { answerIn } from '../hook/in-process.ts';
import { callText } from '../hook/messages.ts';
import { workplace as newWorkplace, type Said, type Workplace } from '../hook/workplace.ts';
import { type Answer, type OtlpReceiver, pointsIn, startOtlpReceiver } from './otlp-receiver.ts';

const gemini = testedHost('gemini');
/** The packages try again until this is over. */
const IMPATIENT = { OTEL_EXPORTER_OTLP_TIMEOUT: '800' };

const receiver = () => stopAfterwards(startOtlpReceiver());

function place(): Workplace {
  const workplace = newWorkplace();
  execFileSync('git', ['init', '-q'], { cwd: workplace.project });
  execFileSync('git', ['remote', 'add', 'origin', 'git@example.com:acme/shop.git'], {
    cwd: workplace.project,
  });
  workplace.write({
    'home/.config/policy/team.yaml': `version: 1
policies:
  - {id: no-push, command: {subcommand: [git, push]}, action: deny, reason: 'Not {{arguments.command}}'}
  - {id: no-tags, command: {subcommand: [git, tag]}, mode: monitor, action: deny, reason: Not yet}
`,
  });
  return workplace;
}

async function decide(
  workplace: Workplace,
  commands: readonly string[],
  ...more: readonly string[]
): Promise<void> {
  for (const command of commands) {
    const input = callText(gemini.host, command, workplace.project);
    await answerIn(workplace, ['--host', 'gemini', ...more], input);
  }
}

function send(workplace: Workplace, url: string, ...more: readonly string[]): Promise<Said> {
  return workplace.run({ args: ['export', '--otlp', url, ...more], env: IMPATIENT });
}

/** The ids of the decisions that a receiver has, in their order. */
function idsAt({ logs }: OtlpReceiver): unknown[] {
  return logs
    .filter(({ event }) => event === 'policy.decision')
    .map(({ attributes }) => attributes['policy.decision.id']);
}

function idsIn({ state }: Workplace): string[] {
  const lines = readFileSync(join(state, 'decisions.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line).decision_id);
}

describe('policy export', () => {
  test('sends decisions as logs and metrics, each once, and that the machine is there', async () => {
    const [workplace, to] = [place(), receiver()];
    await decide(workplace, ['git push', 'git tag v1', 'ls']);
    const said = await send(workplace, to.url);
    expect([said.exitCode, said.stderr]).toEqual([0, '']);
    expect(said.stdout).toBe(`Sent to ${to.url}/: 3 decisions as logs, 3 decisions as metrics\n`);
    expect(to.paths).toEqual(['/v1/logs', '/v1/metrics']);
    expect(idsAt(to)).toEqual(idsIn(workplace));
    expect(to.logs.map(({ event, body }) => [event, body])).toEqual([
      ['policy.heartbeat', 'heartbeat'],
      ['policy.decision', 'deny team/no-push'],
      ['policy.decision', 'continue'],
      ['policy.decision', 'continue'],
    ]);
    expect(to.logs[1]?.attributes).toMatchObject({
      'policy.decision.action': 'deny',
      'security_rule.name': 'team/no-push',
      'gen_ai.agent.name': 'gemini',
      'vcs.repository.url.full': 'https://example.com/acme/shop',
    });
    expect(to.logs[2]?.attributes['policy.monitored']).toEqual(['team/no-tags']);
    expect(Object.keys(to.logs[1]?.resource ?? {}).sort()).toEqual(Object.keys(RESOURCE_ATTRIBUTES).sort());
    expect(to.metrics.map(({ name }) => name)).toEqual(Object.keys(METRICS));
    const [decisions, matches, duration] = to.metrics.map(pointsIn);
    const byAction = decisions?.map(({ attributes, value }) => [attributes['policy.decision.action'], value]);
    expect(byAction).toEqual([
      ['deny', 1],
      ['continue', 2],
    ]);
    expect(matches?.map(({ attributes }) => attributes['policy.match']).sort()).toEqual([
      'matched',
      'monitored',
    ]);
    expect(duration?.reduce((sum, { value }) => sum + value, 0)).toBe(3);

    await decide(workplace, ['ls']);
    expect((await send(workplace, to.url)).stdout).toContain('1 decision as logs, 1 decision as metrics');
    expect((await send(workplace, to.url)).stdout).toContain('0 decisions as logs, 0 decisions as metrics');
    expect(idsAt(to)).toEqual(idsIn(workplace));
    expect(to.logs.filter(({ event }) => event === 'policy.heartbeat')).toHaveLength(3);
  });

  test('sends no text of a command unless it is told to', async () => {
    const [workplace, to] = [place(), receiver()];
    const command = `git push https://me:ghp_${'a1B2'.repeat(9)}@example.com/SECRET-PLACE`;
    await decide(workplace, [command], '--log-input');
    await send(workplace, to.url);
    expect(JSON.stringify([to.logs, to.metrics])).not.toContain('SECRET-PLACE');
    const names = to.logs.flatMap(({ attributes }) => Object.keys(attributes));
    expect(names.filter((name) => !Object.hasOwn(DECISION_ATTRIBUTES, name))).toEqual([]);

    const all = receiver();
    await send(workplace, all.url, '--content', '--only', 'logs');
    expect(all.paths).toEqual(['/v1/logs']);
    const attributes = all.logs[1]?.attributes ?? {};
    expect(attributes['policy.decision.reason']).toContain('SECRET-PLACE');
    expect(attributes['policy.input']).toContain('SECRET-PLACE');
    expect(JSON.stringify(all.logs)).not.toContain('a1B2a1B2');
  });

  test('takes headers and the attributes of the machine from the usual variables', async () => {
    const [workplace, to] = [place(), receiver()];
    await workplace.run({
      args: ['export'],
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${to.url}/otlp/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token',
        OTEL_RESOURCE_ATTRIBUTES: 'team=platform,service.name=other',
      },
    });
    expect(to.paths).toEqual(['/otlp/v1/logs']);
    expect(to.headers[0]?.get('authorization')).toBe('Bearer token');
    expect(to.logs[0]?.resource).toMatchObject({ team: 'platform', 'service.name': 'policy' });
  });

  const status = (code: number) => () => new Response('SECRET BODY', { status: code });
  test.each<readonly [string, Answer, string]>([
    ['says no', status(400), 'it answered 400 Bad Request'],
    ['wants a token', status(401), 'it answered 401 Unauthorized'],
    ['fails', status(500), 'it answered 500 Internal Server Error'],
    ['sends it elsewhere', () => Response.redirect('http://127.0.0.1:1/'), 'it answered 302 Found'],
    ['is no receiver', () => new Response('<html>'), 'no OTLP receiver answers there'],
    [
      'is slow',
      async () => {
        await Bun.sleep(3_000);
        return Response.json({});
      },
      'Request timed out',
    ],
  ])('loses and doubles nothing where the receiver %s', async (_name, answer, message) => {
    const [workplace, to] = [place(), receiver()];
    await decide(workplace, ['ls', 'git push']);
    to.answers.push(answer);
    const said = await send(workplace, to.url);
    expect([said.exitCode, said.stdout]).toEqual([1, '']);
    expect(said.stderr).toBe(
      `Cannot send logs to ${to.url}/: ${message}. What was not sent stays in the log for the next time\n`,
    );
    await decide(workplace, ['ls']);
    // This time the metrics are refused.
    to.answers.push(undefined, status(400));
    const half = await send(workplace, to.url);
    expect(half.stdout).toBe(`Sent to ${to.url}/: 3 decisions as logs, 0 decisions as metrics\n`);
    expect(half.stderr).toContain('Cannot send metrics');
    expect((await send(workplace, to.url)).exitCode).toBe(0);
    expect(idsAt(to)).toEqual(idsIn(workplace));
    const [decisions] = to.metrics.map(pointsIn);
    expect(decisions?.reduce((sum, { value }) => sum + value, 0)).toBe(3);
  });

  test('tries again where the receiver is away for a moment or asks to wait, and keeps all if it stays away', async () => {
    const [workplace, to] = [place(), receiver()];
    await decide(workplace, ['ls']);
    const busy = () => new Response(null, { status: 503, headers: { 'retry-after': '0' } });
    to.answers.push(...Array.from({ length: 20 }, () => busy));
    const refused = await send(workplace, to.url, '--only', 'logs');
    expect(refused.stderr).toContain('it answered that it cannot take them now (429, 502, 503 or 504)');
    to.answers.length = 0;
    to.answers.push(() => new Response(null, { status: 429 }));
    const patient = await workplace.run({ args: ['export', '--otlp', to.url, '--only', 'logs'] });
    expect(patient.exitCode).toBe(0);
    expect(idsAt(to)).toEqual(idsIn(workplace));
    const gone = await send(workplace, 'http://127.0.0.1:1');
    expect([gone.exitCode, gone.stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
  });

  test('says what the receiver has thrown away', async () => {
    const [workplace, to] = [place(), receiver()];
    await decide(workplace, ['ls']);
    to.answers.push(() =>
      Response.json({ partialSuccess: { rejectedLogRecords: '1', errorMessage: 'too old' } }),
    );
    const said = await send(workplace, to.url, '--only', 'logs');
    expect([said.exitCode, said.stderr]).toEqual([0, expect.stringContaining('too old')]);
  });

  test('keeps its place for each receiver by itself, over files that are put aside', async () => {
    const [workplace, one, two] = [place(), receiver(), receiver()];
    await decide(workplace, ['ls']);
    await send(workplace, one.url);
    const path = join(workplace.state, 'decisions.jsonl');
    // As long as one that is put aside by the next decision.
    const line = readFileSync(path, 'utf8')
      .replace(/,"covers".*/, '}')
      .replace(/"session":"[^"]*"/, `"session":"${'s'.repeat(4_000)}"`);
    expect(line.length).toBeGreaterThan(4_000);
    const copies = Math.ceil((16 * 1024 * 1024) / line.length);
    appendFileSync(path, line.repeat(copies));
    await decide(workplace, ['ls', 'ls']);
    expect((await send(workplace, one.url, '--only', 'logs')).exitCode).toBe(0);
    expect(idsAt(one).length).toBe(1 + copies + 1);
    // Only then the file that was put aside counts as finished.
    await Bun.sleep(5_100);
    await send(workplace, one.url, '--only', 'logs');
    expect(idsAt(one).length).toBe(1 + copies + 2);
    await send(workplace, two.url, '--only', 'logs');
    expect(idsAt(two)).toEqual(idsAt(one));
  });

  test('says that decisions were deleted before they were sent', async () => {
    const [workplace, to] = [place(), receiver()];
    await decide(workplace, ['ls']);
    await send(workplace, to.url);
    rmSync(join(workplace.state, 'decisions.jsonl'));
    await decide(workplace, ['git push', 'ls']);
    const said = await send(workplace, to.url, '--only', 'logs');
    expect(said.stderr).toContain('Decisions were deleted from the log before they were sent');
    expect(idsAt(to).slice(1)).toEqual(idsIn(workplace));
  });

  test('sends once where several processes send at the same time', async () => {
    const [workplace, to] = [place(), receiver()];
    await decide(workplace, ['ls', 'ls']);
    const all = await Promise.all(Array.from({ length: 4 }, () => send(workplace, to.url, '--only', 'logs')));
    expect(idsAt(to)).toEqual(idsIn(workplace));
    for (const { exitCode, stderr } of all) {
      if (exitCode !== 0) expect(stderr).toContain('another process on this machine is sending them');
    }
    expect(all.some(({ exitCode }) => exitCode === 0)).toBe(true);
  });

  test('sends again what was sent by a process that was killed before it could keep that', async () => {
    const [workplace, to] = [place(), receiver()];
    await decide(workplace, ['ls']);
    to.answers.push(async () => {
      await Bun.sleep(60_000);
      return Response.json({});
    });
    const killed = await workplace.run({ shell: `timeout -s KILL 0.7 "$@" export --otlp ${to.url}` });
    expect(killed.exitCode).toBe(137);
    expect((await send(workplace, to.url)).exitCode).toBe(0);
    expect(idsAt(to)).toEqual(idsIn(workplace));
  });

  test.each<readonly [readonly string[], string]>([
    [[], 'name a receiver'],
    [['--otlp', 'collector'], 'Cannot use --otlp "collector"'],
    [['--otlp', 'ftp://x'], 'give an http or https URL'],
    [['--otlp', 'http://me:pass@x'], 'put a token into OTEL_EXPORTER_OTLP_HEADERS'],
    [['--otlp', 'http://x', '--only', 'traces'], 'give one of logs, metrics'],
    [['logs'], 'Cannot use "logs"'],
  ])('refuses %j', async (args, message) => {
    const said = await place().run({ args: ['export', ...args] });
    expect([said.exitCode, said.stdout]).toEqual([2, '']);
    expect(said.stderr).toContain(message);
    expect(said.stderr).not.toContain('pass@');
  });

  test('says what is wrong with a broken file of its own', async () => {
    const [workplace, to] = [place(), receiver()];
    await decide(workplace, ['ls']);
    writeFileSync(join(workplace.state, 'export.db'), 'no database at all'.repeat(100));
    const said = await send(workplace, to.url);
    expect([said.exitCode, said.stdout]).toEqual([4, '']);
    expect(said.stderr).toContain('export.db');
    expect(to.paths).toEqual([]);
  });
});
