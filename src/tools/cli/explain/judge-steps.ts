import { createProcessMemory } from '../../../hook/state/process-memory.ts';
import { machineSurroundings } from '../../../hook/surroundings.ts';
import type { HostSetting } from '../../../hosts/host.ts';
import { createEngine } from '../../../language/engine/engine.ts';
import { createFacts } from '../../../language/engine/facts.ts';
import { shellReadings } from '../../../language/keys/call/shell-reading.ts';
import { beforeTexts } from '../../../language/keys/history/before-texts.ts';
import type { CompiledFiles } from '../../../language/policy/compile-files.ts';
import { parseYaml } from '../../../language/policy/yaml.ts';
import { isJsonObject } from '../../../lib/json.ts';
import type { Event } from '../../../model/event.ts';
import type { Explanation } from '../../report/explanation.ts';
import { readSamples } from '../../suite/parse-test-file.ts';
import { answerSteps } from '../../suite/steps/answer-steps.ts';
import { readSteps } from '../../suite/steps/read-steps.ts';
import type { Step } from '../../suite/steps/step.ts';
import { UsageError } from '../usage-error.ts';

/** A step before the one that is explained. */
export interface EarlierStep {
  readonly label: string;
  readonly action: string;
  readonly policy: string | undefined;
  /** What became of it; undefined if it was refused. */
  readonly outcome: Step['outcome'] | undefined;
}

/** Judges steps in order and explains the last of them. */
export function judgeSteps(
  { program, inForce }: CompiledFiles,
  text: string,
  file: string,
  { env, cwd }: HostSetting,
): { readonly earlier: readonly EarlierStep[]; readonly explanation: Explanation } {
  const steps = stepsIn(text, file, cwd);
  const surroundings = (_: Event) => machineSurroundings(env, cwd, inForce, cwd);
  const memory = createProcessMemory();
  const session = { engine: createEngine(program), memory, surroundings, trace: { nowUs } };
  const startUs = nowUs();
  const answers = answerSteps(steps, session);
  const durationUs = nowUs() - startUs;
  const answer = answers.at(-1);
  if (answer?.event === undefined || answer.outcome === undefined)
    throw new Error('A step was answered without an event');
  const { event, outcome, decision, history } = answer;
  const facts = createFacts(event, memory, surroundings, program.programs, history);
  const earlier = answers.slice(0, -1).map((each, index): EarlierStep => {
    const { label = '', outcome: end } = steps[index] ?? {};
    const { action, policyId } = each.decision;
    return { label, action, policy: policyId, outcome: action === 'continue' ? end : undefined };
  });
  return {
    earlier,
    explanation: {
      host: undefined,
      event,
      readings: shellReadings(facts) ?? [],
      outcome,
      before: outcome.trace.flatMap(({ rule, truth }) =>
        truth === false ? [] : beforeTexts(rule.when, facts),
      ),
      asks: [],
      answered: decision,
      reply: undefined,
      durationUs: durationUs / answers.length,
    },
  };
}

function stepsIn(text: string, file: string, cwd: string): readonly Step[] {
  const { document, diagnostics: found } = parseYaml(text, file);
  const root = document?.value;
  const diagnostics = [...found];
  const steps =
    document === undefined || root === undefined || !isJsonObject(root)
      ? []
      : readSteps({
          reader: { document, diagnostics },
          mapping: root,
          path: [],
          samples: readSamples({ document, diagnostics }, root),
        });
  const [problem] = diagnostics;
  if (problem !== undefined) {
    const { position, message, hint } = problem;
    throw new UsageError(
      `${position.file}:${position.line}: ${message}${hint === undefined ? '' : `; ${hint}`}`,
    );
  }
  if (steps.length === 0) throw new UsageError(`Cannot explain "${file}": it is no mapping with "steps"`);
  return steps.map((step) => ({ ...step, call: { ...step.call, context: { cwd, ...step.call.context } } }));
}

function nowUs(): number {
  return performance.now() * 1_000;
}
