/** What one run of a process took. */
export interface Run {
  readonly wallMs: number;
  readonly peakBytes: number;
}

export interface Subject {
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The exit code that shows that it did its work. */
  readonly exitCode: number;
}

/** Runs subjects in turn, many times, so that what else the machine does hits all of them; medians per subject. */
export function medians<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  times: number,
): Record<Name, Run> {
  const names = Object.keys(subjects) as Name[];
  const runs = new Map<Name, Run[]>(names.map((name) => [name, []]));
  for (let round = 0; round < times + 2; round += 1) {
    for (const name of names) {
      const run = once(subjects[name]);
      // The first rounds fill the caches of the disk.
      if (round >= 2) runs.get(name)?.push(run);
    }
  }
  return Object.fromEntries(names.map((name) => [name, medianRun(runs.get(name) ?? [])])) as Record<
    Name,
    Run
  >;
}

/** Runs a process once. */
export function once(subject: Subject): Run {
  const start = Bun.nanoseconds();
  const child = Bun.spawnSync([...subject.argv], {
    stdin: Buffer.from(subject.stdin),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env['PATH'] ?? '', ...subject.env },
    ...(subject.cwd === undefined ? {} : { cwd: subject.cwd }),
  });
  const wallMs = (Bun.nanoseconds() - start) / 1e6;
  if (child.exitCode !== subject.exitCode) {
    throw new Error(
      `${subject.argv.join(' ')}: exit code ${child.exitCode}\n${child.stdout}\n${child.stderr}`,
    );
  }
  return { wallMs, peakBytes: child.resourceUsage.maxRSS };
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function medianRun(runs: readonly Run[]): Run {
  return {
    wallMs: median(runs.map(({ wallMs }) => wallMs)),
    peakBytes: median(runs.map(({ peakBytes }) => peakBytes)),
  };
}
