import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Seconds of the test files that take longest: one of them at the end would keep a single processor busy. */
export const LONGEST: Readonly<Record<string, number>> = {
  'e2e/docs/playground.test.ts': 25,
  'e2e/hook/pipes.test.ts': 18,
  'e2e/install/doctor.test.ts': 15,
  'e2e/install/install.test.ts': 12,
  'e2e/export/export.test.ts': 12,
  'e2e/hook/busy-machine.test.ts': 12,
  'e2e/hook/heavy-policies.test.ts': 12,
  'e2e/hook/hostile-policies.test.ts': 12,
  'e2e/hook/lines.test.ts': 12,
  'e2e/hook/odd-messages.test.ts': 12,
  'e2e/mcp/proxy.test.ts': 12,
  'e2e/sync/sync.test.ts': 12,
  'e2e/gemini/policy.test.ts': 10,
  'e2e/history/history.test.ts': 10,
  'e2e/hook/state.test.ts': 10,
  'e2e/lsp/robust.test.ts': 10,
  'e2e/report/page.test.ts': 10,
};
/** Of all others that start the program, or take long by nature, and of the rest. */
const [LONG_S, SHORT_S] = [4, 0.2];

/** Writes the times of all test files, which `bun test --timings` starts longest first. */
export function writeTimings(root: string, path: string): void {
  const names = [...new Bun.Glob('**/*.test.ts').scanSync(`${root}/test`)].filter(
    (name) => !name.includes('node_modules'),
  );
  const files = names.map((name) => {
    const seconds = LONGEST[name] ?? (/^e2e\/|\.slow\.test\.ts$/.test(name) ? LONG_S : SHORT_S);
    return [`test/${name}`, seconds * 1_000] as const;
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ version: 1, files: Object.fromEntries(files) }));
}
