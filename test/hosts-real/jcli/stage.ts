import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jcli as HOST } from '../../../src/hosts/jcli/jcli.ts';
import type { Json, JsonObject } from '../../../src/lib/json.ts';
import { type FakeModel, type ModelRequest, type Reply, startModel } from './model.ts';

const EVENTS =
  'pre_send_message, pre_llm_request, pre_tool_execution, post_tool_execution, post_tool_execution_failure, stop';

/** Where a scene is played: a home with jcli's hooks in it, and a project. */
export interface Stage {
  readonly home: string;
  readonly project: string;
  /** Sends events through jcli's hooks, those of one list at the same time. */
  chain(
    batches: readonly (readonly JsonObject[])[],
    cd?: string,
  ): Promise<readonly (readonly JsonObject[])[]>;
  /** Talks to the whole of jcli, with a model that follows a script. */
  talk(
    prompts: readonly string[],
    script: (request: ModelRequest, index: number) => Reply,
  ): Promise<{ readonly turns: readonly Turn[]; readonly model: FakeModel }>;
}

/** What has come of a prompt. */
export interface Turn {
  /** The conversation up to here. */
  readonly messages: readonly JsonObject[];
  /** What jcli shows to the person; null for nothing. */
  readonly toast: string | null;
}

export interface StageOptions {
  /** The program of `main.rs`. */
  readonly jcli: string;
  readonly policy: string;
  readonly policies: string;
  /** What comes in front of the program in the hook's command. */
  readonly before?: string;
}

/** Lays out a stage in an empty folder. */
export function setStage(folder: string, { jcli, policy, policies, before = '' }: StageOptions): Stage {
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  const data = join(home, '.jdata');
  const hook = join(data, 'agent/hooks/policy');
  const config = join(home, '.config/policy');
  for (const path of [hook, config, join(data, 'agent/data'), join(project, '.git')])
    mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(config, 'house.yaml'), policies);
  const { command: line } = HOST.hookConfiguration({ program: policy, home, version: undefined });
  const command = String(line).replace(policy, before + policy);
  const settings = { events: `[${EVENTS}]`, type: 'bash', command: JSON.stringify(command), timeout: 10 };
  const lines = Object.entries(settings).map(([key, value]) => `${key}: ${value}\n`);
  writeFileSync(join(hook, 'HOOK.yaml'), lines.join(''));

  const run = async (mode: string, input: Json, cd = '.'): Promise<Json> => {
    const child = spawn('sh', ['-c', `cd "$(printf '${cd}')" && exec "$0" ${mode}`, jcli], {
      cwd: project,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, J_DATA_PATH: data, TERM: 'dumb' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(JSON.stringify(input));
    const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    const last = stdout.trimEnd().split('\n').at(-1) ?? '';
    try {
      return JSON.parse(last) as Json;
    } catch {
      throw new Error(`jcli said nothing: ${stderr.slice(-2_000)}`);
    }
  };

  return {
    home,
    project,
    chain: async (batches, cd) => (await run('chain', batches, cd)) as unknown as JsonObject[][],
    talk: async (prompts, script) => {
      const model = startModel(script);
      const provider = { name: 'fake', api_base: model.url, api_key: 'none', model: 'gpt-4o' };
      const config = { providers: [provider], active_index: 0, tools_enabled: true, deferred_tools: [] };
      writeFileSync(join(data, 'agent/data/agent_config.json'), JSON.stringify(config));
      try {
        return { turns: (await run('talk', prompts)) as unknown as Turn[], model };
      } finally {
        model.stop();
      }
    },
  };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
