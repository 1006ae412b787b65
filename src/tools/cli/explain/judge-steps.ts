import { createProcessMemory } from '../../../hook/state/process-memory.ts';
import { machineSurroundings } from '../../../hook/surroundings.ts';
import type { HostSetting } from '../../../hosts/host.ts';
import type { Answer } from '../../../language/calls/answer-call.ts';
import { createEngine } from '../../../language/engine/engine.ts';
import { createFacts } from '../../../language/engine/facts.ts';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import { parseYaml } from '../../../language/policy/yaml/yaml.ts';
import { isJsonObject } from '../../../lib/json.ts';
import type { Event } from '../../../model/event.ts';
import { earlierCallsOf, explanationOf } from '../../report/explanation/explanation.ts';
import { readSamples } from '../../suite/cases/parse-test-file.ts';
import { readSteps } from '../../suite/cases/read-steps.ts';
import { shapeProblems } from '../../suite/cases/shape-problems.ts';
import { answerSteps } from '../../suite/steps/answer-steps.ts';
import type { Step } from '../../suite/steps/step.ts';
import { UsageError } from '../io.ts';
import { type EarlierStep, type JudgedSteps, nowUs } from './judged-steps.ts';

/** Judges steps in order and explains the last of them. */
export function judgeSteps(
  { program, inForce }: CompiledFiles,
  text: string,
  file: string,
  { env, cwd }: HostSetting,
): JudgedSteps {
  const steps = stepsIn(text, file, cwd);
  const surroundings = (_: Event) => machineSurroundings(env, cwd, inForce, cwd);
  const memory = createProcessMemory();
  const session = { engine: createEngine(program), memory, surroundings, trace: { nowUs } };
  const startUs = nowUs();
  const answers = answerSteps(steps, session);
  const durationUs = nowUs() - startUs;
  const factsOf = (about: Event, before: Answer['history']) =>
    createFacts(about, memory, surroundings, program.programs, before);
  const last = answers.at(-1);
  const explanation = last && explanationOf(last, factsOf, undefined, durationUs / answers.length);
  if (explanation === undefined) throw new Error('A step was answered without an event');
  const earlier = answers.slice(0, -1).map((each, index): EarlierStep => {
    const { label = '', outcome: end } = steps[index] ?? {};
    const { action, policyId } = each.decision;
    const isRefused = policyId !== undefined && each.event !== undefined && each.outcome !== undefined;
    const before = isRefused ? earlierCallsOf(each.outcome, factsOf(each.event, each.history)) : [];
    return { label, action, policy: policyId, outcome: action === 'continue' ? end : undefined, before };
  });
  return { earlier, explanation: { ...explanation, noHost: 'the steps are judged by the engine alone' } };
}

function stepsIn(text: string, file: string, cwd: string): readonly Step[] {
  const { document, diagnostics: mistakes } = parseYaml(text, file);
  const diagnostics = [...mistakes];
  let steps: readonly Step[] = [];
  if (document !== undefined && isJsonObject(document.value)) {
    const reader = { document, diagnostics };
    diagnostics.push(...shapeProblems(document, 'steps').map(({ diagnostic }) => diagnostic));
    const mapping = diagnostics.length === 0 ? document.value : {};
    steps = readSteps({ reader, mapping, path: [], samples: readSamples(reader, mapping) });
  }
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
