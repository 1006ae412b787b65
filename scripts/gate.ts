// The one gate: everything that must hold before a change lands. `npm test` runs it.
import { existsSync } from 'node:fs';

interface Step {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd?: string;
}

const ROOT = `${import.meta.dir}/..`;
const BUN = process.execPath;
const BIN = `${ROOT}/node_modules/.bin`;
const GEMINI = `${ROOT}/test/e2e/gemini`;

const STEPS: readonly Step[] = [
  { name: 'generate', argv: [BUN, 'scripts/generate.ts'] },
  { name: 'format and lint', argv: [`${BIN}/biome`, 'ci', '--error-on-warnings', '.'] },
  { name: 'types', argv: [`${BIN}/tsc`, '-p', '.'] },
  { name: 'build', argv: [BUN, 'build.ts'] },
  ...(existsSync(`${GEMINI}/node_modules/@google/gemini-cli`)
    ? []
    : [
        {
          name: 'install the real Gemini CLI',
          argv: ['npm', 'ci', '--omit=optional', '--ignore-scripts'],
          cwd: GEMINI,
        },
      ]),
  {
    name: 'tests',
    // A machine that stands still for a second is no mistake of the program: what fails is tried again, and says so where it
    // passes then. What is wrong fails each time.
    argv: [
      ...[BUN, 'test', '--timeout', '60000', '--retry', '2'],
      ...['--preload', './test/support/fixed-seed.ts', 'test'],
    ],
  },
  { name: 'policy tests', argv: [`${ROOT}/dist/policy`, 'test', 'policies'] },
  { name: 'mutants of the policies', argv: [`${ROOT}/dist/policy`, 'test', 'policies', '--mutate'] },
];

let passed = 0;
let failed = 0;

for (const { name, argv, cwd } of STEPS) {
  const startMs = Date.now();
  console.log(`\n── ${name}`);
  const child = Bun.spawn([...argv], { cwd: cwd ?? ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([
    relay(child.stdout, process.stdout),
    relay(child.stderr, process.stderr),
  ]);
  const exitCode = await child.exited;
  const counted = count(`${out}\n${err}`);
  passed += counted.passed;
  failed += counted.failed;
  console.log(
    `── ${name}: ${exitCode === 0 ? 'ok' : `failed with exit code ${exitCode}`} (${Date.now() - startMs} ms)`,
  );
  if (exitCode !== 0) {
    console.log(`\n${passed} passed, ${Math.max(failed, 1)} failed`);
    process.exit(1);
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function relay(from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of from) {
    chunks.push(chunk);
    to.write(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The counts in the closing lines of `bun test` and `policy test`. */
function count(output: string): { passed: number; failed: number } {
  const number = (pattern: RegExp) => Number(output.match(pattern)?.[1]?.replaceAll(',', '') ?? 0);
  return {
    passed: number(/^ *(\d+) pass$/m) + number(/^([\d,]+) passed/m),
    failed: number(/^ *(\d+) fail$/m) + number(/^[\d,]+ passed, ([\d,]+) failed/m),
  };
}
