import { type Archive, assetUrl, PACKAGE, type Release } from './release.ts';

/** Descriptions of a release for package managers, by the file name under which it brings them. */
export const DESCRIPTIONS: Readonly<Record<string, (release: Release) => string>> = {
  'policy-hook.rb': homebrewFormula,
  'policy-hook.json': scoopManifest,
  'flake.nix': nixFlake,
  Containerfile: containerfile,
};

/** A formula for a Homebrew tap: `Formula/policy-hook.rb`. */
function homebrewFormula(release: Release): string {
  const platforms = [
    ['macos', 'darwin'],
    ['linux', 'linux'],
  ].flatMap(([brew = '', os]) => {
    const rows = release.archives
      .filter(({ target }) => target.os === os && target.libc !== 'musl')
      .map(
        (archive) => `    on_${archive.target.cpu === 'arm64' ? 'arm' : 'intel'} do
      url ${JSON.stringify(assetUrl(release, archive))}
      sha256 ${JSON.stringify(archive.sha256)}
    end
`,
      );
    return rows.length === 0 ? [] : [`  on_${brew} do\n${rows.join('')}  end\n`];
  });
  return `class PolicyHook < Formula
  desc ${JSON.stringify(release.description)}
  homepage ${JSON.stringify(release.repository)}
  version ${JSON.stringify(release.version)}
  license ${JSON.stringify(release.license)}

${platforms.join('\n')}
  def install
    prefix.install "bin", "share"
  end

  test do
    assert_match "deny", shell_output("#{bin}/policy explain --command 'rm -rf /'")
  end
end
`;
}

/** A manifest for a Scoop bucket: `bucket/policy-hook.json`. */
function scoopManifest(release: Release): string {
  const archives = release.archives.filter(({ target }) => target.os === 'win32');
  const architecture = Object.fromEntries(
    archives.map((archive) => [
      archive.target.cpu === 'arm64' ? 'arm64' : '64bit',
      { url: assetUrl(release, archive), hash: archive.sha256 },
    ]),
  );
  const { version, description, repository: homepage, license } = release;
  const manifest = { version, description, homepage, license, architecture, bin: 'bin/policy.exe' };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** A flake that is a repository of its own, or a folder of one. */
function nixFlake(release: Release): string {
  const rows = release.archives.filter(({ target }) => target.nix !== undefined && target.libc !== 'musl');
  return `{
  description = ${JSON.stringify(release.description)};

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      archives = {
${rows.map((archive) => nixRow(release, archive)).join('')}      };
      packageFor = system: archive:
        let pkgs = nixpkgs.legacyPackages.\${system};
        in pkgs.stdenv.mkDerivation {
          pname = "${PACKAGE}";
          version = "${release.version}";
          src = pkgs.fetchurl archive;
          sourceRoot = ".";
          nativeBuildInputs = pkgs.lib.optional pkgs.stdenv.hostPlatform.isLinux pkgs.autoPatchelfHook;
          # The program's own code stands behind the symbols.
          dontStrip = true;
          installPhase = "mkdir -p $out && cp -r bin share $out";
          meta = { mainProgram = "policy"; license = pkgs.lib.getLicenseFromSpdxId "${release.license}"; };
        };
    in {
      packages = builtins.mapAttrs (system: archive: { default = packageFor system archive; }) archives;
    };
}
`;
}

function nixRow(release: Release, archive: Archive): string {
  const { target, sha256 } = archive;
  return `        ${target.nix} = {
          url = ${JSON.stringify(assetUrl(release, archive))};
          sha256 = "${sha256}";
        };
`;
}

/** A recipe for an image that checks policies, and from which others copy the program. */
function containerfile(release: Release): string {
  const stages = release.archives
    .filter(({ target }) => target.debian !== undefined)
    .map(
      (archive) => `FROM docker.io/library/debian:stable-slim AS ${archive.target.debian}
ADD --checksum=sha256:${archive.sha256} ${assetUrl(release, archive)} /tmp/policy.tar.gz

`,
    );
  return `ARG TARGETARCH
${stages.join('')}FROM \${TARGETARCH}
RUN tar -xzf /tmp/policy.tar.gz -C /usr/local && rm /tmp/policy.tar.gz
USER 65534:65534
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/policy"]
`;
}
