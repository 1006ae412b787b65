// Builds the binary: `bun build.ts` for this machine into dist/policy, `bun build.ts --all` for every platform.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  return args.includes('--all') ? buildAll(native) : buildOne(native, join(DIST, `policy${suffix(native)}`));
}

function buildOne(target: Target, outfile: string): number {
  return compile(target, outfile) && smoke(outfile) ? 0 : 1;
}

function buildAll(native: Target): number {
  const files: string[] = [];
  for (const target of TARGETS) {
    const outfile = join(DIST, `policy-${target}${suffix(target)}`);
    if (!compile(target, outfile)) return 1;
    if (target === native && !smoke(outfile)) return 1;
    files.push(outfile);
  }
  const sums = files.map((file) => `${sha256(file)}  ${basename(file)}\n`).join('');
  writeFileSync(join(DIST, 'SHA256SUMS'), sums);
  console.log(`${files.length} binaries and SHA256SUMS are in ${DIST}`);
  return 0;
}

function compile(target: Target, outfile: string): boolean {
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
