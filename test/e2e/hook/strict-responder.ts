import type { HostSetting, Reply } from '../../../src/hosts/host.ts';
import { createEngine } from '../../../src/language/engine/engine.ts';
import { parsePolicyFile } from '../../../src/language/policy/parse/parse.ts';
import { EVENT_KINDS } from '../../../src/model/event.ts';
import type { Rule } from '../../../src/model/policy.ts';
import { program, rule } from '../../support/builders.ts';
import { testResponder } from '../../support/test-responder.ts';
import type { TestedHost } from './host-reading.ts';

/** Refuses whatever can be refused. */
export const DENY_ALL = rule({
  id: 'house/never',
  on: EVENT_KINDS,
  action: 'deny',
  params: { reason: 'never' },
});

/** Answers the messages of a host by these policies, without a process around it. */
export function respondWith(
  { host, version }: TestedHost,
  rules: readonly Rule[],
  env: HostSetting['env'] = {},
): (text: string) => Reply {
  const engine = createEngine(program(rules));
  const { respond } = testResponder({
    host,
    setting: { version, env, cwd: '/work', interactive: false },
    policies: () => ({ ok: true, engine }),
  });
  return (text) => {
    const reply = respond(text);
    if (reply instanceof Promise) throw new Error('no policy here takes time');
    return reply;
  };
}

/** The policies of a file's text. */
export function rulesOf(text: string): readonly Rule[] {
  const { draft, diagnostics } = parsePolicyFile(text, 'house.yaml', 'house');
  if (draft === undefined || diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return draft.rules.map(({ judge: _judge, ...each }, order) => ({
    ...each,
    layer: 'named',
    order,
    trust: 'active',
  }));
}
