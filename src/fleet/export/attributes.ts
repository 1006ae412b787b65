/**
 * Every attribute of sent decisions: OpenTelemetry's names, else `policy.`. Documentation and contrib/fleet are tested against
 * these.
 */
export const RESOURCE_ATTRIBUTES = {
  'service.name': '`policy`',
  'service.version': 'version of this program',
  'host.id': 'a digest that identifies the machine: of its machine id, else of its name',
  'host.name': "the machine's name",
  'host.arch': 'its architecture',
  'os.type': 'its operating system',
} as const;

export const DECISION_ATTRIBUTES = {
  'policy.decision.id': 'unlike that of any other decision',
  'policy.decision.action': 'what was answered: `deny`, `continue`, …',
  'policy.decision.duration': 'seconds that judging took',
  'policy.decision.failed': 'true if a failure and not a policy decided',
  'policy.decision.allowed': 'true if a person has let the call pass',
  'policy.event': 'the event: `before_tool`, …',
  'policy.set.digest': 'digest of the set of policies that judged',
  'security_rule.name': 'the policy that decided: `git/no-force-push`',
  'security_rule.ruleset.name': 'its file: `git`',
  'policy.matched': 'list of the policies that matched, or counted as a match',
  'policy.monitored': 'list of those that matched in monitor mode, or as canaries on the other side',
  'policy.excepted': 'list of those that matched and an exception or a person let the call past',
  'policy.missed': 'list of those that answer with results of earlier calls and had none',
  'gen_ai.agent.name': 'the agent: `gemini`',
  'gen_ai.tool.name': "the agent's own name of the tool",
  'gen_ai.conversation.id': "the agent's own id of the session",
  'vcs.repository.url.full': 'the repository, by its remote: `https://github.com/acme/shop`',
} as const;

export const HEARTBEAT_ATTRIBUTES = {
  'policy.organisation.digest':
    "digest of the organisation's files here: the same where the files are the same",
} as const;

/** Sent with `--content` only: texts that may have parts of commands, without their secrets, as the log has them. */
export const CONTENT_ATTRIBUTES = {
  'policy.decision.reason': 'the reason of a refusal',
  'error.message': 'why it failed',
  'policy.input': "the agent's message as JSON, if it was logged (`--log-input`)",
} as const;

export const METRICS = {
  'policy.decisions': {
    unit: '{decision}',
    description: 'Decisions',
    attributes: [
      'gen_ai.agent.name',
      'policy.event',
      'policy.decision.action',
      'security_rule.name',
      'vcs.repository.url.full',
    ],
  },
  'policy.matches': {
    unit: '{match}',
    description: 'How often policies matched, and in what way',
    attributes: ['security_rule.name', 'policy.match', 'vcs.repository.url.full'],
  },
  'policy.decision.duration': {
    unit: 's',
    description: 'Time that judging took',
    attributes: ['gen_ai.agent.name', 'policy.event', 'policy.decision.action'],
  },
} as const;

export type EventAttribute =
  | keyof typeof DECISION_ATTRIBUTES
  | keyof typeof HEARTBEAT_ATTRIBUTES
  | keyof typeof CONTENT_ATTRIBUTES;
export type MetricName = keyof typeof METRICS;
export type MetricAttribute = (typeof METRICS)[MetricName]['attributes'][number];

/** The events as which records are sent. */
export const DECISION_EVENT = 'policy.decision';
export const HEARTBEAT_EVENT = 'policy.heartbeat';
