/** The costs of one run of a process. */
export interface Run {
  readonly wallMs: number;
  readonly peakBytes: number;
  /** Pages of memory touched: where starting goes, and the same however busy the machine is. */
  readonly pageFaults: number;
}

export interface Subject {
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The exit code that shows that it did its work; any if undefined. */
  readonly exitCode: number | undefined;
}

const MEMORY_RUNS = 5;

/** Runs subjects in turn, many times, so that other work of the machine hits all of them; medians per subject. */
export function medians<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  times: number,
): Record<Name, Run> {
  const names = Object.keys(subjects) as Name[];
  const runs = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < times + 2; round += 1) {
    for (const name of names) {
      const run = once(subjects[name]);
      // The first rounds fill the caches of the disk.
      if (round >= 2) runs.get(name)?.push(run.wallMs);
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const memory = Array.from({ length: MEMORY_RUNS }, () => memoryOf(subjects[name]));
      return [
        name,
        {
          wallMs: median(runs.get(name) ?? []),
          peakBytes: median(memory.map(({ peakBytes }) => peakBytes)),
          pageFaults: median(memory.map(({ pageFaults }) => pageFaults)),
        },
      ];
    }),
  ) as Record<Name, Run>;
}

/** Runs a process once. */
export function once(subject: Subject): {
  readonly wallMs: number;
  /** Processor time, that of the kernel included. */
  readonly cpuMs: number;
} {
  const start = Bun.nanoseconds();
  const child = run(subject.argv, subject);
  const wallMs = (Bun.nanoseconds() - start) / 1e6;
  if (subject.exitCode !== undefined && child.exitCode !== subject.exitCode) {
    throw new Error(
      `${subject.argv.join(' ')}: exit code ${child.exitCode}\n${child.stdout}\n${child.stderr}`,
    );
  }
  return { wallMs, cpuMs: Number(child.resourceUsage.cpuTime.total) / 1e3 };
}

/**
 * The most memory that a process had resident, and its page faults. Started by a small program: a child's figure counts that of its parent
 * up to the moment it becomes another program, and this process is large.
 */
export function memoryOf(subject: Subject): Pick<Run, 'peakBytes' | 'pageFaults'> {
  const { stderr } = run(['/usr/bin/time', '-f', 'peak %M faults %R', ...subject.argv], subject);
  const [, kilobytes, pageFaults] = stderr.toString().match(/peak (\d+) faults (\d+)/) ?? [];
  if (kilobytes === undefined)
    throw new Error('Cannot measure memory: /usr/bin/time is missing, install GNU time');
  return { peakBytes: Number(kilobytes) * 1_024, pageFaults: Number(pageFaults) };
}

function run(argv: readonly string[], subject: Subject) {
  return Bun.spawnSync([...argv], {
    stdin: Buffer.from(subject.stdin),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env['PATH'] ?? '', ...subject.env },
    ...(subject.cwd === undefined ? {} : { cwd: subject.cwd }),
  });
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
