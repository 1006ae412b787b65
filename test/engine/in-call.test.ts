import { expect, test } from 'bun:test';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { NO_HISTORY, type PastCall } from '../../src/model/history.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import type { FactRow } from '../../src/model/policy.ts';
import { program, rule } from '../support/builders.ts';

const ROOT = '/workspace';

function row(id: string, when: JsonObject): FactRow {
  const position = { file: 'f.yaml', line: 1, column: 1, length: 1 };
  return { id, position, layer: 'project', when, literals: null, needs: null, values: ['repository'] };
}

const FACTS = [
  row('tested', { command: { subcommand: ['npm', 'test'] } }),
  row('edited', { path: { match: 'src/**', uses: ['write', 'delete'] } }),
];
const PUSH = rule({
  action: 'deny',
  when: {
    command: { subcommand: ['git', 'push'] },
    history: {
      not_seen: { fact: 'tested', outcome: 'succeeded' },
      since: { fact: 'edited', outcome: 'passed' },
      within: 'session',
    },
  },
});

function past(sequence: number): PastCall {
  const certain = { met: true, ran: true, own: true, alone: true, refused: false } as const;
  const values = { repository: [ROOT] };
  return {
    ...certain,
    sequence,
    settledSequence: sequence + 1,
    startedMs: sequence,
    result: 'succeeded',
    values,
  };
}

/** What becomes of a command after calls, by fact. */
function decide(command: string, calls: Readonly<Record<string, readonly PastCall[]>>) {
  const event = bareEvent({ on: 'before_tool', tool: 'shell', arguments: { command } });
  const engine = createEngine({ ...program([PUSH]), facts: FACTS });
  const surroundings = () => ({
    home: '/home/me',
    workspace: ROOT,
    realPath: (path: string) => path,
    repository: (folder = ROOT) => (`${folder}/`.startsWith(`${ROOT}/`) ? { root: ROOT, name: null } : null),
  });
  const history = { ...NO_HISTORY, past: (fact: string) => ({ calls: calls[fact] ?? [] }) };
  return evaluate(engine, event, { memory: NO_MEMORY, surroundings, history }).decision.action;
}

const EDITED = { edited: [past(2)] };
const TESTED = { edited: [past(2)], tested: [past(4)] };

test.each([
  ['git push', 'deny'],
  ['npm test && git push', 'continue'],
  ['npm test && git add -A && git push', 'continue'],
  ['cd web && npm test && git push', 'continue'],
  ['timeout 60 npm test && git push', 'continue'],
  ['npm test && git push || echo failed', 'continue'],
  ['npm test && timeout 60 git push', 'continue'],
  ['npm test; git push', 'deny'],
  ['npm test || git push', 'deny'],
  ['npm test | tail && git push', 'deny'],
  ['npm test & git push', 'deny'],
  ['git push && npm test', 'deny'],
  ['npm test && true; git push', 'deny'],
  ['npm test && git push; git push --tags', 'deny'],
  ['npm test --help && git push', 'deny'],
  ['cd /tmp/stub && npm test && git push', 'continue'],
  ['(cd /tmp/stub && npm test) && git push', 'deny'],
  ['npm test && cd /tmp/stub && git push', 'deny'],
  ['npm test && git -C /tmp/stub push', 'deny'],
  ['sed -i s/a/b/ src/a.ts & npm test && git push', 'deny'],
  ['npm test --script-shell true && git push', 'deny'],
  ['npm --prefix ./../other test && git push', 'deny'],
  ['npm test $ARGS && git push', 'deny'],
  ['npm test && echo x > src/a.ts && git push', 'deny'],
  ['echo x > src/a.ts && npm test && git push', 'continue'],
  ['true || npm test && git push', 'deny'],
  ['if npm test; then git push; fi', 'deny'],
])('after an edit, %j: %s', (command, action) => {
  expect(decide(command, EDITED)).toBe(action as 'deny');
});

test.each([
  ['git push', 'continue'],
  ['git add -A && git commit -m x && git push', 'continue'],
  ['echo x > src/a.ts && git push', 'deny'],
  ['sed -i s/a/b/ src/a.ts; git push', 'deny'],
  ['rm -r src && git push', 'deny'],
  ['echo x > notes.md && git push', 'continue'],
  ['git push && echo x > src/a.ts', 'continue'],
])('after a test since the edit, %j: %s', (command, action) => {
  expect(decide(command, TESTED)).toBe(action as 'deny');
});
