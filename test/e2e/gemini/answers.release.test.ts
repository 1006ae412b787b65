import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import type { BareCall, Reply } from '../../../src/hosts/host.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { type Decision, decide } from '../../../src/model/decision.ts';
import type { Subject } from '../../../src/model/event.ts';
import { settingOf } from '../../hosts/transcripts.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Answer, type GeminiRun, runGemini, toolResults } from './cli.ts';

const RUN_MS = 60_000;

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

type Replies = Reply | readonly Reply[];

/** Runs Gemini CLI with hooks that read their input and then say what they are given: each time the next, at last nothing. */
async function run(
  replies: Readonly<Record<string, Replies>>,
  answers: readonly Answer[],
): Promise<GeminiRun> {
  const folder = temporaryFolder();
  const hooks = Object.entries(replies).map(([event, given]) => {
    const at = join(folder, event);
    mkdirSync(at);
    for (const [index, { stdout, exitCode }] of [given].flat().entries()) {
      writeFileSync(join(at, `${index}.out`), stdout);
      writeFileSync(join(at, `${index}.sh`), `cat '${join(at, `${index}.out`)}'; exit ${exitCode}`);
    }
    return [
      event,
      `cat > /dev/null; cd '${at}'; for next in *.sh; do mv $next said && . ./said; done`,
    ] as const;
  });
  return runGemini({ folder, hooks: Object.fromEntries(hooks), answers });
}

function touch(name: string): Answer {
  return { call: 'run_shell_command', args: { command: `touch ${name}` } };
}

function made(outcome: GeminiRun, name: string): boolean {
  return existsSync(join(outcome.project, name));
}

const call: BareCall = {
  on: 'before_tool',
  tool: 'shell',
  arguments: { command: 'touch made-by-model', description: 'x' },
};

/** What the model is told about its call in a request. */
function told(outcome: GeminiRun, request: number): string {
  return JSON.stringify(toolResults(outcome.requests[request]).at(-1));
}

describe('the real Gemini CLI', () => {
  test(
    'refuses, runs and rewrites calls, goes on where a turn is to go on, and takes an answer in place of the model',
    async () => {
      const outcome = await run(
        {
          BeforeModel: [
            ...Array.from({ length: 5 }, () =>
              answerTo({ on: 'before_llm', prompt: 'x' }, { action: 'continue' }),
            ),
            answerTo({ on: 'before_llm', prompt: 'x' }, { action: 'respond', result: { for_llm: 'Roses' } }),
          ],
          BeforeToolSelection: Array.from({ length: 5 }, () =>
            answerTo({ on: 'tool_choice' }, { action: 'continue' }),
          ),
          BeforeTool: [
            answerTo(call, { action: 'deny', reason: 'Not this one' }),
            answerTo(call, { action: 'continue' }),
            answerTo(call, { action: 'modify', rewrites: ['set'] }, (subject) => ({
              ...subject,
              arguments: { ...(subject['arguments'] as JsonObject), command: 'touch made-by-policy' },
            })),
          ],
          AfterTool: [
            answerTo({ on: 'after_tool', result: 'x' }, { action: 'deny', reason: 'key=[redacted]' }),
            answerTo({ on: 'after_tool', result: 'x' }, { action: 'continue', contexts: ['Mind the gap'] }),
          ],
          AfterAgent: [
            ...['Run the tests first', 'And again'].map((feedback) =>
              answerTo({ on: 'after_turn', response: 'done' }, { action: 'retry_feedback', feedback }),
            ),
            gemini.refuse(undefined, 'broken'),
          ],
        },
        [touch('refused'), touch('passed'), touch('made-by-model'), 'first', 'second', 'not asked'],
      );
      expect(made(outcome, 'refused')).toBe(false);
      expect(toolResults(outcome.requests[1])).toEqual([{ error: 'Tool execution blocked: Not this one' }]);
      expect(made(outcome, 'passed')).toBe(true);
      expect(told(outcome, 2)).toContain('key=[redacted]');
      expect(made(outcome, 'made-by-model')).toBe(false);
      expect(made(outcome, 'made-by-policy')).toBe(true);
      expect(told(outcome, 3)).toContain('Mind the gap');
      expect(JSON.stringify(outcome.requests[4])).toContain('Run the tests first');
      expect(outcome.response).toContain('Roses');
      expect(outcome.requests.map((request) => request['toolConfig'])).toEqual(
        Array.from({ length: 5 }, () => undefined),
      );
    },
    RUN_MS,
  );

  test(
    'sends rewritten requests, and shows rewritten answers',
    async () => {
      const messages = ['context', 'do it'].map((content) => ({ role: 'user', content }));
      const request: BareCall = { on: 'before_llm', model: 'gemini-2.5-flash', messages };
      const outcome = await run(
        {
          BeforeModel: [
            answerTo(
              request,
              { action: 'modify', rewrites: ['model', 'options', 'add_messages'] },
              (subject) => ({
                ...subject,
                model: 'gemini-2.5-pro',
                options: { temperature: 0.125 },
                messages: [
                  ...(subject['messages'] as readonly JsonObject[]),
                  { role: 'user', content: 'be brief' },
                ],
              }),
            ),
          ],
          BeforeToolSelection: [
            answerTo({ on: 'tool_choice' }, { action: 'modify', rewrites: ['allow_tools'] }, (subject) => ({
              ...subject,
              allow_tools: ['read_file'],
            })),
            answerTo({ on: 'tool_choice' }, { action: 'deny', reason: 'No tools' }),
          ],
          AfterModel: [
            answerTo({ on: 'after_llm', response: 'ok' }, { action: 'continue' }),
            answerTo(
              { on: 'after_llm', response: 'the key is abc' },
              { action: 'modify', rewrites: ['redact'] },
              () => ({
                response: { candidates: [{ content: { role: 'model', parts: ['the key is ***'] } }] },
              }),
            ),
          ],
          AfterAgent: answerTo(
            { on: 'after_turn', response: 'done' },
            { action: 'retry_feedback', feedback: 'again' },
          ),
        },
        ['ok', 'the key is abc'],
      );
      const [first = {}, second = {}] = outcome.requests;
      expect(first['url']).toContain('gemini-2.5-pro');
      expect(first['generationConfig']).toMatchObject({ temperature: 0.125 });
      expect(first['toolConfig']).toEqual({
        functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] },
      });
      const contents = first['contents'] as readonly JsonObject[];
      expect(contents.at(-1)).toEqual({ role: 'user', parts: [{ text: 'be brief' }] });
      expect(contents.at(-2)).toEqual({ role: 'user', parts: [{ text: 'do it' }] });
      expect(second['toolConfig']).toMatchObject({ functionCallingConfig: { mode: 'NONE' } });
      expect(outcome.requests).toHaveLength(2);
      expect(outcome.response).toContain('the key is ***');
      expect(outcome.response).not.toContain('abc');
    },
    RUN_MS,
  );

  test(
    'ends the turn on an abort of a call',
    async () => {
      const outcome = await run({ BeforeTool: answerTo(call, { action: 'abort_turn', reason: 'Enough' }) }, [
        touch('made-by-model'),
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
    'is stopped by the refusal of a message that is not even JSON, whatever the event was',
    async () => {
      const refused = gemini.refuse(undefined, 'broken');
      const passed = answerTo({ on: 'before_llm', prompt: 'x' }, { action: 'continue' });
      const outcome = await run(
        { BeforeModel: [passed, refused], BeforeToolSelection: refused, BeforeTool: refused },
        [touch('made-by-model'), 'not asked'],
      );
      expect(outcome.requests).toHaveLength(1);
      expect(outcome.requests[0]?.['toolConfig']).toMatchObject({ functionCallingConfig: { mode: 'NONE' } });
      expect(made(outcome, 'made-by-model')).toBe(false);
    },
    RUN_MS,
  );
});

test(
  'the built program on every event, with a policy file that is broken: the model is not even asked',
  async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'house.yaml');
    writeFileSync(file, 'version: 1\npolicies: [{id: a, action: dney}]\n');
    const command = `'${BINARY}' hook --host gemini --policies ${file} --no-log`;
    const hooks = Object.fromEntries(Object.keys(gemini.events).map((event) => [event, command]));
    const outcome = await runGemini({ folder, hooks, answers: [touch('allowed')] });
    expect([made(outcome, 'allowed'), outcome.requests]).toEqual([false, []]);
    expect(outcome.stdout).toContain(`${file}:2`);
  },
  RUN_MS,
);
