import type { Host } from '../hosts/host.ts';
import type { PolicyText } from '../policy/policy-text.ts';

const FILE = '--register-policy';

/** What the model is told of a policy, as far as it needs to write one; `policy session add` says what is wrong with it. */
const POLICY = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    tool: { description: 'shell, read, write, edit, fetch and others; a name or a list' },
    command: { description: 'A program, or {subcommand: [git, push], flags: {any: --force}}' },
    path: { description: 'A glob such as infra/**, or a list' },
    url: { description: 'A host, or a list' },
    action: { enum: ['deny', 'ask'] },
    reason: { type: 'string', description: 'What the agent is told' },
  },
  required: ['id', 'action', 'reason'],
};

/** Why a host cannot offer the tool; undefined if it can. */
export function registerProblem(host: Host, version: string | undefined): string | undefined {
  const { before_llm, before_tool } = host.supports(version);
  const canOffer = before_llm?.rewrites.includes('add_tools') && before_tool?.actions.includes('respond');
  return canOffer ? undefined : `Cannot use ${FILE}: ${host.title} takes no tools from hooks`;
}

/**
 * A policy file with the plugin tool `register_policy`, by which the model adds policies to the sessions of a directory.
 *
 * @param program this one, absolute
 * @param directory absolute
 */
export function registerPolicyFile(program: string, directory: string): PolicyText {
  const tool = {
    name: 'register_policy',
    description:
      'Adds policies that refuse calls of this agent, or have a person asked, from now on. They can only restrict, and only a person can remove them.',
    parameters: {
      type: 'object',
      properties: {
        version: { const: 1 },
        name: { type: 'string', description: 'What the policies are for, in letters, digits and hyphens' },
        policies: { type: 'array', minItems: 1, items: POLICY },
      },
      required: ['version', 'name', 'policies'],
      additionalProperties: false,
    },
    run: [program, 'session', 'add', '-', '--as-tool', '--workspace', directory],
  };
  const text = JSON.stringify({ version: 1, name: 'hook', tools: [tool] });
  return { path: FILE, file: FILE, layer: 'builtin', root: undefined, text };
}
