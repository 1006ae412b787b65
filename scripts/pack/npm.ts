import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from './release.ts';
import { TARGETS, type Target } from './targets.ts';

const OLDEST_NODE = '>=18';

/** The facts that every package of a release states. */
export interface NpmFacts {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** Address of the repository; npm wants it of packages with provenance. */
  readonly repository: string | undefined;
}

/** The package that people name: a starter, and each platform's package as an optional dependency. */
export function writeMainPackage(folder: string, facts: NpmFacts, root: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  copyFileSync(join(root, 'scripts/pack/shim.cjs'), join(folder, 'bin/policy.cjs'));
  copyFileSync(join(root, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeManifest(folder, {
    name: PACKAGE,
    ...common(facts),
    bin: { policy: 'bin/policy.cjs' },
    man: ['share/man/man1/policy.1'],
    engines: { node: OLDEST_NODE },
    files: ['bin', 'share'],
    optionalDependencies: Object.fromEntries(TARGETS.map((target) => [nameOf(target), facts.version])),
  });
}

export function writePlatformPackage(folder: string, target: Target, binary: string, facts: NpmFacts): void {
  const { os, cpu, libc } = target;
  const file = os === 'win32' ? 'policy.exe' : 'policy';
  mkdirSync(join(folder, 'bin'), { recursive: true });
  copyFileSync(binary, join(folder, 'bin', file));
  writeManifest(folder, {
    name: nameOf(target),
    ...common(facts),
    description: `${facts.description}: the binary for ${target.name}`,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    files: ['bin', 'THIRD-PARTY-NOTICES'],
    preferUnplugged: true,
  });
}

function nameOf({ name }: Target): string {
  return `@${PACKAGE}/${name}`;
}

function common({ version, description, license, repository }: NpmFacts) {
  return {
    version,
    description,
    license,
    ...(repository === undefined ? {} : { repository: { type: 'git', url: `git+${repository}.git` } }),
    publishConfig: { access: 'public', provenance: true },
  };
}

function writeManifest(folder: string, manifest: Readonly<Record<string, unknown>>): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
