import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { writeFiles } from '../../support/write-files.ts';

/** The program that npm installs here. */
export const BUNDLE = join(import.meta.dir, 'node_modules/@google/gemini-cli/bundle/gemini.js');

/** What the model says in one answer: text, or a tool call. */
export type Answer = string | { readonly call: string; readonly args: JsonObject };

export interface GeminiOptions {
  /** An empty folder for the home, the settings and the project. */
  readonly folder: string;
  /** Command lines by event, or more of the configuration of a hook. */
  readonly hooks: Readonly<Record<string, string | JsonObject>>;
  /** What the model says, in order; after the last it says "done". */
  readonly answers: readonly Answer[];
  readonly prompt?: string;
  /** More of the user's settings. */
  readonly settings?: JsonObject;
  /** Files by their names: in `home/` or in `project/`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** What is done in the home and the project before it starts. */
  readonly prepare?: (home: string, project: string) => void;
}

export interface GeminiRun {
  readonly exitCode: number;
  /** The final words, as the user reads them. */
  readonly response: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The project folder. */
  readonly project: string;
  /** What was sent to the model, in order. */
  readonly requests: readonly JsonObject[];
}

/** Runs the real Gemini CLI without a terminal against a model on this machine that says what it is told. */
export async function runGemini(options: GeminiOptions): Promise<GeminiRun> {
  const { home, project } = layOut(options);
  options.prepare?.(home, project);
  const requests: JsonObject[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body: unknown = await request.json().catch(() => ({}));
      if (!request.url.includes(':streamGenerateContent')) return Response.json({ totalTokens: 1 });
      requests.push({ ...(isJsonObject(body) ? body : {}), url: request.url });
      return stream(options.answers[requests.length - 1] ?? 'done');
    },
  });
  try {
    const child = Bun.spawn(
      ['node', BUNDLE, '-p', options.prompt ?? 'do it', '-m', 'gemini-2.5-flash', '-o', 'json', '--yolo'],
      {
        cwd: project,
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: home,
          GEMINI_CLI_HOME: home,
          GEMINI_API_KEY: 'none',
          GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${server.port}`,
          GEMINI_CLI_TRUST_WORKSPACE: 'true',
          GEMINI_CLI_NO_RELAUNCH: 'true',
          GEMINI_PTY_INFO: 'child_process',
          ...options.env,
        },
      },
    );
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { exitCode, response: responseIn(stdout), stdout, stderr, project, requests };
  } finally {
    await server.stop(true);
  }
}

/** The results of tools that a request carries, by tool. */
export function toolResults(request: JsonObject | undefined): readonly Json[] {
  const found: Json[] = [];
  JSON.stringify(request ?? {}, (key, value: Json) => {
    if (key === 'functionResponse' && isJsonObject(value)) found.push(value['response'] ?? null);
    return value;
  });
  return found;
}

function layOut({ folder, hooks, files = {}, settings: more = {} }: GeminiOptions): {
  readonly home: string;
  readonly project: string;
} {
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  mkdirSync(join(home, '.gemini'), { recursive: true });
  mkdirSync(project, { recursive: true });
  writeFiles(folder, files);
  const settings = {
    ...more,
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    hooks: Object.fromEntries(
      Object.entries(hooks).map(([event, hook]) => [
        event,
        [
          {
            hooks: [
              {
                type: 'command',
                name: 'policy',
                timeout: 20_000,
                ...(typeof hook === 'string' ? { command: hook } : hook),
              },
            ],
          },
        ],
      ]),
    ),
  };
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
  return { home, project };
}

function stream(answer: Answer): Response {
  const part =
    typeof answer === 'string'
      ? { text: answer }
      : { functionCall: { name: answer.call, args: answer.args } };
  const chunk = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  return new Response(`data: ${JSON.stringify(chunk)}\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}

function responseIn(stdout: string): string {
  try {
    const output: unknown = JSON.parse(stdout);
    const response = isJsonObject(output) ? output['response'] : undefined;
    return typeof response === 'string' ? response : '';
  } catch {
    return stdout;
  }
}
