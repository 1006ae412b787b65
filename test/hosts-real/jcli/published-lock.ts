import { createHash } from 'node:crypto';

interface Crate {
  readonly name: string;
  readonly version: string;
  readonly checksum: string;
}

const CRATES: readonly Crate[] = [
  {
    name: 'j-agent',
    version: '12.10.100',
    checksum: 'c57e5fe90a46b9ccd7e382c3742a775bb9f8996fb4c7c02438bc1fc2d5754aac',
  },
  {
    name: 'j-cli',
    version: '12.10.44',
    checksum: 'b4342ab4c3c3385c235a0dc8ffc0f5c3eb2e44122a8c4e79c7b31ec32c7527bd',
  },
];
const SOURCE = 'registry+https://github.com/rust-lang/crates.io-index';
const PACKAGE = /\[\[package\]\]\nname = "(.+)"\nversion = "(.+)"\nsource = .+\nchecksum = .+\n/g;

/** A Cargo.lock of what the crates were published with. Cargo finds out what depends on what. */
export async function publishedLock(): Promise<string> {
  const own = CRATES.map(
    ({ name, version, checksum }) =>
      `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = "${SOURCE}"\nchecksum = "${checksum}"\n`,
  );
  const locks = await Promise.all(CRATES.map(lockOf));
  return ['version = 4\n', ...new Set([...own, ...locks.flatMap(packagesIn)])].join('\n');
}

/** The packages of a Cargo.lock that come from elsewhere. */
export function packagesIn(lock: string): readonly string[] {
  return lock.match(PACKAGE) ?? [];
}

async function lockOf({ name, version, checksum }: Crate): Promise<string> {
  const crate = `${name}-${version}`;
  const answer = await fetch(`https://static.crates.io/crates/${name}/${crate}.crate`);
  if (!answer.ok) throw new Error(`Cannot fetch ${crate}: status ${answer.status}`);
  const bytes = await answer.bytes();
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== checksum) throw new Error(`Cannot use ${crate}: its checksum is ${found}`);
  const { stdout, success, stderr } = Bun.spawnSync(['tar', '-xzO', `${crate}/Cargo.lock`], { stdin: bytes });
  if (!success) throw new Error(`Cannot read the lock file of ${crate}: ${stderr}`);
  return stdout.toString();
}
