// Builds the binary: `bun build.ts` for this machine into dist/policy, `bun build.ts TARGET...` and `--all` for platforms
// into dist/policy-TARGET.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeParts } from './scripts/merge-parts.ts';
import { binaryName, nativeTarget, type Target, targetsNamed } from './scripts/pack/targets.ts';

const ROOT = import.meta.dir;
/** Says that the generated files are there already. */
const GENERATED = '--generated';
const DIST = join(ROOT, 'dist');
/** What most processes do, most frequent first: their code comes first in the binary, so that starting reads little. */
const USUAL_COMMANDS = [
  { command: 'ls -la src', exitCode: 0 },
  { command: "cd web && grep -rn 'word' src --include='*.ts' 2>&1 | head -20", exitCode: 0 },
  { command: 'npm run build 2>&1 | tail -n 20 && cat README.md', exitCode: 0 },
  {
    command: "git add -A && git commit -F - <<'EOF'\nqueue: keep the order\n\nOf retries, too.\nEOF",
    exitCode: 0,
  },
  { command: "find src -name '*.ts' | xargs grep word > found.txt", exitCode: 0 },
  {
    command: "python3 - <<'EOF'\nimport json\nwith open('a.json') as f:\n    print(len(json.load(f)))\nEOF",
    exitCode: 0,
  },
  { command: 'for f in lib/*.sh; do bash -n "$f" || echo "broken: $f"; done', exitCode: 0 },
  { command: 'rm -rf /', exitCode: 2 },
];
/** The same where policies ask what came before. */
const REMEMBERED_COMMANDS = [
  { command: 'npm test', exitCode: 0 },
  { command: 'echo 1 > src/a.ts', exitCode: 0 },
  { command: 'git push', exitCode: 2 },
];
const REMEMBERING = `version: 1
name: delivery
facts:
  edited: {path: {match: 'src/**', uses: [write, delete]}}
  tested: {command: {subcommand: [npm, test]}, outcome: succeeded}
policies:
  - {id: push, command: {subcommand: [git, push]}, history: {not_seen: tested, since: edited, within: session}, action: deny, reason: No}
`;
/** Code runs this many times longer in the interpreter before it is compiled: most processes end before that pays. */
const JIT_POLICY = 100;

process.exit(await main(process.argv.slice(2)));

async function main(words: readonly string[]): Promise<number> {
  const args = words.filter((word) => word !== GENERATED);
  const targets = targetsNamed(args);
  if (!words.includes(GENERATED) && !run([process.execPath, join(ROOT, 'scripts/generate.ts')])) return 1;
  mkdirSync(DIST, { recursive: true });
  const native = nativeTarget();
  const scratch = mkdtempSync(join(tmpdir(), 'policy-build-'));
  try {
    const profiles = await recordProfiles(native, scratch);
    if (profiles === undefined) return 1;
    for (const target of targets) {
      const outfile = join(DIST, args.length === 0 ? 'policy' : binaryName(target));
      if (!(await compile(target, outfile, profiles))) return 1;
      if (target.name === native.name && !smoke(outfile)) return 1;
    }
    return 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Lets a first binary judge a few calls and record which of its functions that takes: files for every target. */
async function recordProfiles(native: Target, scratch: string): Promise<readonly string[] | undefined> {
  const binary = join(scratch, binaryName(native));
  if (!(await compile(native, binary, []))) return undefined;
  const remembering = join(scratch, 'remembering');
  mkdirSync(join(remembering, '.config/policy'), { recursive: true });
  writeFileSync(join(remembering, '.config/policy/delivery.yaml'), REMEMBERING);
  const profiles: string[] = [];
  for (const [home, commands] of [
    [scratch, USUAL_COMMANDS],
    [remembering, REMEMBERED_COMMANDS],
  ] as const)
    for (const [index, { command, exitCode }] of commands.entries()) {
      const profile = join(home, `${index}.order`);
      const judge = (env: Readonly<Record<string, string>>) =>
        Bun.spawnSync([binary, 'hook', '--host', 'claude'], {
          stdin: Buffer.from(shellCall(command, scratch)),
          cwd: scratch,
          env: { HOME: home, ...env },
        });
      // The first process compiles what is loaded by itself and keeps it; all others find it.
      if (index === 0) judge({});
      const run = judge({ BUN_BYTECODE_ORDER_OUT: profile });
      profiles.push(profile);
      if (run.exitCode === exitCode && existsSync(profile)) continue;
      fail(
        `Cannot record how the binary judges "${command}": exit code ${run.exitCode}\n${run.stdout}${run.stderr}`,
      );
      return undefined;
    }
  return profiles;
}

function shellCall(command: string, cwd: string): string {
  return JSON.stringify({
    session_id: 'build',
    transcript_path: join(cwd, '.claude/projects/-build/session.jsonl'),
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command, description: 'Run it' },
    tool_use_id: 'toolu_build',
  });
}

async function compile(target: Target, outfile: string, profiles: readonly string[]): Promise<boolean> {
  // A failed build must not leave an older binary behind that looks like its result.
  rmSync(outfile, { force: true });
  const { success, logs } = await Bun.build({
    entrypoints: [join(ROOT, 'src/main.ts')],
    plugins: [mergeParts()],
    throw: false,
    minify: true,
    bytecode: true,
    // What is imported lazily becomes a part of its own: a process reads only what it runs. Small parts are put together.
    splitting: true,
    minChunkSize: 16_384,
    format: 'esm',
    define: { BUILD_TARGET: JSON.stringify(target.name) },
    compile: {
      target: `bun-${target.name}` as Bun.Build.CompileTarget,
      outfile,
      jitPolicy: JIT_POLICY,
      bytecodeOrder: [...profiles],
      // Whoever controls the working directory must not set our environment or preload code.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
  for (const log of logs) console.error(log);
  if (success && existsSync(outfile)) return true;
  fail(
    `Cannot build for ${target.name}: see above. The runtime of another platform is an npm package that bun fetches ` +
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

function fail(message: string): number {
  console.error(message);
  return 1;
}
