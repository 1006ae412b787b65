import { describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import type { BareCall, Reply } from '../../../src/hosts/host.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { type Decision, decide } from '../../../src/model/decision.ts';
import type { Subject } from '../../../src/model/event.ts';
import { settingOf } from '../../hosts/transcripts.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { type Answer, type GeminiRun, runGemini, toolResults } from './cli.ts';

const RUN_MS = 60_000;
const folders = temporaryFolders();
const TOUCH: Answer = { call: 'run_shell_command', args: { command: 'touch made-by-model' } };

/** What the adapter answers on an event; `change` makes the rewritten subject. */
function answerTo(
  call: BareCall,
  decision: Partial<Decision> & Pick<Decision, 'action'>,
  change?: (subject: Subject) => Subject,
): Reply {
  const decoded = gemini.decode(gemini.compose(call));
  if (decoded.type !== 'event') throw new Error(`cannot read ${JSON.stringify(call)}`);
  const { event } = decoded;
  const subject = change === undefined ? {} : { subject: change(event.subject) };
  return gemini.encode(event, decide({ ...decision, ...subject }), settingOf());
}

/** Runs Gemini CLI with hooks that read their input and then say what they are given. */
async function run(replies: Readonly<Record<string, Reply>>, answers: readonly Answer[]): Promise<GeminiRun> {
  const folder = folders();
  const hooks = Object.entries(replies).map(([event, reply]) => {
    const path = join(folder, `${event}.out`);
    writeFileSync(path, reply.stdout);
    return [event, `cat > /dev/null; cat '${path}'; exit ${reply.exitCode}`] as const;
  });
  return runGemini({ folder, hooks: Object.fromEntries(hooks), answers });
}

function made(outcome: GeminiRun, name: string): boolean {
  return existsSync(join(outcome.project, name));
}

const call: BareCall = {
  on: 'before_tool',
  tool: 'shell',
  arguments: { command: 'touch made-by-model', description: 'x' },
};

describe('the real Gemini CLI', () => {
  test(
    'does not run a refused call, and the model reads the reason',
    async () => {
      const outcome = await run({ BeforeTool: answerTo(call, { action: 'deny', reason: 'Not this one' }) }, [
        TOUCH,
      ]);
      expect(made(outcome, 'made-by-model')).toBe(false);
      expect(toolResults(outcome.requests[1])).toEqual([{ error: 'Tool execution blocked: Not this one' }]);
      expect(outcome.response).toBe('done');
    },
    RUN_MS,
  );

  test(
    'runs a call that is let through, and the model is told what a refused result says instead',
    async () => {
      const outcome = await run(
        {
          BeforeTool: answerTo(call, { action: 'continue' }),
          BeforeToolSelection: answerTo({ on: 'tool_choice' }, { action: 'continue' }),
          AfterTool: answerTo(
            { on: 'after_tool', result: 'x' },
            { action: 'deny', reason: 'key=[redacted]' },
          ),
        },
        [TOUCH],
      );
      expect(made(outcome, 'made-by-model')).toBe(true);
      expect(JSON.stringify(toolResults(outcome.requests[1]))).toContain('key=[redacted]');
      expect(outcome.requests.map((request) => request['toolConfig'])).toEqual([undefined, undefined]);
    },
    RUN_MS,
  );

  test(
    'runs the rewritten call and adds context to its result',
    async () => {
      const outcome = await run(
        {
          BeforeTool: answerTo(call, { action: 'modify', rewrites: ['set'] }, (subject) => ({
            ...subject,
            arguments: { ...(subject['arguments'] as JsonObject), command: 'touch made-by-policy' },
          })),
          AfterTool: answerTo(
            { on: 'after_tool', result: 'x' },
            { action: 'continue', contexts: ['Mind the gap'] },
          ),
        },
        [TOUCH],
      );
      expect(made(outcome, 'made-by-model')).toBe(false);
      expect(made(outcome, 'made-by-policy')).toBe(true);
      expect(JSON.stringify(toolResults(outcome.requests[1]))).toContain('Mind the gap');
    },
    RUN_MS,
  );

  test(
    'ends the turn on an abort of a call',
    async () => {
      const outcome = await run({ BeforeTool: answerTo(call, { action: 'abort_turn', reason: 'Enough' }) }, [
        TOUCH,
      ]);
      expect(made(outcome, 'made-by-model')).toBe(false);
      expect(outcome.requests).toHaveLength(1);
    },
    RUN_MS,
  );

  test(
    'does not send a refused prompt',
    async () => {
      const outcome = await run(
        { BeforeAgent: answerTo({ on: 'before_prompt', prompt: 'x' }, { action: 'deny', reason: 'No' }) },
        [],
      );
      expect(outcome.requests).toHaveLength(0);
    },
    RUN_MS,
  );

  test(
    'takes an answer in place of the model',
    async () => {
      const reply = answerTo(
        { on: 'before_llm', prompt: 'x' },
        { action: 'respond', result: { for_llm: 'Roses' } },
      );
      const outcome = await run({ BeforeModel: reply }, ['not asked']);
      expect(outcome.requests).toHaveLength(0);
      expect(outcome.response).toContain('Roses');
    },
    RUN_MS,
  );

  test(
    'sends the rewritten request, and shows the rewritten answer',
    async () => {
      const outcome = await run(
        {
          BeforeModel: answerTo(
            { on: 'before_llm', model: 'gemini-2.5-flash', prompt: 'x' },
            { action: 'modify', rewrites: ['model', 'options'] },
            (subject) => ({ ...subject, model: 'gemini-2.5-pro', options: { temperature: 0.125 } }),
          ),
          BeforeToolSelection: answerTo(
            { on: 'tool_choice' },
            { action: 'modify', rewrites: ['allow_tools'] },
            (subject) => ({ ...subject, allow_tools: ['read_file'] }),
          ),
          AfterModel: answerTo(
            { on: 'after_llm', response: 'the key is abc' },
            { action: 'modify', rewrites: ['redact'] },
            () => ({
              response: { candidates: [{ content: { role: 'model', parts: ['the key is ***'] } }] },
            }),
          ),
        },
        ['the key is abc'],
      );
      const [request = {}] = outcome.requests;
      expect(request['url']).toContain('gemini-2.5-pro');
      expect(request['generationConfig']).toMatchObject({ temperature: 0.125 });
      expect(request['toolConfig']).toEqual({
        functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] },
      });
      expect(outcome.response).toContain('the key is ***');
      expect(outcome.response).not.toContain('abc');
    },
    RUN_MS,
  );

  test(
    'adds messages behind those that are there, and lets no tool be called',
    async () => {
      const outcome = await run(
        {
          BeforeModel: answerTo(
            {
              on: 'before_llm',
              messages: [
                { role: 'user', content: 'context' },
                { role: 'user', content: 'do it' },
              ],
            },
            { action: 'modify', rewrites: ['add_messages'] },
            (subject) => ({
              ...subject,
              messages: [
                ...(subject['messages'] as readonly JsonObject[]),
                { role: 'user', content: 'be brief' },
              ],
            }),
          ),
          BeforeToolSelection: answerTo({ on: 'tool_choice' }, { action: 'deny', reason: 'No tools' }),
        },
        ['ok'],
      );
      const contents = outcome.requests[0]?.['contents'] as readonly JsonObject[];
      expect(contents.at(-1)).toEqual({ role: 'user', parts: [{ text: 'be brief' }] });
      expect(contents.at(-2)).toEqual({ role: 'user', parts: [{ text: 'do it' }] });
      expect(outcome.requests[0]?.['toolConfig']).toMatchObject({ functionCallingConfig: { mode: 'NONE' } });
    },
    RUN_MS,
  );

  test(
    'sends the feedback at the end of a turn back to the model',
    async () => {
      const folder = folders();
      const once = join(folder, 'once');
      const { stdout } = answerTo(
        { on: 'after_turn', response: 'done' },
        { action: 'retry_feedback', feedback: 'Run the tests first' },
      );
      const outcome = await runGemini({
        folder,
        hooks: {
          AfterAgent: `cat > /dev/null; [ -e '${once}' ] && echo '{}' || { touch '${once}'; printf '%s' '${stdout}'; }`,
        },
        answers: ['first', 'second'],
      });
      expect(outcome.requests).toHaveLength(2);
      expect(JSON.stringify(outcome.requests[1])).toContain('Run the tests first');
    },
    RUN_MS,
  );

  test(
    'is stopped by the refusal of a message that is not even JSON, whatever the event was',
    async () => {
      const refused = gemini.refuse(undefined, 'broken');
      const outcome = await run({ BeforeTool: refused }, [TOUCH]);
      expect(made(outcome, 'made-by-model')).toBe(false);
      expect((await run({ BeforeModel: refused }, ['x'])).requests).toHaveLength(0);
      expect((await run({ AfterAgent: refused }, ['x'])).requests).toHaveLength(1);
      const choice = await run({ BeforeToolSelection: refused }, ['x']);
      expect(choice.requests[0]?.['toolConfig']).toMatchObject({ functionCallingConfig: { mode: 'NONE' } });
    },
    RUN_MS,
  );
});
