import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const APT: ProgramSpec = {
  values: '-o,--option -c,--config-file -t,--target-release,--default-release -a,--host-architecture',
  same: '-y,--yes,--assume-yes -q,--quiet -d,--download-only -f,--fix-broken -m,--ignore-missing,--fix-missing -s,--simulate,--just-print,--dry-run,--recon,--no-act -V,--verbose-versions -u,--show-upgraded -b,--compile,--build',
  offline: '--no-download -s --simulate --just-print --dry-run --recon --no-act',
  network: {
    download:
      'build-dep changelog dist-upgrade download full-upgrade install reinstall safe-upgrade satisfy source update upgrade',
  },
};
const YUM: ProgramSpec = {
  values:
    '-c,--config --installroot --enablerepo,--enable-repo --disablerepo,--disable-repo --repo,--repoid --repofrompath -x,--exclude --releasever --setopt -d,--debuglevel -e,--errorlevel',
  same: '-y,--assumeyes -q,--quiet -v,--verbose -C,--cacheonly -b,--best',
  offline: '-C --cacheonly',
  network: {
    download:
      'builddep check-update distro-sync dnf download downgrade group groupinstall info install list localinstall makecache module reinstall repoquery search update upgrade',
  },
};

/** Package managers of systems. */
export const SYSTEM_PACKAGE_PROGRAMS: ProgramTable = {
  apt: APT,
  'apt-get': APT,
  'apt-cache': { values: APT.values ?? '', same: APT.same ?? '' },
  aptitude: APT,
  dpkg: { values: '--root --admindir', rest: 'text' },
  yum: YUM,
  dnf: YUM,
  microdnf: YUM,
  zypper: {
    values: '-R,--root -c,--config -r,--repo -t,--type',
    same: '-n,--non-interactive -q,--quiet -y,--no-confirm -v,--verbose',
    network: {
      download:
        'addrepo ar dist-upgrade dup in install patch ref refresh se search si source-install up update',
    },
  },
  rpm: {
    values: '--root --dbpath --prefix',
    same: '-e,--erase -i,--install -q,--query -U,--upgrade -F,--freshen -V,--verify -v,--verbose -h,--hash',
    rest: 'url',
  },
  pacman: {
    values: '-b,--dbpath -r,--root --config',
    same: '-S,--sync -R,--remove -Q,--query -U,--upgrade -D,--database -y,--refresh -u,--sysupgrade',
    networkWith: { download: '-S --sync' },
    // What is known already is searched and shown.
    offline: '-s --search -i --info -l --list',
  },
  apk: {
    values: '-X,--repository -p,--root -t,--virtual --repositories-file --keys-dir',
    same: '-q,--quiet -v,--verbose -i,--interactive -f,--force -U,--update-cache -u,--upgrade -s,--simulate',
    flags: { '-X': 'connect' },
    offline: '--no-network',
    network: { download: 'add update upgrade fetch' },
  },
  brew: {
    values: '--appdir',
    same: '-f,--force -q,--quiet -v,--verbose -d,--debug -n,--dry-run -s,--build-from-source',
    network: { download: 'bundle fetch install outdated reinstall tap update upgrade' },
    subcommands: { services: {}, cask: { network: { download: 'install upgrade' } }, bundle: {} },
  },
  port: { network: { download: 'fetch install selfupdate sync upgrade' } },
  snap: {
    values: '--channel --revision',
    network: { download: 'download find info install refresh', connect: 'login logout' },
  },
  flatpak: {
    values: '--arch --branch',
    same: '-y,--assumeyes -u,--user',
    network: { download: 'install search update upgrade remote-add remote-ls' },
    subcommands: { run: { stops: true } },
  },
  nix: {
    values: '--option -I --arg --argstr -f,--file',
    offline: '--offline',
    subcommands: {
      develop: { values: '-c,--command' },
      shell: { values: '-c,--command' },
      store: {},
      profile: { network: { download: 'install add upgrade' } },
      flake: { network: { download: 'clone lock prefetch update' } },
    },
  },
  'nix-env': {
    values: '-f,--file -p,--profile',
    same: '-i,--install -u,--upgrade -e,--uninstall -q,--query',
    networkWith: { download: '-i --install -u --upgrade' },
  },
};
