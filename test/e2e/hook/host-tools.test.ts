import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { answerMessage } from '../../../src/language/calls/answer-call.ts';
import { surroundingsAt } from '../../../src/language/calls/bare-event.ts';
import { createEngine } from '../../../src/language/engine/engine.ts';
import { compileFiles } from '../../../src/language/policy/compile/compile-files.ts';
import { BUILTIN_PACKS } from '../../../src/language/policy/compile/packs.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { NO_MEMORY } from '../../../src/model/memory.ts';
import { settingOf } from '../../hosts/transcripts.ts';
import { optionsIn, placeIn } from '../../policy/support.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { type Reading, testedHost } from './host-reading.ts';
import { answerIn } from './in-process.ts';
import { workplace } from './workplace.ts';

const HOUSE = `version: 1
name: house
policies:
  - {id: key, description: d, path: {match: '**/id_rsa', uses: [read]}, action: deny, reason: Not for agents}
  - {id: kept, description: d, path: {match: '**/kept.txt', uses: [write]}, action: deny, reason: Leave it alone}
  - {id: extensions, description: d, tool: install, action: deny, reason: Ask somebody}
  - {id: evil, description: d, url: {host: evil.example}, action: deny, reason: Not there}
  - {id: rewritten, description: d, command: {run: draft}, action: modify, rewrite: {program: {draft: final}}}
`;

const PROJECT = '/work';

const DELETES = 'rm -rf ~/';

/** A tool, a call of it that is refused, and its harmless twin if it has one. */
type Row = readonly [host: string, tool: string, refused: JsonObject, passes?: JsonObject];

const ROWS = load(readFileSync(join(import.meta.dir, 'host-tools.yaml'), 'utf8')) as readonly Row[];

/** Plans, findings and questions name paths and commands, and use none. */
const INERT: readonly (readonly [string, string, JsonObject])[] = [
  ['claude', 'TodoWrite', { todos: [{ content: DELETES, file: '.policy/a.yaml', command: DELETES }] }],
  ['claude', 'ReportFindings', { findings: [{ file: '.policy/a.yaml', summary: DELETES }] }],
  ['claude', 'ExitPlanMode', { plan: DELETES, path: '.policy/a.yaml' }],
  ['claude', 'Skill', { skill: 'tidy', args: `--command ${DELETES}` }],
  ['claude', 'TaskCreate', { subject: DELETES, description: DELETES, metadata: { command: DELETES } }],
  ['codex', 'update_plan', { plan: [{ step: DELETES, command: DELETES }] }],
  ['copilot', 'sql', { query: 'delete from todos', description: DELETES }],
  ['opencode', 'todowrite', { todos: [{ content: DELETES, command: DELETES }] }],
  ['vscode', 'manage_todo_list', { todoList: [{ command: DELETES }] }],
  ['qwen', 'todo_write', { todos: [{ command: DELETES }] }],
];

const engine = (() => {
  const folder = sharedFolder({ 'house.yaml': HOUSE });
  const named = ['builtin:baseline', 'builtin:self-protection', `${folder}/house.yaml`];
  const place = placeIn(folder, { named });
  const { program, diagnostics } = compileFiles(optionsIn(folder, { place, packs: BUILTIN_PACKS }));
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return createEngine(program);
})();

/** What becomes of a call, as its host reads the answer that is encoded for it. */
function outcome(name: string, tool: string, args: JsonObject): Reading {
  const { host, read } = testedHost(name);
  const answer = answerMessage(
    JSON.parse(messageOf(name, tool, args, PROJECT)),
    host,
    settingOf({ cwd: PROJECT }),
    { engine, memory: NO_MEMORY, surroundings: () => surroundingsAt(PROJECT) },
  );
  const [reply = { stdout: '', stderr: '', exitCode: 0 }] = answer.replies;
  return read('before_tool', reply);
}

/** The same by a process, in a home with these policies. */
async function outcomeOfProcess(name: string, tool: string, args: JsonObject): Promise<Reading> {
  const place = workplace({ 'home/.config/policy/house.yaml': HOUSE });
  const input = messageOf(name, tool, args, place.project);
  return testedHost(name).read('before_tool', await answerIn(place, ['--host', name], input));
}

/** The arguments by their own names, and no others. */
function messageOf(name: string, tool: string, args: JsonObject, cwd: string): string {
  const bare = { on: 'before_tool', tool, arguments: { at: 0 }, context: { cwd, session: 's' } } as const;
  return JSON.stringify(testedHost(name).host.compose(bare)).replace('{"at":0}', () => JSON.stringify(args));
}

describe.each(ROWS)('%s, %s', (host, tool, refused, passes) => {
  test(`is refused with ${JSON.stringify(refused)}`, () => {
    expect(outcome(host, tool, refused)).toBe('prevented');
  });
  if (passes !== undefined)
    test(`passes with ${JSON.stringify(passes)}`, () => {
      expect(outcome(host, tool, passes)).toBe('happens');
    });
});

test.each(INERT)('%s, %s uses nothing that it names', (host, tool, args) => {
  expect(outcome(host, tool, args)).toBe('happens');
});

test.each([...Map.groupBy(ROWS, ([host]) => host).values()].flatMap((rows) => rows.slice(0, 1)))(
  'a process for %s says so of %s, too',
  async (host, tool, refused, passes) => {
    expect(await outcomeOfProcess(host, tool, refused)).toBe('prevented');
    if (passes !== undefined) expect(await outcomeOfProcess(host, tool, passes)).toBe('happens');
  },
);
