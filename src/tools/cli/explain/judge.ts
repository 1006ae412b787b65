import type { DecisionEntry } from '../../../hook/audit/record.ts';
import { preparePrompt } from '../../../hook/judge/prompt.ts';
import { createResponder } from '../../../hook/responder.ts';
import { sessionFolders } from '../../../hook/session-directory.ts';
import { createProcessMemory } from '../../../hook/state/process-memory.ts';
import { machineSurroundings } from '../../../hook/surroundings.ts';
import type { HostSetting } from '../../../hosts/host.ts';
import { createEngine } from '../../../language/engine/engine.ts';
import { evaluate } from '../../../language/engine/evaluate.ts';
import { createFacts } from '../../../language/engine/facts.ts';
import { shellReadings } from '../../../language/keys/call/shell-reading.ts';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import type { Event } from '../../../model/event.ts';
import type { JudgeAnswer, JudgeQuestion } from '../../../model/judge.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Explanation } from '../../report/explanation/explanation.ts';
import type { ShownPrompt } from '../../report/explanation/judge-prompt.ts';
import type { FoundMessage } from './find-event.ts';
import { nowUs } from './judged-steps.ts';

/** Judges a message twice: with a trace, and by the hook's own responder for the real answer. Stores, runs and asks nothing. */
export async function judge(
  { program, inForce }: CompiledFiles,
  { host, isAssumed, message, text }: FoundMessage,
  setting: HostSetting,
  isWorkspaceNamed: boolean,
): Promise<{ readonly explanation: Explanation; readonly prompts: readonly ShownPrompt[] }> {
  const decoded = host.decode(message, setting);
  if (decoded.type !== 'event')
    throw new Error(`The message of ${host.name} was an event when it was recognised`);
  const { event } = decoded;
  const engine = createEngine(program);
  const surroundings = (of: Event) => {
    const { workspace, directory } = sessionFolders(of, setting, isWorkspaceNamed);
    return machineSurroundings(setting.env, workspace, inForce, directory);
  };
  const readings = shellReadings(createFacts(event, createProcessMemory(), surroundings, program.programs));
  const questions: JudgeQuestion[] = [];
  const traced = (): Outcome => {
    questions.length = 0;
    const options = { memory: createProcessMemory(), surroundings, nowMs: Date.now, trace: { nowUs } };
    return evaluate(engine, event, options, (question) => {
      questions.push(question);
      return UNASKED;
    });
  };
  // The first time compiles the matchers, which would count as the time of the policies.
  traced();
  const outcome = traced();

  let entry: DecisionEntry | undefined;
  const responder = createResponder({
    host,
    setting,
    policies: () => ({ ok: true, engine }),
    memory: createProcessMemory(),
    surroundings,
    nowUs,
    nowMs: Date.now,
    limit: () => () => false,
    log: (logged) => {
      entry = logged;
    },
    ask: async (asked) => asked.map(() => NO_VERDICT),
    runTool: async ({ argv }) => ({ for_llm: `(what ${argv.join(' ')} prints)` }),
    keepInput: false,
  });
  await responder.respond(text);
  const reply = await responder.respond(text);
  if (entry === undefined) throw new Error('The responder gave an answer and logged none');
  const explanation = {
    host: isAssumed ? undefined : host.name,
    event,
    readings: readings ?? [],
    outcome,
    asks: [...new Set(questions.map(({ ruleId }) => ruleId))],
    answered: isAssumed ? outcome.decision : entry.outcome.decision,
    reply: isAssumed ? undefined : reply,
    durationUs: entry.durationUs,
  };
  return { explanation, prompts: questions.map(promptOf) };
}

const UNASKED: JudgeAnswer = { type: 'unasked' };
const NO_VERDICT: JudgeAnswer = { type: 'failed', failure: 'timeout', cause: 'it did not answer in time' };

/** The prompt as it would be sent; its random parts are others each time. */
function promptOf(question: JudgeQuestion): ShownPrompt {
  const { ruleId, judge: asked } = question;
  const random = () => crypto.randomUUID().replaceAll('-', '');
  const prompt = preparePrompt(question).with(random(), random());
  return { policyId: ruleId, judge: asked.name, model: asked.model ?? undefined, ...prompt };
}
