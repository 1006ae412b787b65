import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DESCRIPTIONS } from '../../scripts/pack/descriptions.ts';
import { installScript } from '../../scripts/pack/install-script.ts';
import { assetUrl, type Release } from '../../scripts/pack/release.ts';
import { TARGETS } from '../../scripts/pack/targets.ts';
import { sha256Hex } from '../../src/lib/digest.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RELEASE: Release = {
  version: '1.2.3',
  description: 'Says "no" to agents',
  license: 'MIT',
  repository: 'https://code.example/house/policy',
  archives: TARGETS.map((target) => ({
    target,
    name: `policy-${target.name}.tar.gz`,
    sha256: sha256Hex([target.name]),
  })),
};

/** Which targets each description is for. */
const COVERED: Readonly<Record<string, readonly string[]>> = {
  'policy-hook.rb': ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'],
  'policy-hook.json': ['windows-x64'],
  'flake.nix': ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'],
  Containerfile: ['linux-x64', 'linux-arm64'],
};
/** What parses a description, where it is here. */
const PARSERS: Readonly<Record<string, readonly string[]>> = {
  'policy-hook.rb': ['ruby', '-c'],
  'flake.nix': ['nix-instantiate', '--parse'],
};

describe.each(Object.entries(DESCRIPTIONS))('%s', (name, describeRelease) => {
  const text = describeRelease(RELEASE);

  test('names the address and the digest of each platform once, side by side', () => {
    const covered = COVERED[name] ?? [];
    for (const archive of RELEASE.archives) {
      const url = text.indexOf(assetUrl(RELEASE, archive));
      const digest = text.indexOf(archive.sha256);
      const isCovered = covered.includes(archive.target.name);
      expect([archive.name, url >= 0, digest >= 0]).toEqual([archive.name, isCovered, isCovered]);
      // Nothing else is between them.
      if (isCovered) expect(Math.abs(url - digest)).toBeLessThan(assetUrl(RELEASE, archive).length + 40);
    }
    expect(text.match(/[0-9a-f]{64}/g)).toHaveLength(covered.length);
  });

  const [parser = '', ...args] = PARSERS[name] ?? [];
  test.if(parser !== '' && Bun.which(parser) !== null)('is understood by its language', () => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, text);
    const { exitCode, stderr } = Bun.spawnSync([parser, ...args, path]);
    expect([exitCode, stderr.toString()]).toEqual([0, expect.any(String)]);
  });
});

test('the manifest for Scoop is JSON with what Scoop wants', () => {
  expect(JSON.parse(DESCRIPTIONS['policy-hook.json']?.(RELEASE) ?? '')).toMatchObject({
    version: '1.2.3',
    license: 'MIT',
    architecture: { '64bit': { hash: sha256Hex(['windows-x64']) } },
    bin: 'bin/policy.exe',
  });
});

test.each(TARGETS.filter(({ uname }) => uname !== undefined))(
  'install.sh takes the archive of $name where uname and the loader say so',
  ({ name, uname = '', libc }) => {
    const [system = '', machine = ''] = uname.split(':');
    const folder = temporaryFolder();
    const script = installScript(RELEASE)
      // What downloads tells what it was to download, and ends there.
      .replace('  if command -v curl > /dev/null; then', '  fail "$1"\n  if false; then')
      .replace('/lib/ld-musl-*', libc === 'musl' ? '/bin/sh' : '/nonexistent-*');
    writeFileSync(join(folder, 'uname'), `#!/bin/sh\n[ "$1" = -s ] && echo ${system} || echo ${machine}\n`, {
      mode: 0o755,
    });
    const { stderr } = Bun.spawnSync(['sh', '-c', script, 'install.sh', join(folder, 'prefix')], {
      env: { PATH: `${folder}:${process.env['PATH']}` },
    });
    expect(stderr.toString()).toStartWith(
      `install.sh: ${RELEASE.repository}/releases/download/v1.2.3/policy-${name}.tar.gz\n`,
    );
  },
);
