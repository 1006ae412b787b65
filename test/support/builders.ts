import { createProcessMemory } from '../../src/hook/state/process-memory.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Event, EventKind, EventText, ToolClass } from '../../src/model/event.ts';
import type { Memory } from '../../src/model/memory.ts';
import type { Program, Rule } from '../../src/model/policy.ts';

/** A tool event of a host that sends everything. */
export function toolEvent(
  name: string,
  args: JsonObject | undefined,
  options: {
    kind?: EventKind;
    classes?: readonly ToolClass[];
    model?: string;
    session?: string;
    raw?: JsonObject;
  } = {},
): Event {
  const classes = options.classes ?? ['shell'];
  const build = (subject: JsonObject): Event => ({
    ...base(options.kind ?? 'before_tool', options),
    subject,
    tool: {
      name: String(subject['tool']),
      classes,
      arguments: subject['arguments'] as JsonObject | undefined,
      aliases: { path: 'file_path' },
    },
    texts: [],
    with: build,
  });
  return build(args === undefined ? { tool: name } : { tool: name, arguments: args });
}

/** A request to the model with these messages. */
export function llmEvent(messages: readonly { role: string; content: string }[], session?: string): Event {
  const build = (subject: JsonObject): Event => ({
    ...base('before_llm', session === undefined ? {} : { session }),
    subject,
    tool: undefined,
    texts: (subject['messages'] as typeof messages).map(
      ({ role, content }, index): EventText => ({
        role,
        text: content,
        path: ['messages', index, 'content'],
      }),
    ),
    with: build,
  });
  return build({ model: 'some-model', messages });
}

function base(kind: EventKind, options: { model?: string; session?: string; raw?: JsonObject }) {
  return {
    kind,
    host: 'testhost',
    native: kind,
    requestId: undefined,
    raw: options.raw ?? {},
    model: options.model,
    context: {},
    session: options.session,
    turn: undefined,
  };
}

/** A rule with everything usual left out. */
export function rule(parts: Partial<Rule> & Pick<Rule, 'action'>): Rule {
  return {
    id: 'test/rule',
    position: { file: 'test.yaml', line: 1, column: 1, length: 1 },
    layer: 'named',
    order: 0,
    priority: 0,
    mode: 'enforce',
    on: ['before_tool', 'approve_tool'],
    when: {},
    literals: null,
    needs: null,
    whenUnknown: ['deny', 'ask', 'retry_feedback', 'abort_turn', 'hard_abort'].includes(parts.action)
      ? 'match'
      : 'skip',
    params: {},
    trust: 'active',
    ...parts,
  };
}

/** A program of these rules in this order. */
export function program(rules: readonly Rule[], parts: Partial<Program> = {}): Program {
  return {
    digest: 'test',
    rules: rules.map((each, order) => ({ ...each, order })),
    unmatchedDeny: [],
    onErrorContinue: false,
    ...parts,
  };
}

/** Memory that forgets with the test. */
export function testMemory(): Memory {
  return createProcessMemory();
}

/** Memory that cannot be used. */
export const BROKEN_MEMORY: Memory = {
  get: () => {
    throw new Error('Cannot read the state file');
  },
  set: () => {
    throw new Error('Cannot write the state file');
  },
  update: () => {
    throw new Error('Cannot write the state file');
  },
};
