import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import packageJson from '../../../package.json';
import { binaryName, nativeTarget } from '../../../scripts/pack/targets.ts';
import { commandWords } from '../../../src/tools/cli/completion/words.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { CONFIGURATIONS, treeOf } from '../install/program.ts';
import { readPacked, type Site, serveSite } from './site.ts';

const ROOT = join(import.meta.dir, '../../..');
const NATIVE = nativeTarget();
const { version: VERSION } = packageJson;
const OLDER = '0.0.9';
const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;
const SETTINGS = '.gemini/settings.json';
const STORE_ONLY = `--require ${join(import.meta.dir, 'store-only.cjs')}`;

let release = '';
let site: Site;
let signer = '';

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-release-'));
  release = join(folder, 'release');
  mkdirSync(release);
  mkdirSync(join(folder, 'from'));
  copyFileSync(BINARY, join(folder, 'from', binaryName(NATIVE)));
  site = serveSite(release);
  const sign = Bun.which('gpg') === null ? [] : ['--sign', await makeKey()];
  const { exitCode, stderr } = await ran(
    [process.execPath, 'scripts/pack.ts', '--from', join(folder, 'from'), '--to', release]
      .concat(['--repository', site.repository])
      .concat(sign),
    // What is packed here is thrown away: it is stored, not compressed.
    {
      cwd: ROOT,
      env: {
        PATH: `${storingGzip()}:${process.env['PATH']}`,
        GNUPGHOME: signer,
        DPKG_DEB_COMPRESSOR_LEVEL: '0',
        NODE_OPTIONS: STORE_ONLY,
      },
    },
  );
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
}, 300_000);

afterAll(async () => {
  await site.stop();
  rmSync(dirname(release), { recursive: true, force: true });
  if (signer !== '') rmSync(signer, { recursive: true, force: true });
});

interface Options {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program while the site answers. */
async function ran(argv: readonly string[], { cwd = '/', env = {} }: Options = {}) {
  const child = Bun.spawn([...argv], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

/** A key that signs, in a keyring of its own. */
async function makeKey(): Promise<string> {
  signer = mkdtempSync(join(tmpdir(), 'gpg-'));
  chmodSync(signer, 0o700);
  const make = [
    'gpg',
    '--batch',
    '--passphrase',
    '',
    '--quick-generate-key',
    'release@example.com',
    'ed25519',
    'sign',
  ];
  expect((await ran(make, { env: { GNUPGHOME: signer } })).exitCode).toBe(0);
  return 'release@example.com';
}

/** A person with a home, whose npm knows no registry but the site. */
function person() {
  const home = temporaryFolder({ ...CONFIGURATIONS, 'README.md': '' });
  const npm = { npm_config_cache: join(dirname(release), 'npm'), npm_config_registry: site.url };
  const env = { HOME: home, npm_config_update_notifier: 'false', ...npm };
  const npmInstall = (prefix: string, ...args: readonly string[]) =>
    ran(['npm', 'install', '--global', '--no-audit', '--no-fund', '--prefix', prefix, ...args], {
      cwd: home,
      env,
    });
  const policy = (prefix: string, ...args: readonly string[]) =>
    ran([join(prefix, 'bin/policy'), ...args], {
      cwd: home,
      env: { HOME: home, PATH: `${prefix}/bin:${process.env['PATH']}` },
    });
  return { home, env, npmInstall, policy };
}

/** What the program answers Gemini CLI before a command. */
async function answerOf(program: string, home: string): Promise<unknown> {
  const event = {
    hook_event_name: 'BeforeTool',
    tool_name: 'run_shell_command',
    tool_input: { command: 'ls' },
  };
  const { stdout } = Bun.spawnSync([program, 'hook', '--host', 'gemini'], {
    cwd: home,
    env: { HOME: home },
    stdin: Buffer.from(JSON.stringify({ session_id: 's', cwd: home, ...event })),
  });
  return JSON.parse(stdout.toString());
}

/** The program that the hook of a home starts. */
function hookOf(home: string): string {
  return /\$\((\S+) hook --host gemini/.exec(readFileSync(join(home, SETTINGS), 'utf8'))?.[1] ?? '';
}

/** The packages of an older version whose binary is another one, packed from those of this. */
function packOlder(): void {
  const names = readdirSync(release).filter((name) => name.endsWith(`-${VERSION}.tgz`));
  for (const name of names) {
    const folder = temporaryFolder();
    Bun.spawnSync(['tar', '-xzf', join(release, name), '-C', folder]);
    const manifest = join(folder, 'package/package.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll(`"${VERSION}"`, `"${OLDER}"`));
    const program = join(folder, 'package/bin/policy');
    if (existsSync(program)) appendFileSync(program, 'older');
    const { stdout } = Bun.spawnSync(['tar', '-cf', '-', '-C', folder, 'package']);
    writeFileSync(
      join(release, name.replace(VERSION, OLDER)),
      Bun.gzipSync(new Uint8Array(stdout), { level: 0 }),
    );
  }
}

describe('the package for npm', () => {
  test('installs the binary of this platform, keeps state over an upgrade, and takes the place of an older version beside it', async () => {
    packOlder();
    const { home, npmInstall, policy } = person();
    const [prefix, other] = [temporaryFolder(), temporaryFolder()];
    expect(await npmInstall(prefix, `policy-hook@${OLDER}`)).toMatchObject({ exitCode: 0 });
    expect((await policy(prefix, 'install', '--yes')).exitCode).toBe(0);
    expect((await policy(prefix, 'doctor')).exitCode).toBe(0);
    cpSync(prefix, other, { recursive: true, verbatimSymlinks: true });
    const [settings, program] = [treeOf(home)[SETTINGS], hookOf(home)];
    const decisions = async () => JSON.parse((await policy(prefix, 'report', '--json')).stdout).decisions;
    await answerOf(program, home);
    const counted = await decisions();
    expect(counted).toBeGreaterThan(0);

    expect(await npmInstall(prefix, 'policy-hook')).toMatchObject({ exitCode: 0 });
    expect((await policy(prefix, '--version')).stdout).toStartWith(`policy ${VERSION} `);
    // Hooks start it without Node.
    expect(program).toStartWith(join(prefix, 'lib/node_modules/'));
    expect(readFileSync(program).equals(readFileSync(BINARY))).toBe(true);
    // What ends the program ends the starter in the same way.
    expect((await policy(prefix, 'unknown')).exitCode).toBe(2);
    expect((await policy(prefix, 'explain', '--command', 'rm -rf /')).stdout).toStartWith('deny');
    expect(await decisions()).toBe(counted);
    expect((await policy(prefix, 'doctor')).stdout).toContain('is not the program that was installed');
    expect((await policy(prefix, 'install', '--yes')).stdout).toContain('already runs this hook');
    expect((await policy(prefix, 'doctor')).exitCode).toBe(0);
    expect(treeOf(home)[SETTINGS]).toBe(settings ?? '');

    expect((await policy(other, 'install', '--yes')).exitCode).toBe(0);
    expect(hookOf(home)).toStartWith(other);
    expect(readFileSync(join(home, SETTINGS), 'utf8').match(/"BeforeTool"/g)).toHaveLength(1);
    expect((await policy(prefix, 'install', '--yes')).exitCode).toBe(0);
    expect(hookOf(home)).toBe(program);
    expect((await policy(prefix, 'uninstall', '--yes')).exitCode).toBe(0);
    expect(treeOf(home)).toEqual({ ...treeOf(home), ...CONFIGURATIONS });
    for (const name of readdirSync(release)) if (name.includes(OLDER)) rmSync(join(release, name));

    await expectOfFiles(prefix);
    await expectNothingInstalled(prefix);
  }, 300_000);

  /** Where packages are installed from their files, offline: npm puts them side by side. */
  async function expectOfFiles(installed: string): Promise<void> {
    const { npmInstall, policy } = person();
    const prefix = temporaryFolder();
    const main = join(release, `policy-hook-${VERSION}.tgz`);
    expect(await npmInstall(prefix, '--offline', '--cache', temporaryFolder(), main)).toMatchObject({
      exitCode: 0,
    });
    const { exitCode, stdout, stderr } = await policy(prefix, 'hook', '--host', 'gemini');
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining('optional dependencies')]);
    const platform = join(installed, 'lib/node_modules/policy-hook/node_modules/@policy-hook');
    await ran(['cp', '-rl', platform, join(prefix, 'lib/node_modules/@policy-hook')]);
    expect((await policy(prefix, '--version')).stdout).toStartWith(`policy ${VERSION} `);
  }

  /** Where npm keeps what it runs only once, and in a home without the right to write. */
  async function expectNothingInstalled(prefix: string): Promise<void> {
    const { home, env } = person();
    const before = treeOf(home);
    const cache = temporaryFolder();
    mkdirSync(join(cache, '_npx'));
    // Links take no time.
    await ran(['cp', '-rl', join(prefix, 'lib'), join(cache, '_npx/0a1b')]);
    const once = join(cache, '_npx/0a1b/node_modules/policy-hook/bin/policy.cjs');
    const passing = await ran(['node', once, 'install', '--yes'], { cwd: home, env });
    expect([passing.exitCode, passing.stderr]).toEqual([
      2,
      expect.stringContaining('it does not stay there'),
    ]);

    const as = IS_ROOT ? ['setpriv', `--reuid=${NOBODY}`, '--clear-groups'] : [];
    const policy = (...args: readonly string[]) => ran([...as, join(prefix, 'bin/policy'), ...args], { env });
    chmodSync(prefix, 0o755);
    chmodSync(home, 0o555);
    const install = await policy('install', '--yes');
    expect([install.exitCode > 0, install.stderr]).toEqual([
      true,
      expect.stringMatching(/Cannot (?:write|make) /),
    ]);
    expect((await policy('explain', '--command', 'rm -rf /')).stdout).toStartWith('deny');
    chmodSync(home, 0o755);
    expect(treeOf(home)).toEqual(before);
  }

  test('is ready for provenance, and runs no script', () => {
    const names = readdirSync(release).filter((name) => name.endsWith('.tgz'));
    expect(names).toHaveLength(2);
    for (const name of names) {
      const { manifest } = readPacked(join(release, name));
      expect(manifest).toMatchObject({
        repository: { type: 'git', url: `git+${site.repository}.git` },
        publishConfig: { access: 'public', provenance: true },
      });
      expect(manifest).not.toHaveProperty('scripts');
    }
  });
});

describe('the release', () => {
  let share = '';

  beforeAll(async () => {
    const unpacked = dirname(release);
    const archive = join(release, `policy-${NATIVE.name}.tar.gz`);
    expect((await ran(['tar', '-xzf', archive, '-C', unpacked, 'share'])).exitCode).toBe(0);
    share = join(unpacked, 'share');
  });

  test('has the documentation as pages', async () => {
    const { stdout } = await ran(['tar', '-tzf', 'policy-docs.tar.gz'], { cwd: release });
    for (const page of ['index', 'search', 'privacy', 'playground'])
      expect(stdout).toContain(`\npolicy-docs/${page}.html\n`);
  });

  test('has a digest of every file, which are signed', async () => {
    const sums = await ran(['sha256sum', '--check', '--strict', 'SHA256SUMS'], { cwd: release });
    expect(sums.exitCode).toBe(0);
    const listed = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n');
    const files = readdirSync(release).filter((name) => !name.startsWith('SHA256SUMS'));
    expect(listed.map((line) => line.split('  ')[1]).sort()).toEqual(files.sort());
    if (signer === '') return;
    const verify = ['gpg', '--verify', 'SHA256SUMS.asc', 'SHA256SUMS'];
    expect((await ran(verify, { cwd: release, env: { GNUPGHOME: signer } })).exitCode).toBe(0);
  });

  test.if(Bun.which('dpkg-deb') !== null)('has a package for Debian', async () => {
    const deb = readdirSync(release).find((name) => name.endsWith('.deb')) ?? '';
    const { stdout } = await ran(['dpkg-deb', '--field', join(release, deb)]);
    expect(stdout).toContain(`Package: policy-hook\nVersion: ${VERSION}\nArchitecture: ${NATIVE.debian}\n`);
    const folder = temporaryFolder();
    expect((await ran(['dpkg-deb', '--extract', join(release, deb), folder])).exitCode).toBe(0);
    expect((await ran([join(folder, 'usr/bin/policy'), '--version'])).stdout).toStartWith(
      `policy ${VERSION} `,
    );
    const files = Object.keys(treeOf(folder)).filter((name) => !name.endsWith('/'));
    expect(files).toEqual([
      'usr/bin/policy',
      'usr/share/bash-completion/completions/policy',
      'usr/share/doc/policy-hook/THIRD-PARTY-NOTICES',
      'usr/share/doc/policy-hook/copyright',
      'usr/share/fish/vendor_completions.d/policy.fish',
      'usr/share/man/man1/policy.1',
      'usr/share/zsh/vendor-completions/_policy',
    ]);
    const owners = await ran(['dpkg-deb', '--contents', join(release, deb)]);
    for (const line of owners.stdout.trim().split('\n'))
      expect(line).toMatch(/^[d-]rw[x-]r-[x-]r-[x-] root\/root /);
  });

  test('brings the licences of what is compiled in, wherever the binary is', async () => {
    const folder = temporaryFolder();
    const asset = readdirSync(release).find((name) => name.includes(`${NATIVE.name}-${VERSION}.tgz`)) ?? '';
    const brought = ['package/LICENSE', 'package/THIRD-PARTY-NOTICES'];
    expect((await ran(['tar', '-xzf', join(release, asset), '-C', folder, ...brought])).exitCode).toBe(0);
    const notices = readFileSync(join(folder, 'package/THIRD-PARTY-NOTICES'), 'utf8');
    expect(readFileSync(join(share, 'doc/policy-hook/THIRD-PARTY-NOTICES'), 'utf8')).toBe(notices);
    expect(notices).toContain(`Bun ${Bun.version} (MIT)`);
    for (const [name, version] of Object.entries(packageJson.dependencies))
      expect(notices).toContain(`\n${name} ${version} (`);
    expect(notices.match(/Apache License\s+Version 2\.0/g)).not.toBeNull();
  });

  test('has a manual page with every command and option', async () => {
    const page = join(share, 'man/man1/policy.1');
    const text = readFileSync(page, 'utf8').replaceAll('\\-', '-');
    for (const { name, summary, options } of await commandWords()) {
      expect(text).toContain(`.SS policy ${name}\n`);
      expect(text).toContain(summary.replaceAll("'", '\\(aq'));
      for (const option of options) expect(text).toContain(`--${option.name}`);
    }
    if (Bun.which('groff') === null) return;
    const { exitCode, stdout, stderr } = await ran(['groff', '-man', '-Tutf8', '-ww', page]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('policy install [--host NAME]...');
  });
});

describe('install.sh', () => {
  const script = () => join(release, 'install.sh');

  test('installs the program of this platform over an older one', async () => {
    const home = temporaryFolder({ '.local/bin/policy': 'older' });
    const { exitCode, stdout, stderr } = await ran(['sh', script()], {
      env: { HOME: home, PATH: `${fakeRoot(false)}:${process.env['PATH']}` },
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`${home}/.local/bin/policy: policy ${VERSION} `);
    expect(stdout).toContain(`put ${home}/.local/bin on your PATH`);
    const files = Object.keys(treeOf(join(home, '.local')));
    expect(files.filter((name) => name.startsWith('bin/'))).toEqual(['bin/', 'bin/policy']);
    expect(files).toContain('share/man/man1/policy.1');
  }, 60_000);

  test.each([
    [
      'a download that is not what was released',
      (text: string) => text.replace(/sha256='..../g, "sha256='0000"),
      'its digest is not',
    ],
    [
      'a file that is not there',
      (text: string) => text.replaceAll('.tar.gz', '.gone'),
      'Cannot download http',
    ],
    [
      'a platform without a binary',
      (text: string) => text.replaceAll(`${NATIVE.uname}`, 'Plan9:mips'),
      'there is no binary for it',
    ],
  ])('installs nothing for %s', async (_what, change, why) => {
    const folder = temporaryFolder();
    const changed = join(folder, 'install.sh');
    writeFileSync(changed, change(readFileSync(script(), 'utf8')));
    const { exitCode, stderr } = await ran(['sh', changed, join(folder, 'prefix')]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(existsSync(join(folder, 'prefix/bin')) ? readdirSync(join(folder, 'prefix/bin')) : []).toEqual([]);
  });

  test('says so where it may not write', async () => {
    const prefix = join(temporaryFolder(), 'file');
    writeFileSync(prefix, '');
    const { exitCode, stderr } = await ran(['sh', script(), prefix]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('give another folder')]);
  });

  test.if(Bun.which('shellcheck') !== null)('is clean to shellcheck', async () => {
    expect((await ran(['shellcheck', script()])).stdout).toBe('');
  });
});

describe('the action and the hooks for pre-commit', () => {
  const POLICY = `version: 1
policies:
  - id: no-force
    description: No force push
    command: {subcommand: [git, push], flags: {any: --force}}
    action: deny
    reason: history is shared
    examples: {hit: [{command: git push --force}], miss: [{command: git push}]}
`;

  test('the action installs this version, checks and tests', async () => {
    const { home, env } = person();
    const action = Object(load(readFileSync(join(ROOT, 'action.yml'), 'utf8')));
    const temp = temporaryFolder();
    const played = async (policies: string, steps: readonly { name: string; run: string }[]) => {
      writeFiles(home, { 'repository/.policy/house.yaml': policies });
      const results = [];
      for (const { name, run } of steps) {
        const added = existsSync(join(temp, 'path'))
          ? `${readFileSync(join(temp, 'path'), 'utf8').trim()}:`
          : '';
        const { exitCode, stdout } = await ran(['bash', '-e', '-o', 'pipefail', '-c', run], {
          cwd: join(home, 'repository'),
          env: {
            ...env,
            PATH: `${added}${process.env['PATH']}`,
            GITHUB_ACTION_PATH: ROOT,
            GITHUB_PATH: join(temp, 'path'),
            RUNNER_TEMP: temp,
            POLICIES: action.inputs.path.default,
          },
        });
        results.push([name, exitCode, stdout.includes('::error')]);
      }
      return results;
    };
    const { steps } = action.runs;
    expect(await played(POLICY, steps)).toEqual([
      ['Install', 0, false],
      ['Fetch', 0, false],
      ['Check', 0, false],
      ['Test', 0, false],
    ]);
    const wrong = POLICY.replace('command: git push}', 'command: git push --force}');
    expect(await played(wrong, steps.slice(2))).toEqual([
      ['Check', expect.any(Number), expect.any(Boolean)],
      ['Test', 1, true],
    ]);
  }, 120_000);

  test('the action builds the program as long as npm does not have it, and fetches shared policies', async () => {
    const temp = temporaryFolder();
    const log = join(temp, 'log');
    writeFiles(temp, {
      'action/package.json': JSON.stringify({ version: '9.9.9' }),
      'repository/.policy/policy.lock': '',
      'bin/npm': `#!/bin/sh\ncase "$1" in install) exit 1;; run) mkdir dist; printf '#!/bin/sh\\necho "$PWD $@" >> ${log}\\n' > dist/policy; chmod +x dist/policy;; esac\n`,
    });
    chmodSync(join(temp, 'bin/npm'), 0o755);
    const { steps } = Object(load(readFileSync(join(ROOT, 'action.yml'), 'utf8'))).runs;
    for (const { run } of steps.slice(0, 2)) {
      const { exitCode, stderr } = await ran(['bash', '-e', '-o', 'pipefail', '-c', run], {
        cwd: join(temp, 'repository'),
        env: {
          PATH: `${temp}/policy/bin:${temp}/bin:${process.env['PATH']}`,
          GITHUB_ACTION_PATH: join(temp, 'action'),
          GITHUB_PATH: join(temp, 'path'),
          RUNNER_TEMP: temp,
          POLICIES: '.policy',
        },
      });
      expect([exitCode, stderr]).toEqual([0, '']);
    }
    expect(readFileSync(log, 'utf8')).toBe(`${join(temp, 'repository')} lock\n`);
  });

  test('the hooks for pre-commit run where policies change', async () => {
    const hooks = load(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8'));
    if (!Array.isArray(hooks)) throw new Error('no hooks');
    const home = temporaryFolder({
      '.policy/house.yaml': POLICY,
      'broken/.policy/house.yaml': 'version: 1\npolicies: 5\n',
    });
    for (const { entry, args, files } of hooks) {
      const argv = entry
        .replace(/^policy/, BINARY)
        .split(' ')
        .concat(args);
      expect((await ran(argv, { cwd: home, env: { HOME: home } })).exitCode).toBe(0);
      expect((await ran(argv, { cwd: join(home, 'broken'), env: { HOME: home } })).exitCode).toBeGreaterThan(
        0,
      );
      for (const path of ['.policy/git.yaml', 'a/.policy/b/c.test.yml'])
        expect(path).toMatch(new RegExp(files));
      for (const path of ['policy.yaml', 'x.policy/a.yaml', '.policy/a.md'])
        expect(path).not.toMatch(new RegExp(files));
    }
  });
});

/** A folder with a `gzip` that stores. */
function storingGzip(): string {
  const folder = temporaryFolder();
  const script = "process.stdin.pipe(require('zlib').createGzip({level: 0})).pipe(process.stdout)";
  writeFileSync(join(folder, 'gzip'), `#!/bin/sh\nexec node -e "${script}"\n`, { mode: 0o755 });
  return folder;
}

/** A folder with an `id` that says whether this is root. */
function fakeRoot(isRoot: boolean): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'id'), `#!/bin/sh\necho ${isRoot ? 0 : 1000}\n`, { mode: 0o755 });
  return folder;
}
