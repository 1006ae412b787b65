import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTED_START } from '../../../src/hosts/clean-start.ts';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Answer, type GeminiRun, runGemini, toolResults } from './cli.ts';

const RUN_MS = 60_000;

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

const EVENTS = [
  'BeforeAgent',
  'BeforeModel',
  'BeforeToolSelection',
  'AfterModel',
  'AfterTool',
  'AfterAgent',
  'SessionStart',
  'SessionEnd',
];

/** Calls before the one whose policies are broken; for all behind that the program dies. */
const SOUND_CALLS = 3;

/** Runs Gemini CLI with the built program as its hook on every event. */
function run(answers: readonly Answer[], prompt: string): Promise<GeminiRun> {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('house.yaml'), POLICIES);
  writeFileSync(at('broken.yaml'), 'version: 1\npolicies: [');
  writeFileSync(at('dying'), '#!/bin/sh\nkill -9 $$\n');
  chmodSync(at('dying'), 0o755);
  const hook = (file: string) => `'${BINARY}' hook --host gemini --policies ${at(file)} --no-log`;
  const documented = gemini.hookConfiguration({
    ...DOCUMENTED_START,
    version: undefined,
    program: at('dying'),
  });
  const byCall = [...Array(SOUND_CALLS).fill(hook('house.yaml')), hook('broken.yaml')].map(
    (command, call) => `if mkdir '${at(`call-${call}`)}' 2>/dev/null; then ${command}`,
  );
  return runGemini({
    folder,
    hooks: {
      ...Object.fromEntries(EVENTS.map((event) => [event, hook('house.yaml')])),
      BeforeTool: {
        ...documented,
        command: `${byCall.join('; el')}; else ${documented['command']}; fi`,
      },
    },
    answers,
    prompt,
  });
}

function isMade({ project }: GeminiRun, name: string): boolean {
  return existsSync(join(project, name));
}

function shell(command: string): Answer {
  return { call: 'run_shell_command', args: { command } };
}

describe('policy in the real Gemini CLI', () => {
  test(
    'refuses and rewrites calls, redacts requests and results, and refuses where policies are broken or the program dies',
    async () => {
      const outcome = await run(
        [
          shell('touch forbidden'),
          shell('touch draft'),
          shell('touch allowed; echo key-123'),
          shell('touch broken'),
          shell('touch dead'),
          'done with project falcon',
        ],
        'start project falcon',
      );
      const names = ['forbidden', 'draft', 'final', 'allowed', 'broken', 'dead'];
      expect(names.filter((name) => isMade(outcome, name))).toEqual(['final', 'allowed']);
      expect(toolResults(outcome.requests[1])).toEqual([
        {
          error:
            'Tool execution blocked: Refused by house/no-forbidden: that file is not to be made. Instead: make another one.',
        },
      ]);
      expect(outcome.requests).toHaveLength(6);
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
      const last = (request: number) => JSON.stringify(toolResults(outcome.requests[request]).at(-1));
      expect(last(4)).toContain('cannot be judged');
      expect(last(5)).toContain('the policy hook has failed');
    },
    RUN_MS,
  );
});
