import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTED_START } from '../../../src/hosts/clean-start.ts';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { type Answer, type GeminiRun, runGemini, toolResults } from './cli.ts';

const RUN_MS = 60_000;
const folders = temporaryFolders();

const POLICIES = `
version: 1
name: house
policies:
  - id: no-forbidden
    tool: shell
    arguments: {command: '\\bforbidden\\b'}
    action: deny
    reason: That file is not to be made
    instead: Make another one
  - id: no-draft
    tool: shell
    arguments: {command: '\\bdraft\\b'}
    action: modify
    rewrite: {replace: [{at: command, regex: draft, with: final}]}
  - id: no-keys
    on: after_tool
    content: 'key-[0-9]+'
    action: modify
    rewrite: {redact: [{regex: 'key-[0-9]+', with: '[redacted]'}]}
  - id: no-names
    on: before_llm
    action: modify
    rewrite: {redact: [{regex: 'project falcon', with: '[name]'}]}
`;

/** Runs Gemini CLI with the built program as its hook on every event. */
async function run(
  policies: string,
  answers: readonly Answer[],
  prompt?: string,
): Promise<GeminiRun & { readonly file: string }> {
  const folder = folders();
  const file = join(folder, 'house.yaml');
  writeFileSync(file, policies);
  const command = `'${BINARY}' hook --host gemini --policies ${file} --no-log`;
  const events = [
    'BeforeAgent',
    'BeforeModel',
    'BeforeToolSelection',
    'AfterModel',
    'BeforeTool',
    'AfterTool',
    'AfterAgent',
    'SessionStart',
    'SessionEnd',
  ];
  const hooks = Object.fromEntries(events.map((event) => [event, command]));
  const more = prompt === undefined ? {} : { prompt };
  return { ...(await runGemini({ folder, hooks, answers, ...more })), file };
}

function shell(command: string): Answer {
  return { call: 'run_shell_command', args: { command } };
}

describe('policy in the real Gemini CLI', () => {
  test(
    'refuses a call, and the model reads why and what to do instead',
    async () => {
      const outcome = await run(POLICIES, [shell('touch forbidden'), 'I could not']);
      expect(existsSync(join(outcome.project, 'forbidden'))).toBe(false);
      expect(toolResults(outcome.requests[1])).toEqual([
        {
          error:
            'Tool execution blocked: Refused by house/no-forbidden: that file is not to be made. Instead: make another one.',
        },
      ]);
      expect(outcome.response).toBe('I could not');
    },
    RUN_MS,
  );

  test(
    'rewrites a call, and the rewritten one runs',
    async () => {
      const outcome = await run(POLICIES, [shell('touch draft')]);
      expect(existsSync(join(outcome.project, 'draft'))).toBe(false);
      expect(existsSync(join(outcome.project, 'final'))).toBe(true);
    },
    RUN_MS,
  );

  test(
    'lets a call run, and the model gets its result without the keys',
    async () => {
      const outcome = await run(POLICIES, [shell('touch allowed; echo key-123')]);
      expect(existsSync(join(outcome.project, 'allowed'))).toBe(true);
      const told = JSON.stringify(toolResults(outcome.requests[1]));
      expect(told).toContain('[redacted]');
      expect(told).not.toContain('key-123');
    },
    RUN_MS,
  );

  test(
    'takes out of every request what is redacted there, and keeps the calls between the texts',
    async () => {
      const outcome = await run(
        POLICIES,
        [shell('touch allowed'), 'done with project falcon'],
        'start project falcon',
      );
      expect(outcome.requests).toHaveLength(2);
      for (const request of outcome.requests) {
        const contents = JSON.stringify(request['contents']);
        expect(contents).toContain('start [name]');
        expect(contents).not.toContain('project falcon');
      }
      expect(JSON.stringify(outcome.requests[1])).toContain('touch allowed');
      expect(toolResults(outcome.requests[1])).toHaveLength(1);
    },
    RUN_MS,
  );

  test(
    'does not even ask the model with a policy file that is broken, and says where it is broken',
    async () => {
      const outcome = await run(POLICIES.replace('action: deny', 'action: dney'), [shell('touch allowed')]);
      expect(existsSync(join(outcome.project, 'allowed'))).toBe(false);
      expect(outcome.requests).toHaveLength(0);
      expect(outcome.stdout).toContain(`${outcome.file}:8`);
    },
    RUN_MS,
  );

  test(
    'refuses a call with a broken policy file where no other event has a hook',
    async () => {
      const folder = folders();
      const file = join(folder, 'house.yaml');
      writeFileSync(file, 'version: 1\npolicies: [');
      const outcome = await runGemini({
        folder,
        hooks: { BeforeTool: `'${BINARY}' hook --host gemini --policies ${file} --no-log` },
        answers: [shell('touch allowed')],
      });
      expect(existsSync(join(outcome.project, 'allowed'))).toBe(false);
      expect(JSON.stringify(toolResults(outcome.requests[1]))).toContain('cannot be judged');
    },
    RUN_MS,
  );

  test(
    'refuses a call where the program dies, by the documented command line',
    async () => {
      const folder = folders();
      const dying = join(folder, 'dying');
      writeFileSync(dying, '#!/bin/sh\nkill -9 $$\n');
      chmodSync(dying, 0o755);
      const outcome = await runGemini({
        folder,
        hooks: {
          BeforeTool: gemini.hookConfiguration({ ...DOCUMENTED_START, version: undefined, program: dying }),
        },
        answers: [shell('touch allowed')],
      });
      expect(existsSync(join(outcome.project, 'allowed'))).toBe(false);
      expect(JSON.stringify(toolResults(outcome.requests[1]))).toContain('the policy hook has failed');
    },
    RUN_MS,
  );
});
