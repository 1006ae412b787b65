import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPace, type Pace } from './pace.ts';

const ROOT = join(import.meta.dir, '../..');

/** A folder with everything the measurements need, and nothing of this user's own settings. */
export interface Workplace {
  readonly folder: string;
  readonly policy: string;
  /** A compiled program that reads standard input and prints `{}`, as anybody would write it. */
  readonly floor: string;
  /** The same with the least that a compiled program can do: it writes by itself and ends at once. */
  readonly leastFloor: string;
  /** A compiled program that answers each line with the least that PicoClaw takes. */
  readonly lineServer: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pace: Pace;
  /** A project with a few policies of its own, of the kinds that people write. */
  readonly project: string;
  /** A project with the same policies, out of a repository that is locked. */
  readonly sharing: string;
  /** A folder with so many policies on shell commands, none of which matches. */
  readonly policiesOf: (count: number) => string;
  readonly remove: () => void;
}

const FLOOR = `
import { readFileSync } from 'node:fs';
readFileSync(0);
process.stdout.write('{}');
`;

const LEAST_FLOOR = `
import { readFileSync, writeSync } from 'node:fs';
readFileSync(0);
writeSync(1, '{}');
process.exit(0);
`;

const LINE_SERVER = `
import { writeSync } from 'node:fs';
const decoder = new TextDecoder();
let rest = '';
for await (const chunk of Bun.stdin.stream()) {
  const lines = (rest + decoder.decode(chunk, { stream: true })).split('\\n');
  rest = lines.pop();
  for (const line of lines)
    writeSync(1, JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: { action: 'continue' } }) + '\\n');
}
`;

/** Makes the workplace and compiles the programs to compare with. */
export function makeWorkplace(): Workplace {
  // Paths with this program's own name are looked at more closely.
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  mkdirSync(join(folder, 'home'));
  const policy = join(ROOT, 'dist/policy');
  const env = { HOME: join(folder, 'home') };
  return {
    folder,
    floor: compile(folder, 'floor', FLOOR),
    leastFloor: compile(folder, 'least-floor', LEAST_FLOOR),
    lineServer: compile(folder, 'line-server', LINE_SERVER),
    policy,
    project: writeProject(join(folder, 'project'), PROJECT_POLICIES),
    sharing: writeSharing(folder, policy, env),
    pace: createPace(),
    env,
    policiesOf: (count) => writePolicies(join(folder, `policies-${count}`), count),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function compile(folder: string, name: string, source: string): string {
  const program = join(folder, name);
  writeFileSync(`${program}.ts`, source);
  const options = ['--compile', '--minify', '--bytecode', '--format=esm', '--outfile', program];
  const built = Bun.spawnSync([process.execPath, 'build', `${program}.ts`, ...options], {
    stdout: 'ignore',
    stderr: 'pipe',
  });
  if (built.exitCode !== 0) throw new Error(`Cannot compile ${name}: ${built.stderr}`);
  return program;
}

const PROJECT_POLICIES = `version: 1
policies:
  - {id: npm, command: {run: [npm, npx, yarn]}, action: deny, reason: This project uses pnpm}
  - {id: generated, path: {match: ['src/generated/**', '*.lock'], uses: [write]}, action: deny, reason: Generated}
  - {id: push, command: {subcommand: [git, push], flags: {any: [--force, -f]}}, action: deny, reason: Ask first}
  - {id: database, tool: shell, arguments: {command: '\\bprod(uction)?-db\\b'}, action: deny, reason: Not from here}
  - {id: internal, url: {host: '*.internal.example.com'}, action: deny, reason: Not from here}
`;

function writeProject(folder: string, policies: string): string {
  mkdirSync(join(folder, '.policy'), { recursive: true });
  writeFileSync(join(folder, '.policy/house.yaml'), policies);
  return folder;
}

function writeSharing(folder: string, policy: string, env: Readonly<Record<string, string>>): string {
  const team = join(folder, 'team');
  mkdirSync(team);
  writeFileSync(join(team, 'house.yaml'), PROJECT_POLICIES);
  const project = writeProject(join(folder, 'sharing'), `version: 1\nextends: ['git+file://${team}#main']\n`);
  const git = ['git', '-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];
  run([...git, 'init', '--quiet', '--initial-branch=main'], team, env);
  run([...git, 'add', '--all'], team, env);
  run([...git, 'commit', '--quiet', '--message=policies'], team, env);
  run([policy, 'lock'], project, env);
  return project;
}

function run(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>): void {
  const { exitCode, stderr } = Bun.spawnSync([...argv], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
}

const POLICIES_PER_FILE = 50;

function writePolicies(folder: string, count: number): string {
  mkdirSync(folder, { recursive: true });
  for (let first = 0; first < count; first += POLICIES_PER_FILE) {
    const ids = Array.from(
      { length: Math.min(POLICIES_PER_FILE, count - first) },
      (_, index) => first + index,
    );
    const policies = ids.map(
      (id) =>
        `  - id: rule-${id}\n    tool: shell\n    arguments: {command: '\\bforbidden-${id}\\s+--(force|now)\\b'}\n    action: deny\n    reason: It is forbidden\n`,
    );
    writeFileSync(join(folder, `file-${first}.yaml`), `version: 1\npolicies:\n${policies.join('')}`);
  }
  return folder;
}

/** A shell call as Gemini CLI sends it. */
export function geminiCall(command: string, cwd: string): string {
  return JSON.stringify({
    session_id: 'bench',
    transcript_path: '',
    cwd,
    hook_event_name: 'BeforeTool',
    timestamp: '2026-01-01T00:00:00.000Z',
    tool_name: 'run_shell_command',
    tool_input: { command },
  });
}

/** A shell call as Claude Code sends it. */
export function claudeCall(command: string, cwd: string): string {
  return JSON.stringify({
    session_id: 'bench',
    transcript_path: `${cwd}/.claude/projects/-bench/session.jsonl`,
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command, description: 'Run it' },
    tool_use_id: 'toolu_01',
  });
}

/** A tool call as PicoClaw sends it. */
export function picoclawCall(id: number, method: string, command: string): string {
  const meta = {
    AgentID: 'main',
    TurnID: `main-turn-${Math.floor(id / 8)}`,
    ParentTurnID: '',
    SessionKey: 'bench',
    Iteration: 1,
    TracePath: 'turn.tool.before',
    Source: 'runTurn',
  };
  const context = { inbound: { channel: 'cli', chat_id: 'direct', sender_id: 'cron' } };
  const params = { meta, context, tool: 'exec', arguments: { action: 'run', command } };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** Everyday commands that no policy minds. */
export const EVERYDAY = [
  'git status --short',
  'npm test',
  'ls -la src',
  'cat README.md',
  'node --version',
  'git diff HEAD~1',
];
