import type { Host } from './host.ts';

/** Why a version cannot be the one of a host, undefined if it can. */
export function versionProblem(host: Host, version: string | undefined): string | undefined {
  if (version === undefined || host.versions.includes(version)) return undefined;
  const known =
    host.versions.length === 0
      ? `the versions of ${host.name} need no option, so leave it out`
      : `give one of ${host.versions.join(', ')}, or nothing for the newest`;
  return `Cannot use --host-version "${version}": ${known}`;
}
