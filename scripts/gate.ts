// The one gate: everything that must hold before a change lands. `npm test` runs it, and with `--release` the tests that only
// a release needs. It prints the failures, and a line for each step.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { failuresIn } from './gate/failures-in.ts';
import { writeTimings } from './gate/longest-first.ts';

interface Step {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd?: string;
  /** The steps that must have passed before it starts. */
  readonly after?: readonly string[];
  /** The part of its output that counts; unless given, all of it counts if it fails, and nothing if it does not. */
  readonly told?: (output: string, ok: boolean) => string;
}

const ROOT = `${import.meta.dir}/..`;
const BUN = process.execPath;
const BIN = `${ROOT}/node_modules/.bin`;
/** Tests that only a release needs: they pack the program for all package managers, or play what others show on a real host. */
const RELEASE = ['--path-ignore-patterns', '**/*.release.test.ts'];
/** Tests that start programs, most of them the built one. */
const STARTING = ['test/e2e', 'test/docs', 'test/audit'];
const TIMINGS = `${ROOT}/dist/test-timings.json`;
const isRelease = process.argv.includes('--release');
const GEMINI = `${ROOT}/test/e2e/gemini`;

/** The arguments of `bun test` for some of the tests, with so many files at a time. */
function testsOf(workers: number, which: readonly string[]): readonly string[] {
  return [
    ...[BUN, 'test', '--timeout', '60000', `--parallel=${workers}`, '--no-isolate', '--timings', TIMINGS],
    // A machine that stops for a second is no mistake of the program: a failed test is tried again, and the output says so if it
    // passes then. A real failure fails each time.
    ...['--retry', '2', '--preload', './test/support/fixed-seed.ts'],
    ...['--preload', './test/support/every-test-asserts.ts'],
    ...(isRelease ? [] : RELEASE),
    ...which,
  ];
}

const GENERATE = 'generate';
const LINT = 'format and lint';
const BUILD = 'build';
const INSTALL = 'install the real Gemini CLI';
const hasGemini = existsSync(`${GEMINI}/node_modules/@google/gemini-cli`);

/** All steps that can start run side by side. */
const STEPS: readonly Step[] = [
  { name: GENERATE, argv: [BUN, 'scripts/generate.ts'] },
  { name: LINT, argv: [`${BIN}/biome`, 'ci', '--colors=off', '--error-on-warnings', '.'] },
  ...(hasGemini
    ? []
    : [{ name: INSTALL, argv: ['npm', 'ci', '--omit=optional', '--ignore-scripts'], cwd: GEMINI }]),
  { name: BUILD, argv: [BUN, 'build.ts', '--generated'], after: [GENERATE] },
  {
    name: 'all other tests',
    // In one process: each further one would load the same code, and compile the hot parts of it, once more.
    argv: testsOf(1, ['test', ...STARTING.flatMap((folder) => ['--path-ignore-patterns', `${folder}/**`])]),
    told: failuresIn,
    after: [GENERATE],
  },
  {
    name: 'tests that start programs',
    // They mostly wait for the programs that they start, so there are more at a time than processors.
    argv: testsOf(availableParallelism() + 1, STARTING),
    told: failuresIn,
    after: [LINT, BUILD, ...(hasGemini ? [] : [INSTALL])],
  },
  {
    name: 'types',
    argv: [`${BIN}/tsc`, '-p', '.', '--incremental', '--tsBuildInfoFile', `${ROOT}/dist/types.tsbuildinfo`],
    after: [BUILD],
  },
  {
    // Runs every test of the policies first, and ends there if one fails.
    name: 'policy tests and mutants',
    argv: [`${ROOT}/dist/policy`, 'test', 'policies', '--mutate'],
    after: [BUILD],
  },
];

interface Result {
  readonly ok: boolean;
  readonly passed: number;
  readonly failed: number;
}

writeTimings(ROOT, TIMINGS);
const started = new Map<string, Promise<Result>>();
for (const step of STEPS) started.set(step.name, runAfter(step));
const results = await Promise.all(started.values());
const passed = results.reduce((sum, each) => sum + each.passed, 0);
const failed = results.reduce((sum, each) => sum + (each.ok ? each.failed : Math.max(each.failed, 1)), 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs a step once those before it have passed. */
async function runAfter(step: Step): Promise<Result> {
  const before = await Promise.all((step.after ?? []).map((name) => started.get(name)));
  if (before.every((result) => result?.ok === true)) return run(step);
  console.log(`not run ${step.name}: a step before it has failed`);
  return { ok: false, passed: 0, failed: 0 };
}

/** Runs a step. Its failures are shown when it is over, in one piece. */
async function run({ name, argv, cwd, told }: Step): Promise<Result> {
  const startMs = Date.now();
  const child = Bun.spawn([...argv], { cwd: cwd ?? ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const exitCode = await child.exited;
  const ok = exitCode === 0;
  const output = `${out}\n${err}`;
  const text = told === undefined ? (ok ? '' : output.trim()) : told(output, ok);
  const { passed, failed } = count(output);
  const counts = passed + failed === 0 ? '' : `${passed} passed, ${failed} failed, `;
  const seconds = Math.ceil((Date.now() - startMs) / 1_000);
  if (text !== '') console.log(`\n── ${name}\n${text}\n`);
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}: ${counts}${seconds} s`);
  return { ok, passed, failed };
}

/** The counts in the closing lines of `bun test` and `policy test`. */
function count(output: string): { passed: number; failed: number } {
  const number = (pattern: RegExp) => Number(output.match(pattern)?.[1]?.replaceAll(',', '') ?? 0);
  return {
    passed: number(/^ *(\d+) pass$/m) + number(/^([\d,]+) passed/m),
    failed: number(/^ *(\d+) fail$/m) + number(/^[\d,]+ passed, ([\d,]+) failed/m),
  };
}
