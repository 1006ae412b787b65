import { compileFiles } from '../../policy/load.ts';
import { readPolicyFile } from '../../policy/source.ts';
import { diagnosticsText } from '../../report/diagnostics-text.ts';
import { failureLines } from '../../report/test-failure.ts';
import { suiteLine, totalLine } from '../../report/test-pretty.ts';
import { runSuite, type SuitePorts } from '../../suite/run-suite.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { paintFor } from '../print.ts';
import { findSuites } from '../test/find-suites.ts';

export const test = {
  operands: '[PATH]...',
  options: [],
  details: ['Runs *.test.yaml files and the examples of policies.'],
  example: ['$ policy test', 'git-safety  14 passed', '14 passed   3.1 ms'],
  async run(args, io) {
    const paint = paintFor(io.stdout, io.env);
    const plans = findSuites(args.operands, io.cwd);
    const width = Math.max(...plans.map(({ name }) => name.length));
    const total = { passed: 0, failed: 0, skipped: 0, broken: 0, durationUs: 0 };
    let invalid = false;
    const startUs = performance.now() * 1000;
    for (const plan of plans) {
      const failures: string[] = [];
      for (const event of runSuite(plan, {}, portsOf(io))) {
        if (event.type === 'case') failures.push(...failureLines(event.result, paint));
        if (event.type === 'problems') {
          if (event.kind === 'policies') invalid = true;
          failures.push(...diagnosticsText(event.diagnostics, { paint, sourceOf: sourceOf(io) }));
        }
        if (event.type === 'suite_ended') {
          total.passed += event.counts.passed;
          total.failed += event.counts.failed;
          total.skipped += event.counts.skipped;
          total.broken += event.counts.broken;
          io.stdout.write(`${[suiteLine(plan.name, event.counts, width, paint), ...failures].join('\n')}\n`);
        }
      }
    }
    total.durationUs = performance.now() * 1000 - startUs;
    io.stdout.write(`${totalLine(total, undefined, paint)}\n`);
    if (invalid) return EXIT_CODE.invalidPolicy;
    return total.failed + total.broken > 0 ? EXIT_CODE.findings : EXIT_CODE.ok;
  },
} satisfies Command;

function sourceOf({ cwd }: Io): (file: string) => string | undefined {
  return (file) => {
    const read = readPolicyFile(file.startsWith('/') ? file : `${cwd}/${file}`, undefined);
    return read.ok ? read.text : undefined;
  };
}

function portsOf({ cwd }: Io): SuitePorts {
  return {
    readText: (path) => readPolicyFile(path, undefined),
    load: (names) =>
      compileFiles({
        place: { named: names, cwd, sessionDirectory: cwd, env: {} },
        trust: { trusted: () => undefined },
      }),
    nowUs: () => performance.now() * 1_000,
  };
}
