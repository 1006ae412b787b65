import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { type HookFinding, type Machine, note, type Release } from '../../../hosts/installation.ts';
import { isNewer } from '../../../hosts/is-newer.ts';
import { KNOWN_CHANGES } from '../../../hosts/known-changes.ts';
import { isOfWorkspace, startProblem } from '../doctor/start-problem.ts';
import { runBriefly } from '../run-briefly.ts';
import type { FoundHost } from './found-hosts.ts';
import { hostProgram } from './machine.ts';

const MAX_WAIT_MS = 3_000;
/** A version number that is no part of a name, such as `go1.25`. */
const VERSION = /(?<![\w.])v?(\d+(?:\.\d+)+)/;

/** The version of the host on the path; undefined if it is not there or does not say. */
export async function hostVersion(
  { installation }: Pick<FoundHost, 'installation'>,
  machine: Machine,
): Promise<string | undefined> {
  const program = hostProgram(installation, machine.env);
  // The path may lead into the project: a program there is not asked.
  if (program === undefined || startProblem(program, machine) !== undefined) return undefined;
  return versionOf([program, ...(installation.release.args ?? ['--version'])], machine);
}

/** A note if the host here is newer than the release that its adapter was made for; undefined if it is not, or does not say. */
export function newerHostNote(
  { host, installation: { release } }: FoundHost,
  version: string | undefined,
): HookFinding | undefined {
  const newest = version === undefined ? undefined : newestLike(version, release);
  if (version === undefined || newest === undefined || !isNewer(version, newest)) return undefined;
  const changes = KNOWN_CHANGES.filter((each) => each.host === host.name && !isNewer(each.since, version));
  const known = changes.map(({ since, what, seen }) => `; since ${since} ${what} (seen on ${seen})`);
  const message = `${host.title} ${version} is newer than ${newest}, the last that this program was made for${known.join('')}`;
  return note(
    'newer-host',
    message,
    'check with policy doctor that it is guarded, and look for a newer policy',
  );
}

/** Agents make folders in the home even for this, so they get one of their own. */
async function versionOf(argv: readonly string[], machine: Machine): Promise<string | undefined> {
  const folders = (machine.env['PATH'] ?? '').split(delimiter);
  // Programs are scripts as well, which look for their interpreters.
  const PATH = folders.filter((each) => isAbsolute(each) && !isOfWorkspace(each, machine)).join(delimiter);
  const home = mkdtempSync(join(tmpdir(), 'policy-version-'));
  try {
    const run = { argv, cwd: home, env: { PATH, HOME: home }, input: '', timeoutMs: MAX_WAIT_MS };
    return VERSION.exec((await runBriefly(run)).stdout)?.[1];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Days are compared with days alone. */
function newestLike(version: string, { newest, newestDate = newest }: Release): string | undefined {
  if (!isDate(version)) return newest;
  return isDate(newestDate) ? newestDate : undefined;
}

/** Some releases are named by their day. */
function isDate(version: string): boolean {
  return /^20\d\d\.\d/.test(version);
}
