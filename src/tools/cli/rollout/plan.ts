import { createTwinJoiner } from '../../../hook/audit/join-twins.ts';
import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { createEngine } from '../../../language/engine/engine.ts';
import { prevents } from '../../../model/action.ts';
import type { Hit } from '../../../model/outcome.ts';
import { type Memories, recordSample } from '../../compare/recorded-samples.ts';
import { createRolloutPlanner, type Refusal, type RolloutPlan } from '../../compare/rollout.ts';
import type { Sample } from '../../compare/sample.ts';
import { rolloutJson, rolloutText } from '../../report/rollout.ts';
import { type Arguments, optionValues } from '../args.ts';
import { createSetOpener, type PolicySide } from '../diff/open-set.ts';
import { reportSetErrors } from '../diff/report-set-errors.ts';
import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { policyFolder } from '../policy-folder.ts';
import { paintFor, printJson } from '../print.ts';
import { readInput } from '../read-input.ts';
import { loggedDecisions, recordedLines, recordingPlace, tellWithoutMessage } from '../recorded-calls.ts';
import { createRepositoryLookup } from '../repository-lookup.ts';
import { momentOption } from '../since.ts';
import { UsageError } from '../usage-error.ts';

/** `policy rollout plan [SET]`. */
export async function planRollout(operands: readonly string[], args: Arguments, io: Io): Promise<number> {
  const [set, ...others] = operands;
  if (others.length > 0) throw new UsageError(`Cannot plan "${others[0]}" as well: name one set of policies`);
  const records = await recordsFor(args, io);
  const opener = createSetOpener(io);
  try {
    const side = set === undefined ? undefined : opener.open(set, policyFolder(io.cwd) ?? '.');
    if (side !== undefined && reportSetErrors([side], io)) return EXIT_CODE.invalidPolicy;
    const { plan, left } = planFor(records, side, io);
    if (left > 0 && left === records.length)
      throw new UsageError(
        'Cannot plan: no decision here can be judged again; policy hook --log-input keeps what that needs',
      );
    tellWithoutMessage(left, io);
    if (args.switches.has('json')) printJson(io.stdout, rolloutJson(plan, left));
    else {
      const verbose = args.switches.has('verbose');
      io.stdout.write(rolloutText(plan, { paint: paintFor(io.stdout, io.env), verbose }));
    }
    return EXIT_CODE.ok;
  } finally {
    opener.close();
  }
}

/** This user's decisions, or those of the logs that are named. */
async function recordsFor(args: Arguments, io: Io): Promise<readonly DecisionRecord[]> {
  const since = momentOption(args, 'since') ?? '';
  const logs = optionValues(args, 'log-file');
  const records: DecisionRecord[] = logs.length === 0 ? [...loggedDecisions(io.env)] : [];
  for (const log of logs) {
    const twins = createTwinJoiner((record) => records.push(record));
    for (const line of recordedLines(await readInput(log, 'the log', io), log)) {
      if (line.type === 'call') throw new UsageError(`Cannot use ${line.place}: it is not a logged decision`);
      twins.add(line.record);
    }
    twins.end();
  }
  const wanted = records.filter(({ time }) => time >= since);
  if (wanted.length === 0) throw new UsageError('Cannot plan: there are no logged decisions');
  return wanted;
}

/** With a set, its policies judge the messages again; without one, the log says what policies in monitor mode matched. */
function planFor(
  records: readonly DecisionRecord[],
  side: PolicySide | undefined,
  io: Io,
): { readonly plan: RolloutPlan; readonly left: number } {
  const planner = createRolloutPlanner();
  const repositoryOf = createRepositoryLookup();
  const place = recordingPlace(io, () => side?.compiled.inForce);
  const memories: Memories = new WeakMap();
  const engine = side === undefined ? undefined : createEngine(side.compiled.program);
  let left = 0;
  for (const record of records) {
    const sample = recordSample(record, place, memories);
    if (engine !== undefined && sample === undefined) {
      left += 1;
      continue;
    }
    const refusals =
      engine === undefined || sample === undefined ? monitoredIn(record) : refusalsBy(engine, sample);
    const { host, tool, session, time, action, cwd = record.setting?.cwd } = record;
    const repository = repositoryOf(cwd);
    planner.add({
      repository: repository?.name ?? repository?.root ?? cwd ?? 'unknown',
      session: `${host} ${session ?? ''}`,
      time,
      label: sample?.label ?? [host, tool ?? record.event ?? ''].join(' '),
      action,
      refusals,
    });
  }
  return { plan: planner.result(), left };
}

function monitoredIn({ policies }: DecisionRecord): readonly Refusal[] {
  return policies.flatMap(({ id, how, action }) =>
    how === 'monitored' && action !== undefined && prevents(action) ? [{ policy: id, action }] : [],
  );
}

const NO_POLICY = 'no policy';

/** What refuses a call where everything is in force that is only monitored now. */
function refusalsBy(engine: ReturnType<typeof createEngine>, sample: Sample): readonly Refusal[] {
  const answer = sample.judge(engine);
  const refusals = answer?.outcome?.hits.flatMap(refusalBy) ?? [];
  if (refusals.length > 0 || answer === undefined || !prevents(answer.decision.action)) return refusals;
  const { action, policyId = NO_POLICY } = answer.decision;
  return [{ policy: policyId, action }];
}

function refusalBy({ rule, how }: Hit): readonly Refusal[] {
  const counts = how === 'matched' || how === 'unknown' || how === 'monitored';
  // What a judge says that was not asked, nobody knows.
  const isOpen = rule.judge !== undefined && rule.judged === undefined;
  return counts && !isOpen && prevents(rule.action) ? [{ policy: rule.id, action: rule.action }] : [];
}
