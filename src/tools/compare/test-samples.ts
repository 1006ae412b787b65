import { createProcessMemory } from '../../hook/state/process-memory.ts';
import type { Host } from '../../hosts/host.ts';
import { hostNamed } from '../../hosts/registry.ts';
import { answerBareCall, answerMessage, settingFor } from '../../language/calls/answer-call.ts';
import { runExample } from '../../language/calls/examples.ts';
import type { CompiledFiles } from '../../language/policy/compile/compile-files.ts';
import { own } from '../../lib/json.ts';
import type { Rule } from '../../model/policy.ts';
import { callLabel } from '../suite/cases/call-label.ts';
import type { TestCase, TestFile } from '../suite/cases/test-case.ts';
import { answerCase } from '../suite/run-case.ts';
import type { Sample } from './sample.ts';

/** The calls of the examples of a set, each to be judged by a whole set. */
export function exampleSamples({ program, examples }: CompiledFiles): readonly Sample[] {
  const rules = new Map(program.rules.map((rule) => [rule.id, rule]));
  return examples.flatMap((example): readonly Sample[] => {
    const rule = rules.get(example.ruleId);
    const call = rule === undefined ? undefined : runExample(rule, example, program.programs).call;
    if (rule === undefined || call === undefined) return [];
    const host = hostOf(rule);
    return [
      {
        label: callLabel(call),
        place: `${example.position.file}:${example.position.line}`,
        key: JSON.stringify([call, host?.name]),
        judge: (engine) => {
          const session = { engine, memory: createProcessMemory() };
          if (host === undefined) return answerBareCall(call, session);
          return answerMessage(host.compose(call), host, settingFor(false), session);
        },
      },
    ];
  });
}

/** A policy for some hosts is asked about calls of the first of them. */
function hostOf({ when }: Rule): Host | undefined {
  const hosts = own(when, 'hosts');
  const [first] = Array.isArray(hosts) ? hosts : [];
  return typeof first === 'string' ? hostNamed(first) : undefined;
}

export function caseSamples({ cases }: TestFile): readonly Sample[] {
  return cases.map((test) => ({
    label: labelOf(test),
    place: `${test.position.file}:${test.position.line}`,
    key: JSON.stringify([test.input, test.history, test.host, test.interactive, test.judge ?? null]),
    judge: (engine) => answerCase(test, { engine }).answer,
  }));
}

function labelOf({ input, name, host }: TestCase): string {
  const label = input.type === 'call' ? callLabel(input.call) : name;
  return host === undefined ? label : `${label} on ${host}`;
}
