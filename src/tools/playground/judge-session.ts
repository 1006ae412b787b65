import { createProcessMemory } from '../../hook/state/process-memory.ts';
import type { BareCall, Host } from '../../hosts/host.ts';
import { hostNamed } from '../../hosts/registry.ts';
import type { Answer } from '../../language/calls/answer-call.ts';
import { answerMessage, type Session, settingFor } from '../../language/calls/answer-call.ts';
import { readCall } from '../../language/calls/read-call.ts';
import { createEngine } from '../../language/engine/engine.ts';
import { createFacts } from '../../language/engine/facts.ts';
import { compileDiscovered } from '../../language/policy/compile/compile-files.ts';
import { applyTrust } from '../../language/policy/compile/trust.ts';
import { ALWAYS_LOADED } from '../../language/policy/files/discovery.ts';
import { createAllowance } from '../../language/policy/parse/allowance.ts';
import { isJsonObject, type Json, parseJson } from '../../lib/json.ts';
import { runSteps } from '../../lib/steps.ts';
import { noOpinion } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { History } from '../../model/history.ts';
import type { Program } from '../../model/policy.ts';
import { diagnosticsText } from '../report/diagnostics/diagnostics-text.ts';
import { explanationOf } from '../report/explanation/explanation.ts';
import { explanationText } from '../report/explanation/explanation-text.ts';
import { createPaint } from '../report/layout/paint.ts';
import { answerSteps, inRepository } from '../suite/steps/answer-steps.ts';
import type { Step } from '../suite/steps/step.ts';

/** The texts that a person has typed into the page. */
export interface Question {
  readonly policy: string;
  readonly host: string;
  /** One call a line: a shell command, or a call as JSON. */
  readonly calls: string;
}

export interface StepAnswer {
  readonly call: string;
  readonly action: string;
  /** True if the agent does not carry the call out. */
  readonly refused: boolean;
  readonly reason: string;
  /** As `policy explain` prints it. */
  readonly explanation: string;
}

export interface SessionAnswer {
  /** The problems of the policy file, as `policy check` prints them; empty if there are none. */
  readonly problems: string;
  readonly steps: readonly StepAnswer[];
}

const FILE = 'policy.yaml';
const PASSING = ['continue', 'approve', 'modify'];

/** Judges the calls of a session, one after the other, by the policy file and the packs that are always loaded. */
export function judgeSession({ policy, host: name, calls }: Question): SessionAnswer {
  const host = hostNamed(name);
  if (host === undefined) throw new Error(`Cannot play agent "${name}": there is none of this name`);
  const { program, problems } = compileText(policy);
  if (program === undefined) return { problems, steps: [] };
  const session: Session = {
    engine: createEngine(program),
    memory: createProcessMemory(),
    trace: { nowUs: () => 0 },
  };
  const lines = calls.split('\n').filter((line) => line.trim() !== '');
  return { problems, steps: answerLines(lines, host, session) };
}

/** Each call knows the fates of those before it: one that is not refused was carried out. */
function answerLines(lines: readonly string[], host: Host, session: Session): readonly StepAnswer[] {
  const read = lines.map((line) => callIn(line, host));
  const steps = read.flatMap((each): Step[] =>
    'problem' in each
      ? []
      : [{ call: each.call, label: '', afterMs: 1_000, outcome: 'succeeded', result: '', checks: [] }],
  );
  const setting = settingFor(false);
  const answers = answerSteps(steps, session, (call, each) =>
    answerMessage(host.compose(call), host, setting, each),
  );
  let next = 0;
  return read.map((each, index) => {
    const line = lines[index] ?? '';
    if ('problem' in each) return unanswered(line, each.problem);
    const answer = answers[next++];
    return answer === undefined
      ? unanswered(line, 'Cannot judge the call')
      : stepAnswer(line, answer, host, session);
  });
}

function compileText(text: string): { readonly program?: Program; readonly problems: string } {
  const file = { path: `/${FILE}`, file: FILE, layer: 'user', root: undefined, text } as const;
  const place = { named: [], cwd: '/', sessionDirectory: '/', env: {} };
  const discovered = {
    found: [...ALWAYS_LOADED.map((pack) => ({ pack, layer: 'builtin' }) as const), file],
    diagnostics: [],
    warnings: [],
    isSynced: false,
    allowance: createAllowance(),
    links: [],
  };
  const { set, diagnostics, errors } = runSteps(compileDiscovered(discovered, place));
  const blocks = diagnosticsText(diagnostics, {
    paint: createPaint(false),
    sourceOf: (of) => (of === FILE ? text : undefined),
  });
  const problems = blocks.join('\n');
  if (errors.length > 0) return { problems };
  return { program: applyTrust(set, '', { trusted: () => undefined }).program, problems };
}

function callIn(line: string, host: Host): { readonly call: BareCall } | { readonly problem: string } {
  const reading = readCall(callOf(line));
  if (!reading.ok) return { problem: reading.problems[0]?.message ?? 'Cannot read the call' };
  const { on } = reading.call;
  if (host.supports(undefined)[on] === undefined) return { problem: `${host.title} has no event ${on}` };
  return { call: reading.call };
}

function stepAnswer(line: string, answer: Answer, host: Host, session: Session): StepAnswer {
  const { decision } = answer;
  const factsOf = (event: Event, history: History | undefined) =>
    createFacts(event, session.memory, inRepository, session.engine.program.programs, history);
  const explanation = explanationOf(answer, factsOf, host.name, 0);
  if (explanation === undefined) return unanswered(line, 'the agent does not ask about it');
  const reply = explanation.reply ?? { stdout: '', stderr: '', exitCode: 0 };
  const text = explanationText({ ...explanation, reply }, { paint: createPaint(false), verbose: false });
  return {
    call: line,
    action: decision.action,
    refused: !PASSING.includes(decision.action),
    reason: 'reason' in decision ? (decision.reason ?? '') : '',
    explanation: text,
  };
}

function unanswered(call: string, reason: string): StepAnswer {
  return { call, action: noOpinion().action, refused: false, reason, explanation: '' };
}

/** A line that is no JSON mapping is a shell command. */
function callOf(line: string): Json {
  const value = parseJson(line);
  return isJsonObject(value) ? value : { command: line };
}
