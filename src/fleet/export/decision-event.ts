import type { DecisionRecord } from '../../hook/audit/record.ts';
import { prevents } from '../../model/action.ts';
import {
  DECISION_EVENT,
  type EventAttribute,
  HEARTBEAT_EVENT,
  type MetricAttribute,
  type MetricName,
} from './attributes.ts';

export interface LogEvent {
  readonly name: string;
  readonly timeMs: number;
  readonly severity: 'info' | 'warn' | 'error';
  /** In a few words. */
  readonly body: string;
  readonly attributes: Attributes;
}

export type Attributes = Readonly<
  Partial<Record<EventAttribute, string | number | boolean | readonly string[]>>
>;

export interface Measurement {
  readonly metric: MetricName;
  readonly value: number;
  readonly attributes: Readonly<Partial<Record<MetricAttribute, string>>>;
}

/** A logged decision and the facts beside it. */
export interface ExportedDecision {
  readonly record: DecisionRecord;
  /** `host/owner/name`; undefined if it has no remote. */
  readonly repository: string | undefined;
}

/** @param withContent true to send texts that may have parts of commands */
export function decisionEvent({ record, repository }: ExportedDecision, withContent: boolean): LogEvent {
  const { action, policy, failed } = record;
  return {
    name: DECISION_EVENT,
    timeMs: timeOf(record),
    severity: failed !== undefined ? 'error' : prevents(action) ? 'warn' : 'info',
    body: policy === undefined ? action : `${action} ${policy}`,
    attributes: present({
      'policy.decision.id': record.decision_id,
      'policy.decision.action': action,
      'policy.decision.duration': secondsOf(record),
      'policy.decision.failed': failed !== undefined,
      'policy.decision.allowed': record.allowed !== undefined,
      'policy.event': record.event,
      'policy.set.digest': record.digest,
      'security_rule.name': policy,
      'security_rule.ruleset.name': policy?.split('/')[0],
      'policy.matched': [...idsOf(record, 'matched'), ...idsOf(record, 'unknown')],
      'policy.monitored': idsOf(record, 'monitored'),
      'policy.excepted': idsOf(record, 'excepted'),
      'policy.missed': idsOf(record, 'missed'),
      'gen_ai.agent.name': record.host,
      'gen_ai.tool.name': record.tool,
      'gen_ai.conversation.id': record.session,
      'vcs.repository.url.full': addressOf(repository),
      ...(withContent
        ? {
            'policy.decision.reason': record.reason,
            'error.message': failed,
            'policy.input': record.input === undefined ? undefined : JSON.stringify(record.input),
          }
        : {}),
    }),
  };
}

/**
 * That this machine still sends, whether or not its agents do anything.
 *
 * @param organisation digest of the organisation's files; undefined if there are none
 */
export function heartbeat(timeMs: number, organisation: string | undefined): LogEvent {
  const attributes = present({ 'policy.organisation.digest': organisation });
  return { name: HEARTBEAT_EVENT, timeMs, severity: 'info', body: 'heartbeat', attributes };
}

/** The measurements that a decision adds to the metrics. */
export function measurementsOf({ record, repository }: ExportedDecision): readonly Measurement[] {
  const common = {
    'gen_ai.agent.name': record.host,
    'policy.event': record.event,
    'policy.decision.action': record.action,
  };
  const where = { 'vcs.repository.url.full': addressOf(repository) };
  return [
    {
      metric: 'policy.decisions',
      value: 1,
      attributes: present({ ...common, ...where, 'security_rule.name': record.policy }),
    },
    { metric: 'policy.decision.duration', value: secondsOf(record), attributes: present(common) },
    ...record.policies.map(
      ({ id, how }): Measurement => ({
        metric: 'policy.matches',
        value: 1,
        attributes: present({ ...where, 'security_rule.name': id, 'policy.match': how }),
      }),
    ),
  ];
}

function idsOf({ policies }: DecisionRecord, wanted: string): readonly string[] {
  return policies.filter(({ how }) => how === wanted).map(({ id }) => id);
}

function secondsOf(record: DecisionRecord): number {
  return record.duration_us / 1_000_000;
}

/** A time that nobody can read is no time; the receiver has its own. */
function timeOf({ time }: DecisionRecord): number {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? 0 : ms;
}

function addressOf(repository: string | undefined): string | undefined {
  return repository === undefined ? undefined : `https://${repository}`;
}

/** Without unknown values. */
function present<K extends string, V>(values: { readonly [P in K]?: V | undefined }): Partial<Record<K, V>> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && !isEmptyList(value)),
  ) as Partial<Record<K, V>>;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
