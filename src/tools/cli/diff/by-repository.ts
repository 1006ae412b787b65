import { createEngine } from '../../../language/engine/engine.ts';
import { prevents } from '../../../model/action.ts';
import { decideSample, isLeftOpen, loggedMonitors, refusalsIfEnforced } from '../../compare/decide.ts';
import { createRefusalCounter } from '../../compare/refusals.ts';
import type { KnownCall } from '../../compare/sample.ts';
import { MAX_LISTED, refusalsJson, refusalsText } from '../../report/history/refusals.ts';
import type { Arguments } from '../args.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { reportUnjudged } from '../past/recorded-calls.ts';
import { createRepositoryLookup } from '../past/repository-lookup.ts';
import { paintFor, printJson } from '../print.ts';
import type { PolicySide } from './open-set.ts';

/** `policy diff --by repository`: the new refusals, by repository. */
export function countByRepository(
  calls: readonly KnownCall[],
  { before, after }: { readonly before: PolicySide | undefined; readonly after: PolicySide | undefined },
  args: Arguments,
  io: Io,
): number {
  const counter = createRefusalCounter();
  const repositoryOf = createRepositoryLookup();
  const older = before && createEngine(before.compiled.program);
  const newer = after && createEngine(after.compiled.program);
  let counted = 0;
  let left = 0;
  for (const call of calls) {
    const { sample, record, cwd } = call;
    if (newer !== undefined && sample === undefined) {
      left += 1;
      continue;
    }
    if (newer === undefined && record === undefined)
      throw new UsageError(`Cannot count "${call.label}": there is no log of it; name NEW`);
    const then = older && sample ? decideSample(sample, older)?.verdict : record;
    const now = newer && sample ? decideSample(sample, newer) : undefined;
    if (call.early === true) continue;
    if (newer !== undefined && now === undefined) continue;
    const refusals = now === undefined ? loggedMonitors(call) : refusalsIfEnforced(now);
    // A call that was refused already is nothing new.
    const isNew = then === undefined || !prevents(then.action);
    const repository = repositoryOf(cwd);
    const name = repository?.name ?? repository?.root ?? cwd ?? 'unknown';
    counter.add(name, call, isNew ? refusals : [], now !== undefined && isLeftOpen(now));
    counted += 1;
  }
  if (counted === 0) {
    const hint = left === 0 ? '' : '; policy install --log-input keeps the messages that this needs';
    throw new UsageError(`Cannot count: there are no calls to judge${hint}`);
  }
  reportUnjudged(left, io);
  const refusals = counter.result();
  if (args.switches.has('json'))
    printJson(io.stdout, refusalsJson(refusals, 'repository', { without_message: left }));
  else {
    const maxListed = args.switches.has('verbose') ? Number.POSITIVE_INFINITY : MAX_LISTED;
    const manner = { by: 'repository', notes: [], maxListed } as const;
    io.stdout.write(refusalsText(refusals, manner, paintFor(io.stdout, io.env)));
  }
  return EXIT_CODE.ok;
}
