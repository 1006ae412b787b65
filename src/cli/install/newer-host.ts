import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Finding, note } from '../../hosts/installation.ts';
import type { Io } from '../io.ts';
import { runBriefly } from '../run-briefly.ts';
import { hostProgram } from './machine.ts';
import type { FoundHost } from './plan.ts';

const MAX_WAIT_MS = 3_000;
/** A version number that is no part of a name, such as `go1.25`. */
const VERSION = /(?<![\w.])v?(\d+(?:\.\d+)+)/;

/** A note if the host here is newer than what its adapter was made for; undefined if it is not, or does not say. */
export async function newerHostNote(
  { host, installation }: FoundHost,
  env: Io['env'],
): Promise<Finding | undefined> {
  const { release } = installation;
  const program = hostProgram(installation, env);
  if (program === undefined) return undefined;
  const version = await versionOf([program, ...release.args], env);
  if (version === undefined || isDate(version) || !isNewer(version, release.newest)) return undefined;
  const message = `${host.title} ${version} is newer than ${release.newest}, the last that this program was made for`;
  return note('newer-host', message, 'see that policy doctor finds it guarded, and look for a newer policy');
}

/** Agents make folders in the home even for this, so they get one of their own. */
async function versionOf(argv: readonly string[], { PATH }: Io['env']): Promise<string | undefined> {
  const home = mkdtempSync(join(tmpdir(), 'policy-version-'));
  try {
    const run = { argv, cwd: home, env: { PATH, HOME: home }, input: '', timeoutMs: MAX_WAIT_MS };
    return VERSION.exec((await runBriefly(run)).stdout)?.[1];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The command line of Cursor is named by the day of its release, which says nothing of the version. */
function isDate(version: string): boolean {
  return /^20\d\d\.\d/.test(version);
}

function isNewer(version: string, newest: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, known] of newest.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== known) return part > known;
  }
  return false;
}
