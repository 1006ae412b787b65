import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCUMENTED_START, INSTALLED_PROGRAM } from '../../../src/hosts/clean-start.ts';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { type Answer, type GeminiRun, runGemini, toolResults } from '../../e2e/gemini/cli.ts';
import { layOutHome } from '../../support/hostile-environment.ts';

export interface Play {
  /** The program in the place of the hook. */
  readonly program: string;
  /** What the model wants: a command, or any call. */
  readonly call: string | Exclude<Answer, string>;
  /** What it says in order, in place of a call and its end. */
  readonly answers?: readonly Answer[];
  /** Events with a hook; `BeforeTool` unless given. */
  readonly events?: readonly string[];
  readonly prompt?: string;
  /** The policies of the user; one that refuses "forbidden" unless given. */
  readonly policies?: string;
  /** Changes the documented command line. */
  readonly line?: (line: string) => string;
  /** Laid over the documented configuration of the hook. */
  readonly hook?: JsonObject;
  readonly settings?: JsonObject;
  readonly env?: (home: string) => Readonly<Record<string, string>>;
  /** Files by their names, in `home/` or in `project/`. */
  readonly files?: (home: string) => Readonly<Record<string, string>>;
}

/** Plays one turn in a home that is set up as the documentation says, and shows what the look at it finds. */
export async function play<T>(
  { program, call, events = ['BeforeTool'], policies, line = (text) => text, hook, ...more }: Play,
  look: (run: GeminiRun) => T,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'policy-gemini-'));
  try {
    const home = join(folder, 'home');
    layOutHome(home);
    if (policies !== undefined) writeFileSync(join(home, '.config/policy/house.yaml'), policies);
    const documented = gemini.hookConfiguration({ ...DOCUMENTED_START, version: undefined });
    const command = line(String(documented['command'])).replaceAll(INSTALLED_PROGRAM, program);
    const entry: JsonObject = { ...documented, command, ...hook };
    const run = await runGemini({
      folder,
      hooks: Object.fromEntries(events.map((event) => [event, entry])),
      answers: more.answers ?? [
        typeof call === 'string' ? { call: 'run_shell_command', args: { command: call } } : call,
      ],
      prompt: more.prompt ?? 'do it',
      settings: more.settings ?? {},
      // Without it bash takes a hook for a remote shell, and loads ~/.bashrc in place of what BASH_ENV names.
      env: { SHLVL: '1', ...more.env?.(home) },
      files: more.files?.(home) ?? {},
    });
    return look(run);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether the call ran, by the file that it leaves. */
export function ran(file: string): (run: GeminiRun) => string {
  return ({ project, requests }) => {
    if (existsSync(join(project, file))) return 'the tool RAN';
    if (requests.length === 0) return 'no request went to the model';
    return 'the tool did not run';
  };
}

/** The same with what the model is told. */
export function told(file: string): (run: GeminiRun) => string {
  return (run) => `${ran(file)(run)}, the model reads ${JSON.stringify(toolResults(run.requests[1]))}`;
}
