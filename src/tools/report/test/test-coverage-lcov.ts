import type { FileCoverage } from '../../suite/coverage/coverage.ts';

/** Coverage in LCOV's format: a policy is a function, an alternative a branch. */
export function coverageLcov(files: readonly FileCoverage[]): string {
  return files.map(fileLcov).join('');
}

function fileLcov({ file, policies }: FileCoverage): string {
  const lines = new Map<number, number>();
  const note = (line: number, hits: number) => lines.set(line, Math.max(lines.get(line) ?? 0, hits));
  for (const policy of policies) {
    note(policy.position.line, policy.hits);
    for (const part of policy.parts) note(part.position.line, part.hits);
  }
  const branches = policies.flatMap((policy) =>
    policy.parts.map(
      ({ position, hits }, index) =>
        `BRDA:${position.line},${policy.position.line},${index},${policy.hits === 0 ? '-' : hits}`,
    ),
  );
  const parts = policies.flatMap((policy) => policy.parts);
  const sorted = [...lines].sort(([a], [b]) => a - b);
  return [
    'TN:',
    `SF:${file}`,
    ...policies.map(({ id, position }) => `FN:${position.line},${id}`),
    ...policies.map(({ id, hits }) => `FNDA:${hits},${id}`),
    `FNF:${policies.length}`,
    `FNH:${policies.filter(({ hits }) => hits > 0).length}`,
    ...branches,
    `BRF:${parts.length}`,
    `BRH:${parts.filter(({ hits }) => hits > 0).length}`,
    ...sorted.map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${sorted.length}`,
    `LH:${sorted.filter(([, hits]) => hits > 0).length}`,
    'end_of_record',
    '',
  ].join('\n');
}
