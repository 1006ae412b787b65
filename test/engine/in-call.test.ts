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
  ['if npm test; then git push; fi', 'continue'],
  ['if ! npm test; then git push; fi', 'deny'],
  ['if npm test; then :; else git push; fi', 'deny'],
  ['if ! npm test; then exit 1; fi; git push', 'continue'],
  ['if npm test; then echo ok; else exit 1; fi\ngit push', 'continue'],
  ['set -e; npm test; git push', 'continue'],
  ['set -e; cd web; npm ci; npm test; git push', 'continue'],
  ['set -euo pipefail\nnpm test 2>&1 | tail -20\ngit push', 'continue'],
  ['set -e; npm test | tail -20; git push', 'deny'],
  ['set -e; set +e; npm test; git push', 'deny'],
  ['set -e; npm test; set +e; git push', 'continue'],
  ['set -e; npm test || true; git push', 'deny'],
  ['set -e; npm test & git push', 'deny'],
  ['set -e; npm test && true; git push', 'deny'],
  ['[ -e x ] && set -e; npm test; git push', 'deny'],
  ['echo $(set -e); npm test; git push', 'deny'],
  ['(set -e); npm test; git push', 'deny'],
  ['(set -e; npm test; git push)', 'continue'],
  ['(set -e; npm test); git push', 'deny'],
  ['set -e; trap "git push" EXIT; npm test', 'deny'],
  ['set -e; trap "" ERR; npm test; git push', 'deny'],
  ['set -e; npm() { :; }; npm test; git push', 'deny'],
  ['set -e; npm test; echo x > src/a.ts; git push', 'deny'],
  ['set -e; test_all() { npm test; }; test_all; git push', 'continue'],
  ['set -e; test_all() { npm test; }; test_all || true; git push', 'deny'],
  ['bash -c "set -e; npm test; git push"', 'continue'],
  ['bash -c "npm test; true" && git push; echo done', 'deny'],
  ['bash -c "npm test; git push"', 'deny'],
  ['npm test || exit 1; git push', 'continue'],
  ['npm test || exit; git push', 'continue'],
  ['npm test || exit 0; git push', 'continue'],
  ['npm test || return 1; git push', 'deny'],
  ['npm test || { echo failed; exit 1; }; git push', 'continue'],
  ['npm test || { echo failed; exit 1; }\ngit add -A\ngit push', 'continue'],
  ['npm test || { echo failed; }; git push', 'deny'],
  ['npm test || (echo failed; exit 1); git push', 'deny'],
  ['{ npm test || exit 1; } > /nowhere/x; git push', 'deny'],
  ['npm test && echo ok || exit 1; git push', 'continue'],
  ['npm test && false || git push', 'deny'],
  ['npm test; [ $? -eq 0 ] && git push', 'continue'],
  ['npm test; [ $? -ne 0 ] && git push', 'deny'],
  ['npm test; echo done; [ $? -eq 0 ] && git push', 'deny'],
  ['npm test | tail; [ $? -eq 0 ] && git push', 'deny'],
  ['npm test | tail; [ ${PIPESTATUS[0]} -eq 0 ] && git push', 'continue'],
  ['npm test | tail; [ ${PIPESTATUS[1]} -eq 0 ] && git push', 'deny'],
  ['npm test; rc=$?; echo "exit: $rc"; if [ "$rc" -eq 0 ]; then git push; fi', 'continue'],
  ['npm test; rc=$?; rc=0; [ $rc -eq 0 ] && git push', 'deny'],
  ['npm test; if [ $? -ne 0 ]; then echo failed; exit 1; fi; git push', 'continue'],
  ['out=$(npm test 2>&1) && git push', 'continue'],
  ['if out=$(npm test 2>&1); then git push; fi', 'continue'],
  ['out=$(npm test; true) && git push', 'deny'],
  ['echo "$(npm test)" && git push', 'deny'],
  ['npm test && (sleep 9; echo x > src/a.ts) | git push', 'deny'],
  ['(sleep 9; echo x > src/a.ts) | npm test && git push', 'deny'],
  ['while npm test; do git push; break; done', 'continue'],
  ['until npm test; do git push; break; done', 'deny'],
  ['while npm test; do break; done; git push', 'deny'],
  ['npm test && for i in 1 2; do git push; echo x > src/a.ts; done', 'deny'],
  ['f() { npm test; }; [ -e x ] && f() { :; }; f && git push', 'deny'],
  ['eval "" && git push', 'deny'],
  ['npm test; eval "" && git push', 'deny'],
  ['eval "npm test" && git push', 'continue'],
  ['npm test && $X && git push', 'deny'],
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
