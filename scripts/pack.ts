// Packs a release into dist/release: `npm run pack -- [TARGET...|--all] [--repository URL] [--sign KEY] [--from DIR] [--to DIR]`.
// Without --from it builds the binaries first. It needs GNU tar and npm; the .deb needs dpkg-deb.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../package.json';
import { COMPLETIONS } from '../src/tools/cli/completion/print.ts';
import { commandWords } from '../src/tools/cli/completion/words.ts';
import { writeDocsSite } from './docs-site.ts';
import { layOutDeb } from './pack/deb.ts';
import { DESCRIPTIONS } from './pack/descriptions.ts';
import { installScript } from './pack/install-script.ts';
import { manPage } from './pack/man-page.ts';
import { thirdPartyNotices } from './pack/notices.ts';
import { writeMainPackage, writePlatformPackage } from './pack/npm.ts';
import { type Archive, PACKAGE } from './pack/release.ts';
import { binaryName, type Target, targetsNamed } from './pack/targets.ts';

const ROOT = join(import.meta.dir, '..');
const { version, description, license } = packageJson;
const COMPLETION_PLACES = {
  bash: 'share/bash-completion/completions/policy',
  zsh: 'share/zsh/site-functions/_policy',
  fish: 'share/fish/vendor_completions.d/policy.fish',
} as const satisfies Record<keyof typeof COMPLETIONS, string>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    repository: { type: 'string' },
    sign: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string', default: join(ROOT, 'dist/release') },
  },
});
const named = [...positionals, ...(values.all === true ? ['--all'] : [])];
const targets = targetsNamed(named);
const to = resolve(values.to);
const repository = values.repository?.replace(/\/$/, '');
const work = mkdtempSync(join(tmpdir(), 'policy-pack-'));
const assets: string[] = [];

try {
  await pack();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function pack(): Promise<void> {
  const from = resolve(values.from ?? join(ROOT, 'dist'));
  if (values.from === undefined)
    run([process.execPath, join(ROOT, 'build.ts'), ...targets.map(({ name }) => name)]);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const share = join(work, 'share');
  await writeShared(share);
  const facts = { version, description, license, repository };
  const archives: Archive[] = [];
  for (const target of targets) {
    const binary = join(from, binaryName(target));
    chmodSync(binary, 0o755);
    const tree = join(work, target.name);
    layOut(tree, target, binary, share);
    archives.push({ target, ...archive(`policy-${target.name}.tar.gz`, tree, ['bin', 'share']) });
    if (target.debian !== undefined) deb(target.debian, tree);
    const folder = join(work, 'npm', target.name);
    writePlatformPackage(folder, target, binary, facts);
    cpSync(join(share, 'doc', PACKAGE), folder, { recursive: true });
    npmPack(folder);
  }
  const main = join(work, 'npm/main');
  writeMainPackage(main, facts, ROOT);
  cpSync(share, join(main, 'share'), { recursive: true });
  npmPack(main);
  await writeDocsSite(join(work, 'policy-docs'), repository);
  archive('policy-docs.tar.gz', work, ['policy-docs']);
  if (repository === undefined) {
    console.log('Without --repository URL there are no descriptions for package managers and no install.sh');
  } else {
    const release = { version, description, license, repository, archives };
    for (const [name, describe] of Object.entries(DESCRIPTIONS)) write(name, describe(release));
    write('install.sh', installScript(release));
  }
  const sums = assets.sort().map((name) => `${sha256(join(to, name))}  ${name}\n`);
  writeFileSync(join(to, 'SHA256SUMS'), sums.join(''));
  if (values.sign !== undefined)
    run([
      'gpg',
      '--batch',
      '--yes',
      '--local-user',
      values.sign,
      '--armor',
      '--detach-sign',
      join(to, 'SHA256SUMS'),
    ]);
  console.log(`${to}: ${[...assets, 'SHA256SUMS'].join(', ')}`);
}

/** Writes the files that are the same on every platform. */
async function writeShared(share: string): Promise<void> {
  const words = await commandWords();
  const files: Readonly<Record<string, string>> = {
    'share/man/man1/policy.1': await manPage(version, description),
    [`share/doc/${PACKAGE}/LICENSE`]: readFileSync(join(ROOT, 'LICENSE'), 'utf8'),
    [`share/doc/${PACKAGE}/THIRD-PARTY-NOTICES`]: await thirdPartyNotices(ROOT),
    ...Object.fromEntries(
      Object.entries(COMPLETIONS).map(([shell, script]) => [
        COMPLETION_PLACES[shell as keyof typeof COMPLETIONS],
        script(words),
      ]),
    ),
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(dirname(share), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function layOut(tree: string, { os }: Target, binary: string, share: string): void {
  mkdirSync(join(tree, 'bin'), { recursive: true });
  copyFileSync(binary, join(tree, 'bin', os === 'win32' ? 'policy.exe' : 'policy'));
  cpSync(share, join(tree, 'share'), { recursive: true });
}

/** The same bytes whoever packs the same tree, whenever. */
function archive(asset: string, tree: string, entries: readonly string[]): { name: string; sha256: string } {
  const sameFor = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mtime=@0',
    '--mode=u+w,go-w',
  ];
  run(['tar', ...sameFor, '--use-compress-program=gzip -n', '-cf', join(to, asset), '-C', tree, ...entries]);
  assets.push(asset);
  return { name: asset, sha256: sha256(join(to, asset)) };
}

function deb(architecture: string, tree: string): void {
  if (Bun.which('dpkg-deb') === null) {
    console.log(`No ${architecture} package for Debian: dpkg-deb is not here`);
    return;
  }
  const folder = join(work, `deb-${architecture}`);
  layOutDeb(folder, tree, { version, description, architecture, repository });
  const name = `${PACKAGE}_${version}_${architecture}.deb`;
  run(['dpkg-deb', '--root-owner-group', '-Zgzip', '--build', folder, join(to, name)]);
  assets.push(name);
}

function npmPack(folder: string): void {
  const said = run(['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', to], folder);
  const name = said.trim().split('\n').at(-1) ?? '';
  assets.push(name);
}

function write(name: string, text: string): void {
  writeFileSync(join(to, name), text);
  assets.push(name);
}

function run(argv: readonly string[], cwd = ROOT): string {
  const { exitCode, stdout } = Bun.spawnSync([...argv], { cwd, stderr: 'inherit' });
  if (exitCode !== 0) throw new Error(`Cannot pack: ${argv.join(' ')} ended with exit code ${exitCode}`);
  return stdout.toString();
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
