// Builds the binary: `bun build.ts` for this machine into dist/policy, `bun build.ts --all` for every platform.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = import.meta.dir;
const DIST = join(ROOT, 'dist');
const TARGETS = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
  'windows-x64',
] as const;
type Target = (typeof TARGETS)[number];

/** What most processes do, most frequent first: their code comes first in the binary, so that starting reads little. */
const USUAL_COMMANDS = [
  { command: 'git status', exitCode: 0 },
  { command: 'npm run build && cat README.md', exitCode: 0 },
  { command: 'rm -rf /', exitCode: 2 },
];
/** Code runs this many times longer in the interpreter before it is compiled: most processes end before that pays. */
const JIT_POLICY = 10;

process.exit(main(process.argv.slice(2)));

function main(args: readonly string[]): number {
  const unknown = args.find((arg) => arg !== '--all');
  if (unknown !== undefined) return fail(`Cannot use argument "${unknown}": the only one is --all`);
  if (!run([process.execPath, join(ROOT, 'scripts/generate.ts')])) return 1;
  mkdirSync(DIST, { recursive: true });
  const native = nativeTarget();
  if (native === undefined) {
    return fail(`Cannot build on ${process.platform} ${process.arch}: there is no runtime for it`);
  }
  const scratch = mkdtempSync(join(tmpdir(), 'policy-build-'));
  try {
    const profiles = recordProfiles(native, scratch);
    if (profiles === undefined) return 1;
    return args.includes('--all')
      ? buildAll(native, profiles)
      : buildOne(native, join(DIST, `policy${suffix(native)}`), profiles);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function buildOne(target: Target, outfile: string, profiles: readonly string[]): number {
  return compile(target, outfile, profiles) && smoke(outfile) ? 0 : 1;
}

function buildAll(native: Target, profiles: readonly string[]): number {
  const files: string[] = [];
  for (const target of TARGETS) {
    const outfile = join(DIST, `policy-${target}${suffix(target)}`);
    if (!compile(target, outfile, profiles)) return 1;
    if (target === native && !smoke(outfile)) return 1;
    files.push(outfile);
  }
  const sums = files.map((file) => `${sha256(file)}  ${basename(file)}\n`).join('');
  writeFileSync(join(DIST, 'SHA256SUMS'), sums);
  console.log(`${files.length} binaries and SHA256SUMS are in ${DIST}`);
  return 0;
}

/** Lets a first binary judge a few calls and record which of its functions that takes: files for every target. */
function recordProfiles(native: Target, scratch: string): readonly string[] | undefined {
  const binary = join(scratch, `first${suffix(native)}`);
  if (!compile(native, binary, [])) return undefined;
  const profiles = USUAL_COMMANDS.map((_, index) => join(scratch, `${index}.order`));
  for (const [index, { command, exitCode }] of USUAL_COMMANDS.entries()) {
    const run = Bun.spawnSync([binary, 'hook', '--host', 'gemini', '--policies', 'builtin:baseline'], {
      stdin: Buffer.from(shellCall(command, scratch)),
      env: { HOME: scratch, BUN_BYTECODE_ORDER_OUT: profiles[index] ?? '' },
    });
    if (run.exitCode === exitCode && existsSync(profiles[index] ?? '')) continue;
    fail(
      `Cannot record how the binary judges "${command}": exit code ${run.exitCode}\n${run.stdout}${run.stderr}`,
    );
    return undefined;
  }
  return profiles;
}

function shellCall(command: string, cwd: string): string {
  return JSON.stringify({
    hook_event_name: 'BeforeTool',
    session_id: 'build',
    transcript_path: '',
    cwd,
    timestamp: '2026-01-01T00:00:00.000Z',
    tool_name: 'run_shell_command',
    tool_input: { command },
  });
}

function compile(target: Target, outfile: string, profiles: readonly string[]): boolean {
  // A failed build must not leave an older binary behind that looks like its result.
  rmSync(outfile, { force: true });
  const done = run([
    process.execPath,
    'build',
    join(ROOT, 'src/main.ts'),
    '--compile',
    '--minify',
    '--bytecode',
    // What is imported lazily becomes a part of its own: a process reads only what it runs.
    '--splitting',
    '--format=esm',
    // Whoever controls the working directory must not set our environment or preload code.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    `--target=bun-${target}`,
    `--compile-jit-policy=${JIT_POLICY}`,
    ...(profiles.length === 0 ? [] : [`--bytecode-order=${profiles.join(',')}`]),
    `--define=BUILD_TARGET=${JSON.stringify(target)}`,
    `--outfile=${outfile}`,
  ]);
  if (done && existsSync(outfile)) return true;
  fail(
    `Cannot build for ${target}: see above. The runtime of another platform is an npm package that bun fetches ` +
      `(@oven/bun-* ${Bun.version}), so the npm registry must be reachable`,
  );
  return false;
}

/** Runs the binary once, where nothing of the source tree can help it. */
function smoke(binary: string): boolean {
  const { exitCode, stdout } = Bun.spawnSync([binary, '--version'], { cwd: DIST, stderr: 'inherit' });
  const text = stdout.toString().trim();
  if (exitCode === 0 && text.startsWith('policy ')) {
    console.log(`${binary}: ${text}`);
    return true;
  }
  fail(`Cannot use ${binary}: --version ends with exit code ${exitCode} and prints "${text}"`);
  return false;
}

function run(argv: readonly string[]): boolean {
  return Bun.spawnSync([...argv], { cwd: ROOT, stdout: 'inherit', stderr: 'inherit' }).exitCode === 0;
}

function nativeTarget(): Target | undefined {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const musl = system === 'linux' && existsSync('/etc/alpine-release') ? '-musl' : '';
  return TARGETS.find((target) => target === `${system}-${process.arch}${musl}`);
}

function suffix(target: Target): string {
  return target.startsWith('windows') ? '.exe' : '';
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function fail(message: string): number {
  console.error(message);
  return 1;
}
