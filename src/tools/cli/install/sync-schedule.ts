import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { ORGANISATION_FOLDERS } from '../../../language/policy/files/organisation.ts';
import { sha256Hex } from '../../../lib/digest.ts';
import type { FileChange } from '../../report/layout/file-diff.ts';
import { UsageError } from '../io.ts';
import { readManaged } from '../sync/managed.ts';
import { readConfiguration } from './machine.ts';

/** These can start `policy sync` on a machine. */
const SCHEDULERS = ['systemd', 'launchd', 'cron'] as const;
export type Scheduler = (typeof SCHEDULERS)[number];

const UNITS = '/etc/systemd/system/policy-sync';
const MARK = 'Written by policy install --system';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

interface Schedule {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** A person types this so that it counts; undefined if it counts at once. */
  readonly next: string | undefined;
}

/** Plans how this machine fetches the bundle that its organisation manages; undefined if it manages none. */
export function planSchedule(
  program: string,
): { readonly changes: readonly FileChange[]; readonly next: string | undefined } | undefined {
  const managed = readManaged(ORGANISATION_FOLDERS);
  if (managed === undefined) return undefined;
  if ('cause' in managed) throw new UsageError(managed.cause);
  const scheduler = schedulerHere();
  if (scheduler === undefined)
    throw new UsageError(
      'Cannot set up a timer for policy sync: neither systemd nor cron is here; start it yourself',
    );
  const { files, next } = scheduleOf(scheduler, program, managed.everyMs);
  const changes = files
    .map(({ path, text }) => ({ path, before: readConfiguration(path), after: text }))
    .filter(({ before, after }) => before !== after);
  return { changes, next };
}

/** The scheduler of this machine; undefined if none is known. */
function schedulerHere(): Scheduler | undefined {
  if (process.platform === 'darwin') return 'launchd';
  // How sd_booted(3) tells.
  if (existsSync('/run/systemd/system')) return 'systemd';
  return existsSync('/etc/cron.d') ? 'cron' : undefined;
}

/** The files that make a scheduler start a program's `sync` that often. */
export function scheduleOf(scheduler: Scheduler, program: string, everyMs: number): Schedule {
  switch (scheduler) {
    case 'systemd':
      return systemdUnits(program, everyMs / SECOND_MS);
    case 'launchd':
      return launchdJob(program, everyMs / SECOND_MS);
    case 'cron':
      return cronTable(program, everyMs);
    default:
      return scheduler satisfies never;
  }
}

/** The changes after which no schedule of an install starts `policy sync`. */
export function scheduleRemovals(): readonly FileChange[] {
  return SCHEDULERS.flatMap((scheduler) => scheduleOf(scheduler, 'policy', HOUR_MS).files)
    .map(({ path }) => ({ path, before: readConfiguration(path), after: undefined }))
    .filter(({ before }) => before?.includes(MARK) === true);
}

function systemdUnits(program: string, seconds: number): Schedule {
  const service = `# ${MARK}
[Unit]
Description=Put the policies of the organisation in force
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
ExecStart="${program}" sync
StateDirectory=policy
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
`;
  const timer = `# ${MARK}
[Unit]
Description=Put the policies of the organisation in force from time to time

[Timer]
OnBootSec=1min
OnUnitActiveSec=${seconds}s
RandomizedDelaySec=${Math.round(seconds / 10)}s

[Install]
WantedBy=timers.target
`;
  return {
    files: [
      { path: `${UNITS}.service`, text: service },
      { path: `${UNITS}.timer`, text: timer },
    ],
    next: 'systemctl daemon-reload && systemctl enable --now policy-sync.timer',
  };
}

function launchdJob(program: string, seconds: number): Schedule {
  const path = '/Library/LaunchDaemons/policy-sync.plist';
  const escaped = program.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${MARK} -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>policy-sync</string>
  <key>ProgramArguments</key>
  <array>
    <string>${escaped}</string>
    <string>sync</string>
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>StartInterval</key>
  <integer>${seconds}</integer>
</dict>
</plist>
`;
  return { files: [{ path, text }], next: `launchctl bootstrap system ${path}` };
}

function cronTable(program: string, everyMs: number): Schedule {
  const text = `# ${MARK}\n${cronTimes(everyMs)} root '${program}' sync > /dev/null\n`;
  return { files: [{ path: '/etc/cron.d/policy-sync', text }], next: undefined };
}

/** cron knows only divisors of an hour or a day: at least as often as is wanted, at a minute of this machine's own. */
function cronTimes(everyMs: number): string {
  const largestOf = (whole: number, most: number): number => {
    for (let part = Math.min(whole, Math.max(1, Math.floor(most))); ; part--)
      if (whole % part === 0) return part;
  };
  if (everyMs < HOUR_MS) return `*/${largestOf(60, everyMs / MINUTE_MS)} * * * *`;
  const minute = Number.parseInt(sha256Hex([hostname()]).slice(0, 4), 16) % 60;
  const hours = largestOf(24, everyMs / HOUR_MS);
  return `${minute} ${hours === 24 ? '4' : `*/${hours}`} * * *`;
}
