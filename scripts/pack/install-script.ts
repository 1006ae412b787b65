import { assetUrl, type Release } from './release.ts';

/** `install.sh` of one release, for sh: it knows the digests, so that nothing else has to be trusted. */
export function installScript(release: Release): string {
  const rows = release.archives
    .filter(({ target }) => target.uname !== undefined)
    .map(({ target, ...archive }) => {
      const pattern = `${target.uname}${target.libc === undefined ? '' : `:${target.libc}`}`;
      return `    ${pattern}) url='${assetUrl(release, archive)}' sha256='${archive.sha256}' ;;\n`;
    });
  return `#!/bin/sh
# Installs policy ${release.version}: sh install.sh [PREFIX]. Without PREFIX it is /usr/local for root, ~/.local for others.
set -eu

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

platform() {
  system=$(uname -s)
  machine=$(uname -m)
  case $machine in
    amd64) machine=x86_64 ;;
    arm64) [ "$system" = Darwin ] || machine=aarch64 ;;
  esac
  libc=
  if [ "$system" = Linux ]; then
    libc=:glibc
    for loader in /lib/ld-musl-*; do [ ! -e "$loader" ] || libc=:musl; done
  fi
  echo "$system:$machine$libc"
}

download() {
  if command -v curl > /dev/null; then
    curl -fsSL -o "$2" "$1"
  elif command -v wget > /dev/null; then
    wget -q -O "$2" "$1"
  else
    fail 'Cannot download: install curl or wget'
  fi
}

digest() {
  if command -v sha256sum > /dev/null; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum > /dev/null; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    fail 'Cannot check the download: install sha256sum or shasum'
  fi
}

main() {
  prefix=\${1:-}
  if [ -z "$prefix" ]; then
    if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
  fi
  found=$(platform)
  case $found in
${rows.join('')}    *) fail "Cannot install for $found: there is no binary for it" ;;
  esac
  mkdir -p "$prefix/bin" || fail "Cannot write to $prefix: give another folder, as in: sh install.sh ~/.local"
  # Beside the place where it goes to, so that the last step is one.
  work=$(mktemp -d "$prefix/bin/.policy-XXXXXX") || fail "Cannot write to $prefix/bin: give another folder"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  download "$url" "$work/archive" || fail "Cannot download $url"
  [ "$(digest "$work/archive")" = "$sha256" ] || fail "Cannot use $url: its digest is not $sha256"
  tar -xzf "$work/archive" -C "$work"
  cp -R "$work/share" "$prefix/"
  mv -f "$work/bin/policy" "$prefix/bin/policy"
  echo "$prefix/bin/policy: $("$prefix/bin/policy" --version)"
  case :$PATH: in
    *:"$prefix/bin":*) echo 'Next: policy install' ;;
    *) echo "Next: $prefix/bin/policy install, and put $prefix/bin on your PATH" ;;
  esac
}

main "$@"
`;
}
