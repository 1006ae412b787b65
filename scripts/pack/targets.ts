/** A platform that binaries are built for, in everybody's words. */
export interface Target {
  /** As bun names it, after `bun-`; npm's packages and the archives are called the same. */
  readonly name: string;
  /** As npm and Node name it. */
  readonly os: 'linux' | 'darwin' | 'win32';
  readonly cpu: 'x64' | 'arm64';
  readonly libc?: 'glibc' | 'musl';
  /** The output of `uname -s` and `uname -m`, as patterns of sh. */
  readonly uname?: string;
  readonly debian?: string;
  readonly nix?: string;
}

/** Every platform there is a binary for: the only list of them. */
export const TARGETS: readonly Target[] = [
  {
    name: 'linux-x64',
    os: 'linux',
    cpu: 'x64',
    libc: 'glibc',
    uname: 'Linux:x86_64',
    debian: 'amd64',
    nix: 'x86_64-linux',
  },
  {
    name: 'linux-arm64',
    os: 'linux',
    cpu: 'arm64',
    libc: 'glibc',
    uname: 'Linux:aarch64',
    debian: 'arm64',
    nix: 'aarch64-linux',
  },
  { name: 'linux-x64-musl', os: 'linux', cpu: 'x64', libc: 'musl', uname: 'Linux:x86_64' },
  { name: 'linux-arm64-musl', os: 'linux', cpu: 'arm64', libc: 'musl', uname: 'Linux:aarch64' },
  { name: 'darwin-x64', os: 'darwin', cpu: 'x64', uname: 'Darwin:x86_64', nix: 'x86_64-darwin' },
  { name: 'darwin-arm64', os: 'darwin', cpu: 'arm64', uname: 'Darwin:arm64', nix: 'aarch64-darwin' },
  { name: 'windows-x64', os: 'win32', cpu: 'x64' },
];

/** The one of this machine. Throws if there is none. */
export function nativeTarget(): Target {
  const { glibcVersionRuntime } = Object(process.report.getReport()).header ?? {};
  const libc =
    process.platform !== 'linux' ? undefined : glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  const { platform, arch } = process;
  const native = TARGETS.find(
    (target) => target.os === platform && target.cpu === arch && target.libc === libc,
  );
  if (native === undefined)
    throw new Error(`Cannot build on ${platform} ${arch}: there is no runtime for it`);
  return native;
}

/** The file name of a target's binary. */
export function binaryName({ name, os }: Target): string {
  return `policy-${name}${os === 'win32' ? '.exe' : ''}`;
}

/** The targets that a command line names, all with `--all`, this machine's without either. */
export function targetsNamed(words: readonly string[]): readonly Target[] {
  const names = words.filter((word) => word !== '--all');
  const unknown = names.find((name) => TARGETS.every((target) => target.name !== name));
  if (unknown !== undefined)
    throw new Error(
      `Cannot build for "${unknown}": give some of ${TARGETS.map(({ name }) => name).join(', ')}`,
    );
  if (words.includes('--all')) return TARGETS;
  return names.length > 0 ? TARGETS.filter(({ name }) => names.includes(name)) : [nativeTarget()];
}
