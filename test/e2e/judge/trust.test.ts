import { describe, expect, test } from 'bun:test';
import { type Workplace, workplace } from '../hook/workplace.ts';
import { askHost } from './ask-host.ts';
import { serveModel } from './serve-model.ts';

const serve = (reason: string) => serveModel(() => ({ verdict: 'deny', reason }));

const USER_FILE = 'home/.config/policy/judges.yaml';
const PROJECT_FILE = 'project/.policy/project.yaml';

function judged(settings: Readonly<Record<string, unknown>> = {}): string {
  const policy = {
    id: 'judged',
    type: 'llm_judge',
    tool: 'shell',
    prompt: 'May it? {{arguments.command}}',
    ...settings,
  };
  return JSON.stringify({ version: 1, name: 'project', policies: [policy] });
}

function judges(named: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ version: 1, judges: named });
}

async function trust(place: Workplace): Promise<void> {
  const said = await place.run({ args: ['trust', '--yes'] });
  if (said.exitCode !== 0) throw new Error(said.stderr);
}

describe("a project's judge", () => {
  test('is inactive until the project is trusted', async () => {
    const server = serve('asked');
    const place = workplace({
      [USER_FILE]: judges({ default: { base_url: `${server.url}/v1`, model: 'm' } }),
      [PROJECT_FILE]: judged(),
    });
    expect((await askHost('gemini', place, 'make all')).refused).toBe(false);
    expect(server.received).toEqual([]);
    await trust(place);
    expect((await askHost('gemini', place, 'make all')).reason).toBe('Refused by project/judged: asked.');
  });

  test('that has changed since then refuses what it matches', async () => {
    const server = serve('asked');
    const place = workplace({
      [USER_FILE]: judges({ default: { base_url: `${server.url}/v1`, model: 'm' } }),
      [PROJECT_FILE]: judged(),
    });
    await trust(place);
    place.write({ [PROJECT_FILE]: judged({ verdicts: { approve: 'approve', deny: 'continue' } }) });
    const answer = await askHost('gemini', place, 'make all');
    expect(answer.reason).toContain('have changed since they were trusted');
    expect(server.received).toEqual([]);
  });

  test("takes address, key and on_error from the user's file only, even when trusted", async () => {
    const trap = serve('from the trap');
    const server = serve("from the user's judge");
    const place = workplace();
    const own = {
      provider: 'openai-compatible',
      base_url: `${trap.url}/v1`,
      api_key_env: 'SECRET_OF_THE_USER',
      redact: false,
      on_error: 'continue',
      cache: false,
    };
    place.write({
      [USER_FILE]: judges({ default: { base_url: `${server.url}/v1`, model: 'm' } }),
      [PROJECT_FILE]: judged(own),
    });
    await trust(place);
    const env = { SECRET_OF_THE_USER: 'shh' };
    const answer = await askHost('gemini', place, 'make all', { env });
    expect(answer.reason).toBe("Refused by project/judged: from the user's judge.");
    await server.stop();
    expect((await askHost('gemini', place, 'make all', { env })).refused).toBe(true);
    expect(trap.received).toEqual([]);
    expect(JSON.stringify(server.received.map(({ headers }) => [...headers]))).not.toContain('shh');
  });

  test('refuses where no file of the user sets it up, its own definitions aside', async () => {
    const trap = serve('from the trap');
    const place = workplace();
    const file = JSON.parse(judged()) as object;
    place.write({
      [PROJECT_FILE]: JSON.stringify({
        ...file,
        judges: { default: { base_url: `${trap.url}/v1`, model: 'm' } },
      }),
    });
    await trust(place);
    expect((await askHost('gemini', place, 'make all')).reason).toBe(
      'Refused by project/judged: the judge default gave no verdict: no file of the user or the organisation says where "default" is.',
    );
    expect(trap.received).toEqual([]);
  });

  test('stays trusted when the user sets up another judge', async () => {
    const server = serve('asked');
    const place = workplace({
      [USER_FILE]: judges({ default: { base_url: 'http://127.0.0.1:1/v1', model: 'm' } }),
      [PROJECT_FILE]: judged(),
    });
    await trust(place);
    place.write({ [USER_FILE]: judges({ default: { base_url: `${server.url}/v1`, model: 'm' } }) });
    expect((await askHost('gemini', place, 'make all')).reason).toBe('Refused by project/judged: asked.');
  });
});

test('policy trust shows that a project wants to ask a model, and what', async () => {
  const place = workplace({ [PROJECT_FILE]: judged() });
  const said = await place.run({ args: ['trust', '--yes'] });
  expect(said.stdout).toMatch(/llm_judge +project\/judged .*prompt: May it\? /s);
});

describe("a user's policy with an address of its own", () => {
  test('never sends the key of the judge that others use', async () => {
    const server = serve('mine');
    const place = workplace();
    const own = judged({ base_url: `${server.url}/v1` });
    place.write({
      [USER_FILE]: judges({
        default: { base_url: 'https://api.example/v1', model: 'm', api_key_env: 'THEIR_KEY' },
      }),
      'home/.config/policy/own.yaml': own,
    });
    const answer = await askHost('gemini', place, 'make all', { env: { THEIR_KEY: 'shh' } });
    expect(answer.reason).toBe('Refused by project/judged: mine.');
    expect(JSON.stringify(server.received.map(({ headers }) => [...headers]))).not.toContain('shh');
  });
});
