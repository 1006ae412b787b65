import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  finding,
  type HookFinding,
  type Installation,
  type Machine,
  REINSTALL,
} from '../../../hosts/installation.ts';
import { isJsonObject, type JsonObject, own } from '../../../lib/json.ts';
import { hostProgram, readConfiguration } from '../install/machine.ts';
import { runBriefly } from '../run-briefly.ts';
import { isOfWorkspace, startProblem } from './start-problem.ts';

const MAX_WAIT_MS = 60_000;
/** These settings decide about hooks. Nothing else may start: no server of tools, and no hook of the project. */
const KEPT_SETTINGS = { user: ['hooks', 'hooksConfig'], project: ['hooksConfig'] } as const;
const README = 'canary-7f3a';

/**
 * Runs the installed Gemini CLI with temporary settings and a temporary project, which do not confine it, with the person's
 * hooks and a model that wants a policy written and a file read.
 */
export async function playGemini(
  installation: Installation,
  machine: Machine,
): Promise<readonly HookFinding[]> {
  const program = hostProgram(installation, machine.env);
  if (program === undefined)
    return [finding('not-played', 'Gemini CLI is not on PATH', 'put it there, or leave --play out')];
  const cause = startProblem(program, machine);
  if (cause !== undefined) {
    const message = `PATH leads to ${program}, which policy doctor does not start: ${cause}`;
    return [finding('not-played', message, 'remove the folder from PATH, or omit --play')];
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-play-')));
  try {
    const project = join(folder, 'project');
    const canary = join(project, '.policy/canary.yaml');
    writeFolders(folder, project, installation, machine);
    const { requests, said } = await play(program, folder, project, machine, [
      { name: 'write_file', args: { file_path: canary, content: 'version: 1' } },
      { name: 'read_file', args: { file_path: join(project, 'README.md') } },
    ]);
    const [, afterWrite, afterRead] = requests;
    if (afterWrite === undefined) {
      const message = `Gemini CLI played no call; it says ${JSON.stringify(said.slice(-200))}`;
      return [finding('not-played', message, 'see that gemini -p hello works')];
    }
    if (existsSync(canary))
      return [finding('canary-refused', 'Gemini CLI itself lets an agent write a policy', REINSTALL)];
    if (JSON.stringify(afterRead ?? {}).includes(README)) return [];
    const message = 'Gemini CLI itself does not let an agent read README.md';
    return [finding('canary-passed', message, 'policy explain shows which policy it was')];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeFolders(folder: string, project: string, installation: Installation, machine: Machine): void {
  const settings = {
    user: {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
    },
    project: {},
  };
  const places = { user: join(folder, '.gemini'), project: join(project, '.gemini') };
  for (const scope of ['user', 'project'] as const) {
    const [path = ''] = installation.places(scope, machine);
    const theirs: unknown = Bun.JSONC.parse(readConfiguration(path) ?? '{}');
    const kept = KEPT_SETTINGS[isOfWorkspace(path, machine) ? 'project' : scope].flatMap((key) => {
      const value = isJsonObject(theirs) ? own(theirs, key) : undefined;
      return value === undefined ? [] : [[key, value]];
    });
    mkdirSync(places[scope], { recursive: true });
    const all = { ...Object.fromEntries(kept), ...settings[scope] };
    const text = JSON.stringify(all).replaceAll(' hook --host gemini', ' hook --host gemini --no-log');
    writeFileSync(join(places[scope], 'settings.json'), text);
  }
  writeFileSync(join(project, 'README.md'), README);
}

/** Plays a model that wants these calls one by one. Returns the requests to it and the output of Gemini CLI. */
async function play(
  program: string,
  folder: string,
  cwd: string,
  { env }: Machine,
  calls: readonly { readonly name: string; readonly args: JsonObject }[],
): Promise<{ readonly requests: readonly unknown[]; readonly said: string }> {
  const requests: unknown[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body: unknown = await request.json().catch(() => null);
      if (!request.url.includes(':streamGenerateContent')) return Response.json({ totalTokens: 1 });
      const functionCall = calls[requests.length];
      requests.push(body);
      return modelReply(functionCall === undefined ? { text: 'done' } : { functionCall });
    },
  });
  try {
    const { stdout, stderr } = await runBriefly({
      argv: [program, '-p', 'play', '-m', 'gemini-2.5-flash', '-o', 'json', '--yolo'],
      cwd,
      env: {
        ...env,
        GEMINI_CLI_HOME: folder,
        GEMINI_API_KEY: 'none',
        GOOGLE_GEMINI_BASE_URL: server.url.origin,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      },
      input: '',
      timeoutMs: MAX_WAIT_MS,
    });
    return { requests, said: (stderr || stdout).trim() };
  } finally {
    await server.stop(true);
  }
}

function modelReply(part: object): Response {
  const chunk = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  return new Response(`data: ${JSON.stringify(chunk)}\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}
