import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../../src/lib/json.ts';
import type { Wish } from '../history-scenes.ts';
import type { RealHost, Scene } from '../real-host.ts';
import { historyOf } from './history.ts';
import type { Answer } from './model-server.ts';
import { type Lists, namesIn, namesOf } from './names.ts';
import { installedProgram, type NpmHost, type Play, type Played, play } from './npm-host.ts';
import { scenesOf } from './scenes.ts';

const TRUSTING = ['--dangerously-bypass-hook-trust'];
const ARGS = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
const CODEX: NpmHost = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.171.0',
  program: '@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex',
  files: (url) => ({
    '.codex/config.toml': `model_provider = "local"
[model_providers.local]
name = "local"
base_url = "${url}/v1"
env_key = "LOCAL_KEY"
wire_api = "responses"
`,
  }),
  args: [...ARGS, ...TRUSTING],
  env: () => ({ LOCAL_KEY: 'none' }),
  shell: (command) => ({ call: 'exec_command', args: { cmd: command } }),
};

function wished(wish: Wish): Answer {
  if (typeof wish === 'string') return wish;
  if ('shell' in wish) return CODEX.shell(wish.shell);
  return 'read' in wish
    ? CODEX.shell(`cat ${wish.read}`)
    : { call: 'apply_patch', input: `*** Begin Patch\n*** Add File: ${wish.write}\n+text\n*** End Patch` };
}

const LISTS: Lists = {
  events(program) {
    const folder = mkdtempSync(join(tmpdir(), 'policy-codex-types-'));
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    Bun.spawnSync([program, 'app-server', 'generate-ts', '--out', folder], { env, cwd: folder });
    const names = namesIn(join(folder, 'v2/HookEventName.ts'), /HookEventName = .*/);
    rmSync(folder, { recursive: true, force: true });
    return names.map((name) => name.charAt(0).toUpperCase() + name.slice(1));
  },
  // Told of a request or of its end; neither shows the request or keeps it from being sent.
  passedOver: ['PreModelRequest', 'PostModelRequest', 'Interrupt'],
};

/** Codex CLI as npm installs it. */
export const codex: RealHost = {
  name: 'codex',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  async *play(policy) {
    yield* scenesOf(CODEX, policy, { stop: 'the tool did not run, the model reads why' });
    yield* historyOf(CODEX, policy, wished, {
      success: 'it does not say whether a command succeeded',
      abort: 'it goes on with the turn',
    });
    yield* patches(policy);
    yield* trust(policy);
    yield* code(policy);
    yield* namesOf(CODEX, policy, LISTS);
  },
};

const GUARDED = `version: 1
name: house
policies:
  - {id: guarded, description: d, path: {match: ['**/guarded.txt'], uses: [write]}, action: deny, reason: Leave that file alone}
`;
const PATCH = '*** Begin Patch\n*** Add File: guarded.txt\n+hi\n*** End Patch';

async function* patches(policy: string): AsyncIterable<Scene> {
  const made = (file: string) => (played: Played) =>
    played.made(file)
      ? 'the file is there'
      : `the file is not there, and the model reads ${played.told('eave that file alone') ? 'why' : 'something else'}`;
  const patching = (input: string): Play => ({
    policy,
    policies: GUARDED,
    answers: [{ call: 'apply_patch', input }],
  });
  yield {
    name: 'deny a patch by its path',
    expected: 'the file is not there, and the model reads why',
    seen: await play(CODEX, patching(PATCH), made('guarded.txt')),
  };
  yield {
    name: 'let a patch pass',
    expected: 'the file is there',
    seen: await play(CODEX, patching(PATCH.replace('guarded', 'other')), made('other.txt')),
  };
  yield {
    name: 'deny a patch in a here-document',
    expected: 'the file is not there, and the model reads why',
    seen: await play(
      CODEX,
      { policy, policies: GUARDED, answers: [CODEX.shell(`apply_patch <<'E'\n${PATCH}\nE`)] },
      made('guarded.txt'),
    ),
  };
}

/** What Codex CLI and the doctor make of hooks that nobody has trusted, and of those that somebody has. */
async function* trust(policy: string): AsyncIterable<Scene> {
  const forbidden: Play = {
    policy,
    policies: GUARDED,
    args: ARGS,
    answers: [CODEX.shell('touch guarded.txt')],
  };
  let doctor = '';
  const examine = (home: string, project: string) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: home };
    const { stdout } = Bun.spawnSync([policy, 'doctor', '--host', 'codex'], { cwd: project, env });
    doctor = stdout.toString().includes('nobody has trusted it') ? 'untrusted' : 'trusted';
  };
  const seen = (played: Played) =>
    `the doctor says ${doctor}, and the tool ${played.made('guarded.txt') ? 'RAN' : 'did not run'}`;
  yield {
    name: 'a hook that nobody has trusted',
    expected: 'the doctor says untrusted, and the tool RAN',
    seen: await play(CODEX, { ...forbidden, prepare: examine }, seen),
  };
  yield {
    name: 'a hook that a person has trusted',
    expected: 'the doctor says trusted, and the tool did not run',
    seen: await play(
      CODEX,
      {
        ...forbidden,
        async prepare(home, project) {
          for (const { key, currentHash } of await hooksOf(home, project))
            appendFileSync(
              join(home, '.codex/config.toml'),
              `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(currentHash)}\n`,
            );
          examine(home, project);
        },
      },
      seen,
    ),
  };
}

/** The hooks as Codex CLI itself lists them. */
async function hooksOf(home: string, project: string): Promise<readonly JsonObject[]> {
  const requests = [
    { id: 1, method: 'initialize', params: { clientInfo: { name: 'scenes', version: '1' } } },
    { method: 'initialized' },
    { id: 2, method: 'hooks/list', params: { cwds: [project] } },
  ];
  const child = Bun.spawn([installedProgram(CODEX), 'app-server'], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: 20_000,
  });
  child.stdin.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  child.stdin.flush();
  let text = '';
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    const line = text.split('\n').find((each) => each.startsWith('{"id":2') && each.endsWith('}'));
    if (line === undefined) continue;
    child.kill();
    const [first] = JSON.parse(line).result.data as readonly { readonly hooks: readonly unknown[] }[];
    return (first?.hooks ?? []).filter(isJsonObject);
  }
  throw new Error('Cannot list the hooks: Codex CLI gave no answer');
}

/** Tools that code calls are shown one by one, with the folder in which they run. */
async function* code(policy: string): AsyncIterable<Scene> {
  const made = (file: string) => (played: Played) =>
    `the file is ${played.made(file) ? 'there' : 'not there'}`;
  const running = (input: string, policies = GUARDED): Play => ({
    policy,
    policies,
    answers: [{ call: 'exec', input }],
    prepare: (_home, project) => mkdirSync(join(project, 'sub')),
  });
  yield {
    name: 'deny a command that code runs in another folder, by its path',
    expected: 'the file is not there',
    seen: await play(
      CODEX,
      running(
        'text(JSON.stringify(await tools.exec_command({cmd: "touch kept.txt", workdir: "sub"})))',
        GUARDED.replace('**/guarded.txt', '**/sub/kept.txt'),
      ),
      made('sub/kept.txt'),
    ),
  };
  yield {
    name: 'let a command pass that code runs',
    expected: 'the file is there',
    seen: await play(
      CODEX,
      running('text(JSON.stringify(await tools.exec_command({cmd: "touch other.txt", workdir: "sub"})))'),
      made('sub/other.txt'),
    ),
  };
  yield {
    name: 'deny a patch that code applies',
    expected: 'the file is not there',
    seen: await play(
      CODEX,
      running(`text(await tools.apply_patch(${JSON.stringify(PATCH)}))`),
      made('guarded.txt'),
    ),
  };
}
