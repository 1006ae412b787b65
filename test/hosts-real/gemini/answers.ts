import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toolResults } from '../../e2e/gemini/cli.ts';
import type { Scene } from '../real-host.ts';
import { type Play, play, ran, told } from './play.ts';

const POLICIES = `
version: 1
name: house
policies:
  - {id: no-forbidden, tool: shell, arguments: {command: forbidden}, action: deny, reason: That is not for agents}
  - {id: asked, tool: shell, arguments: {command: asked}, action: ask, reason: Somebody has to agree}
  - id: final
    tool: shell
    arguments: {command: draft}
    action: modify
    rewrite: {replace: [{at: command, regex: draft, with: final}]}
  - id: keys
    on: after_tool
    content: 'key-[0-9]+'
    action: modify
    rewrite: {redact: [{regex: 'key-[0-9]+', with: '[key]'}]}
  - {id: names, on: before_llm, action: modify, rewrite: {redact: [{regex: falcon, with: '[name]'}]}}
`;
const EVENTS = ['BeforeAgent', 'BeforeModel', 'BeforeToolSelection', 'AfterModel', 'BeforeTool', 'AfterTool'];

/** Every kind of answer by the documented command line. */
export async function* answers(program: string): AsyncIterable<Scene> {
  const all = (call: string, more: Partial<Play> = {}): Play => ({
    program,
    call,
    events: EVENTS,
    policies: POLICIES,
    ...more,
  });
  yield {
    name: 'deny a command',
    expected: notRun('Refused by house/no-forbidden: that is not for agents.'),
    seen: await play(all('touch forbidden'), told('forbidden')),
  };
  yield {
    name: 'ask where nobody is there',
    expected: notRun('Approval needed by house/asked: somebody has to agree.'),
    seen: await play(all('touch asked'), told('asked')),
  };
  yield {
    name: 'let a command pass',
    expected: 'the tool RAN',
    seen: await play(all('touch made'), ran('made')),
  };
  yield {
    name: 'rewrite a command',
    expected: 'final is there, draft is not',
    seen: await play(all('touch draft'), ({ project }) =>
      ['final', 'draft']
        .map((name) => `${name} is ${existsSync(join(project, name)) ? 'there' : 'not'}`)
        .join(', '),
    ),
  };
  yield {
    name: 'redact a result',
    expected: 'the model reads [key] and no key',
    seen: await play(all('echo key-123'), ({ requests }) => {
      const text = JSON.stringify(toolResults(requests[1]));
      return `the model reads ${text.includes('[key]') ? '[key]' : text} and ${text.includes('key-123') ? 'the' : 'no'} key`;
    }),
  };
  yield {
    name: 'redact a request',
    expected: 'the model reads [name] and no name',
    seen: await play(all('touch made', { prompt: 'call falcon' }), ({ requests }) => {
      const text = JSON.stringify(requests.map((request) => request['contents']));
      return `the model reads ${text.includes('[name]') ? '[name]' : text} and ${text.includes('falcon') ? 'the' : 'no'} name`;
    }),
  };
  yield {
    name: 'say nothing about the choice of tools',
    expected: 'undefined undefined',
    seen: await play(all('touch made'), ({ requests }) =>
      requests.map((request) => String(request['toolConfig'])).join(' '),
    ),
  };
  const loud = (call: string): Play =>
    all(call, {
      events: ['BeforeTool'],
      files: () => ({ 'home/.bashrc': 'echo Good morning\n' }),
      env: () => ({ SHLVL: '0' }),
    });
  yield {
    name: 'deny a command after something else has printed',
    expected: 'the tool did not run',
    seen: await play(loud('touch forbidden'), ran('forbidden')),
  };
  yield {
    name: 'let a command pass after something else has printed',
    expected: 'the tool RAN',
    seen: await play(loud('touch made'), ran('made')),
  };
}

function notRun(why: string): string {
  return `the tool did not run, the model reads [{"error":"Tool execution blocked: ${why}"}]`;
}
