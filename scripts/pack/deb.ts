import { chmodSync, cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from './release.ts';

export interface DebianFacts {
  readonly version: string;
  readonly description: string;
  readonly architecture: string;
  readonly repository: string | undefined;
}

/** Lays an archive's tree out as Debian wants it, for dpkg-deb. */
export function layOutDeb(folder: string, tree: string, facts: DebianFacts): void {
  const { version, description, architecture, repository } = facts;
  const usr = join(folder, 'usr');
  cpSync(tree, usr, { recursive: true });
  renameSync(join(usr, 'share/zsh/site-functions'), join(usr, 'share/zsh/vendor-completions'));
  renameSync(join(usr, 'share/doc', PACKAGE, 'LICENSE'), join(usr, 'share/doc', PACKAGE, 'copyright'));
  mkdirSync(join(folder, 'DEBIAN'));
  const control = {
    Package: PACKAGE,
    Version: version,
    Architecture: architecture,
    Maintainer: `The policy authors <${PACKAGE}@localhost>`,
    ...(repository === undefined ? {} : { Homepage: repository }),
    Section: 'utils',
    Priority: 'optional',
    Depends: 'libc6',
    Description: description,
  };
  const lines = Object.entries(control).map(([key, value]) => `${key}: ${value}\n`);
  writeFileSync(join(folder, 'DEBIAN/control'), lines.join(''));
  chmodSync(folder, 0o755);
}
