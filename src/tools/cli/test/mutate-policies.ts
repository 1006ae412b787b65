import { countOf } from '../../report/layout/quantity.ts';
import {
  mutationJson,
  mutationText,
  type Survivor,
  survivorGithub,
  survivorLines,
} from '../../report/test/test-mutants.ts';
import { runMutants } from '../../suite/mutate/run-mutants.ts';
import { fullName } from '../../suite/run-suite.ts';
import type { SuitePlan } from '../../suite/suite-plan.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { paintFor, printJson } from '../print.ts';
import { createProgress } from './progress.ts';
import { sourceIn, suitePorts } from './suite-ports.ts';
import type { TestOptions } from './test-options.ts';

/** Weakens policies and reports the changes that no case notices. Returns the exit code. */
export function mutatePolicies(plans: readonly SuitePlan[], options: TestOptions, io: Io): number {
  const ports = suitePorts(io);
  const paint = paintFor(io.stdout, io.env);
  const progress = createProgress(io.stderr);
  const sourceOf = sourceIn(io.cwd);
  const { filter, format } = options;
  const startUs = ports.nowUs();
  const survivors: Survivor[] = [];
  let count = 0;
  const wanted = (id: string, file: string) => filter?.fits(fullName(file, id, undefined)) !== false;
  for (const event of runMutants(plans, wanted, ports)) {
    if (event.type === 'red') {
      io.stderr.write(
        `policy test: Cannot mutate the policies: ${countOf(event.failed, 'case')} ${event.failed === 1 ? 'fails' : 'fail'} already; policy test shows which\n`,
      );
      return EXIT_CODE.findings;
    }
    count += 1;
    if (event.noticed) {
      progress.show(event.done, count, 'mutants');
      continue;
    }
    survivors.push(event);
    progress.clear();
    if (format === 'text') {
      const lines = survivorLines(event, sourceOf(event.position.file), paint);
      io.stdout.write(lines.map((line) => `${line}\n`).join(''));
    }
    if (format === 'github') io.stdout.write(`${survivorGithub(event)}\n`);
  }
  progress.clear();
  if (count === 0) {
    throw new UsageError(
      filter === undefined
        ? 'Cannot mutate anything: there are no policies'
        : `Cannot find a policy for --filter "${filter.text}"`,
    );
  }
  const counts = {
    noticed: count - survivors.length,
    survived: survivors.length,
    durationUs: ports.nowUs() - startUs,
  };
  if (format === 'json') printJson(io.stdout, mutationJson(survivors, counts));
  else {
    io.stdout.write(`${mutationText(counts, paint)}\n`);
    if (io.stdout.isTTY && survivors.length > 0)
      io.stdout.write('Read more: policy docs testing#what-the-tests-miss\n');
  }
  return survivors.length > 0 ? EXIT_CODE.findings : EXIT_CODE.ok;
}
