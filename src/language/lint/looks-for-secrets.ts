import { NO_MEMORY } from '../../model/memory.ts';
import type { Rule } from '../../model/policy.ts';
import { surroundingsOf } from '../calls/answer-call.ts';
import { bareEvent } from '../calls/bare-event.ts';
import { createEngine } from '../engine/engine.ts';
import { evaluate } from '../engine/evaluate.ts';

/** One of each kind that people look for most, put together so that nobody takes them for real ones. */
const SECRETS = [
  `AKIA${'A1'.repeat(8)}`,
  `ghp_${'a1'.repeat(18)}`,
  `sk-ant-api03-${'a1'.repeat(20)}`,
  `sk-${'a1'.repeat(24)}`,
  `xoxb-${'1'.repeat(12)}-${'a1'.repeat(12)}`,
  `AIza${'a1'.repeat(17)}a`,
  `-----BEGIN RSA ${'PRIVATE'} KEY-----`,
].join(' ');

/** True if a policy matches a harmless command on a host as soon as secrets are in it. */
export function looksForSecrets(rule: Rule, host: string): boolean {
  const matches = (words: string) => {
    const event = bareEvent({
      on: 'before_tool',
      tool: 'shell',
      arguments: { command: `echo "${words}"` },
      context: { host },
    });
    const { hits } = evaluate(engine, event, { memory: NO_MEMORY, surroundings: surroundingsOf });
    return hits.some(({ how }) => how === 'matched');
  };
  const engine = createEngine({ digest: '', rules: [rule], unmatchedDeny: [], onErrorContinue: false });
  return matches(SECRETS) && !matches(SECRETS.replace(/[^ ]/g, 'x'));
}
