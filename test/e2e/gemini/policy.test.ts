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
async function run(policies: string, answers: readonly Answer[], prompt?: string): Promise<GeminiRun> {
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
  return runGemini({ folder, hooks, answers, ...more });
}

function isMade({ project }: GeminiRun, name: string): boolean {
  return existsSync(join(project, name));
}

function shell(command: string): Answer {
  return { call: 'run_shell_command', args: { command } };
}

describe('policy in the real Gemini CLI', () => {
  test(
    'refuses and rewrites calls, and takes out of requests and results what is redacted there',
    async () => {
      const outcome = await run(
        POLICIES,
        [
          shell('touch forbidden'),
          shell('touch draft'),
          shell('touch allowed; echo key-123'),
          'done with project falcon',
        ],
        'start project falcon',
      );
      expect(['forbidden', 'draft', 'final', 'allowed'].filter((name) => isMade(outcome, name))).toEqual([
        'final',
        'allowed',
      ]);
      expect(toolResults(outcome.requests[1])).toEqual([
        {
          error:
            'Tool execution blocked: Refused by house/no-forbidden: that file is not to be made. Instead: make another one.',
        },
      ]);
      expect(outcome.requests).toHaveLength(4);
      for (const request of outcome.requests) {
        const contents = JSON.stringify(request['contents']);
        expect(contents).toContain('start [name]');
        expect(contents).not.toContain('project falcon');
      }
      const told = JSON.stringify(outcome.requests[3]);
      expect(told).toContain('touch allowed');
      expect(toolResults(outcome.requests[3])).toHaveLength(3);
      expect(told).toContain('[redacted]');
      expect(told.replace('echo key-123', '')).not.toContain('key-123');
    },
    RUN_MS,
  );

  test(
    'refuses a call with a broken policy file where no other event has a hook, and where the program dies',
    async () => {
      const folder = folders();
      const [file, dying, once] = ['house.yaml', 'dying', 'once'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      writeFileSync(file, 'version: 1\npolicies: [');
      writeFileSync(dying, '#!/bin/sh\nkill -9 $$\n');
      chmodSync(dying, 0o755);
      const broken = `'${BINARY}' hook --host gemini --policies ${file} --no-log`;
      const start = { ...DOCUMENTED_START, version: undefined, program: dying };
      const documented = gemini.hookConfiguration(start);
      const outcome = await runGemini({
        folder,
        hooks: {
          BeforeTool: {
            ...documented,
            command: `if mkdir '${once}' 2>/dev/null; then ${broken}; else ${documented['command']}; fi`,
          },
        },
        answers: [shell('touch allowed'), shell('touch allowed')],
      });
      expect(isMade(outcome, 'allowed')).toBe(false);
      expect(JSON.stringify(toolResults(outcome.requests[1]))).toContain('cannot be judged');
      expect(JSON.stringify(toolResults(outcome.requests[2]).at(-1))).toContain('the policy hook has failed');
    },
    RUN_MS,
  );
});
