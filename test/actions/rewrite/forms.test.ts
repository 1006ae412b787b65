import { describe, expect, test } from 'bun:test';
import { REWRITE_FORMS, rewriteForm } from '../../../src/language/actions/rewrite/registry.ts';
import type { Json, JsonObject } from '../../../src/lib/json.ts';
import type { EventKind } from '../../../src/model/event.ts';
import { deepFreeze, rewriteInput } from '../input.ts';

/** Name, event, spec, subject before, subject after; `same` means the very object. */
type Case = readonly [string, EventKind, Json, JsonObject, JsonObject | 'same'];

const user = { role: 'user', content: 'hi' };
const system = { role: 'system', content: 'Be kind' };
const values: JsonObject = { who: '{{x}}', price: '$1', tool_name: 'exec' };

function call(args: Json, tool = 'exec'): JsonObject {
  return { tool, arguments: args };
}

function openAi(name: string, args: string): JsonObject {
  return { id: 'c1', type: 'function', function: { name, arguments: args, thought_signature: 's' } };
}

function answer(calls: readonly Json[]): JsonObject {
  return { response: { content: 'text', tool_calls: calls, usage: { total_tokens: 3 } } };
}

const CASES: Readonly<Record<string, readonly Case[]>> = {
  model: [
    [
      'replaces the name',
      'before_llm',
      'small-{{tool_name}}',
      { model: 'big', x: 1 },
      { model: 'small-exec', x: 1 },
    ],
    ['leaves the same name', 'before_llm', 'big', { model: 'big' }, 'same'],
  ],
  options: [
    [
      'merges and keeps the rest',
      'before_llm',
      { temperature: 0, tag: '{{tool_name}}' },
      { options: { temperature: 1, seed: 2 } },
      { options: { temperature: 0, seed: 2, tag: 'exec' } },
    ],
    ['makes options where there are none', 'before_llm', { a: [1] }, {}, { options: { a: [1] } }],
    ['leaves equal options', 'before_llm', { a: { b: 1 } }, { options: { a: { b: 1 }, c: 2 } }, 'same'],
  ],
  messages: [
    [
      'replaces the list',
      'before_llm',
      [{ role: 'user', content: 'I am {{who}}' }],
      { messages: [user, system] },
      { messages: [{ role: 'user', content: 'I am {{x}}' }] },
    ],
    ['may leave none', 'after_compact', [], { messages: [user] }, { messages: [] }],
    [
      'leaves an equal list',
      'after_compact',
      [{ role: 'user', content: 'hi' }],
      { messages: [user] },
      'same',
    ],
  ],
  system_prompt: [
    [
      'replaces the key',
      'before_llm',
      'New',
      { system_prompt: 'Old', messages: [system] },
      { system_prompt: 'New', messages: [system] },
    ],
    [
      'appends to the key',
      'before_llm',
      { append: 'New' },
      { system_prompt: 'Old' },
      { system_prompt: 'Old\n\nNew' },
    ],
    [
      'prepends and appends in one',
      'before_llm',
      { prepend: 'A', append: 'Z' },
      { system_prompt: 'M' },
      { system_prompt: 'A\n\nM\n\nZ' },
    ],
    ['fills an empty key', 'before_llm', { append: 'New' }, { system_prompt: '' }, { system_prompt: 'New' }],
    ['does not append twice', 'before_llm', { append: 'New' }, { system_prompt: 'Old\n\nNew' }, 'same'],
    ['does not prepend twice', 'before_llm', { prepend: 'New' }, { system_prompt: 'New\n\nOld' }, 'same'],
    [
      'replaces the first system messages and leaves later ones',
      'before_llm',
      'New',
      { messages: [system, system, user, system] },
      { messages: [{ role: 'system', content: 'New' }, user, system] },
    ],
    [
      'appends to the last of the first system messages',
      'before_llm',
      { append: 'New' },
      { messages: [system, { ...system, id: 2 }, user] },
      { messages: [system, { role: 'system', content: 'Be kind\n\nNew', id: 2 }, user] },
    ],
    [
      'prepends to the first system message',
      'before_llm',
      { prepend: 'New' },
      { messages: [user, system] },
      { messages: [user, { role: 'system', content: 'New\n\nBe kind' }] },
    ],
    [
      'makes a system message where there is none',
      'before_llm',
      { append: 'New' },
      { messages: [user] },
      { messages: [{ role: 'system', content: 'New' }, user] },
    ],
    [
      'changes the second form of the content too',
      'before_llm',
      'New',
      {
        messages: [
          { ...system, system_parts: [{ type: 'text', text: 'Be kind', cache_control: { type: 'e' } }] },
        ],
      },
      { messages: [{ role: 'system', content: 'New', system_parts: [{ type: 'text', text: 'New' }] }] },
    ],
    [
      'adds a part to a list of parts',
      'before_llm',
      { append: 'New' },
      { messages: [{ role: 'system', content: [{ type: 'text', text: 'Old' }] }] },
      {
        messages: [
          {
            role: 'system',
            content: [
              { type: 'text', text: 'Old' },
              { type: 'text', text: 'New' },
            ],
          },
        ],
      },
    ],
    ['leaves an equal message', 'before_llm', 'Be kind', { messages: [system, user] }, 'same'],
  ],
  add_messages: [
    [
      'adds at the end',
      'before_llm',
      [{ role: 'user', content: 'Use {{tool_name}}' }],
      { messages: [user] },
      { messages: [user, { role: 'user', content: 'Use exec' }] },
    ],
    ['makes a list where there is none', 'before_llm', [user], {}, { messages: [user] }],
    ['does not add twice', 'before_llm', [user], { messages: [system, user] }, 'same'],
    [
      'does not add what a host has kept since an earlier request',
      'before_llm',
      [system, user],
      { messages: [user, system, user, { role: 'assistant', content: 'Hi' }] },
      'same',
    ],
    [
      'adds all where only some stands there, or in another order',
      'before_llm',
      [system, user],
      { messages: [user, system] },
      { messages: [user, system, system, user] },
    ],
  ],
  add_tools: [
    [
      "writes the short form in OpenAI's shape",
      'before_llm',
      [{ name: 'w', description: 'Weather', parameters: { type: 'object' } }],
      { tools: [{ type: 'function', function: { name: 'echo' } }] },
      {
        tools: [
          { type: 'function', function: { name: 'echo' } },
          {
            type: 'function',
            function: { name: 'w', description: 'Weather', parameters: { type: 'object' } },
          },
        ],
      },
    ],
    [
      'adds a name once',
      'before_llm',
      [{ name: 'w' }, { type: 'function', function: { name: 'w', description: 'second' } }],
      {},
      { tools: [{ type: 'function', function: { name: 'w' } }] },
    ],
    [
      'leaves a tool that the host has',
      'before_llm',
      [{ name: 'echo' }],
      { tools: [{ type: 'function', function: { name: 'echo', x: 1 } }] },
      'same',
    ],
    ['knows flat definitions', 'before_llm', [{ name: 'echo' }], { tools: [{ name: 'echo' }] }, 'same'],
  ],
  remove_tools: [
    [
      'removes names and globs',
      'before_llm',
      ['echo', 'mcp_*'],
      { tools: [{ function: { name: 'echo' } }, { name: 'mcp_a' }, { function: { name: 'read' } }, 7] },
      { tools: [{ function: { name: 'read' } }, 7] },
    ],
    ['leaves other tools', 'before_llm', ['ech'], { tools: [{ name: 'echo' }] }, 'same'],
    ['leaves a request without tools', 'before_llm', ['*'], { model: 'm' }, 'same'],
  ],
  mode: [
    ['sets the mode', 'tool_choice', 'ANY', {}, { mode: 'ANY' }],
    ['does not undo NONE', 'tool_choice', 'AUTO', { mode: 'NONE' }, 'same'],
    ['turns tools off', 'tool_choice', 'NONE', { mode: 'ANY' }, { mode: 'NONE' }],
  ],
  allow_tools: [
    ['sets the list', 'tool_choice', ['a', 'b'], {}, { allow_tools: ['a', 'b'] }],
    ['leaves what all allow', 'tool_choice', ['b', 'c'], { allow_tools: ['a', 'b'] }, { allow_tools: ['b'] }],
    [
      'turns tools off when nothing is left',
      'tool_choice',
      ['c'],
      { allow_tools: ['a'], mode: 'ANY' },
      { allow_tools: [], mode: 'NONE' },
    ],
    ['leaves an equal list', 'tool_choice', ['a', 'b'], { allow_tools: ['a'] }, 'same'],
  ],
  rename_tool: [
    ['replaces the name', 'before_tool', 'safe_{{tool_name}}', call({ a: 1 }), call({ a: 1 }, 'safe_exec')],
    ['leaves the same name', 'approve_tool', 'exec', call({}), 'same'],
  ],
  drop_tool_calls: [
    [
      'drops by name',
      'after_llm',
      ['echo'],
      answer([openAi('echo', '{}'), { id: 'c2', name: 'read' }]),
      answer([{ id: 'c2', name: 'read' }]),
    ],
    [
      'drops by glob in the flat shape',
      'after_llm',
      ['r*'],
      answer([{ id: 'c2', name: 'read' }]),
      answer([]),
    ],
    ['drops all, nameless ones too', 'after_llm', true, answer([{ id: 'c1' }]), answer([])],
    [
      'spoils nameless calls, which may be meant',
      'after_llm',
      ['echo'],
      answer([{ id: 'c1' }]),
      answer([null]),
    ],
    ['leaves an answer without calls', 'after_llm', true, { response: { content: 'x' } }, 'same'],
  ],
  edit_tool_calls: [
    [
      'sets and removes inside JSON text',
      'after_llm',
      [{ name: 'ec*', set: { text: '{{who}}', 'a.b': 1 }, remove: ['x'] }],
      answer([openAi('echo', '{"text":"hi","x":2}'), openAi('read', '{}')]),
      answer([openAi('echo', '{"text":"{{x}}","a":{"b":1}}'), openAi('read', '{}')]),
    ],
    [
      'renames without reading the arguments',
      'after_llm',
      [{ name: 'echo', rename: 'say' }],
      answer([openAi('echo', 'not json')]),
      answer([openAi('say', 'not json')]),
    ],
    [
      'knows the flat shape with an object',
      'after_llm',
      [{ name: 'echo', set: { a: 2 } }],
      answer([{ id: 'c1', name: 'echo', arguments: { a: 1, b: 1 } }]),
      answer([{ id: 'c1', name: 'echo', arguments: { a: 2, b: 1 } }]),
    ],
    [
      'takes empty text for no arguments',
      'after_llm',
      [{ name: 'echo', set: { a: 2 } }],
      answer([openAi('echo', '')]),
      answer([openAi('echo', '{"a":2}')]),
    ],
    [
      'keeps the text of a call that already fits',
      'after_llm',
      [{ name: 'echo', set: { a: 2 }, remove: ['z'] }],
      answer([openAi('echo', '{ "a" : 2 }')]),
      'same',
    ],
  ],
  set: [
    [
      'sets arguments',
      'before_tool',
      { command: 'ls {{who}}' },
      call({ command: 'rm', cwd: '/' }),
      call({ command: 'ls {{x}}', cwd: '/' }),
    ],
    ['creates objects on the way', 'before_tool', { 'a.b': [1] }, call({}), call({ a: { b: [1] } })],
    [
      'renders deep inside',
      'before_tool',
      { a: { b: ['{{tool_name}}', 1] } },
      call({}),
      call({ a: { b: ['exec', 1] } }),
    ],
    [
      'takes portable names',
      'before_tool',
      { path: '/b' },
      call({ file_path: '/a' }),
      call({ file_path: '/b' }),
    ],
    [
      "writes the host's name where neither is there",
      'before_tool',
      { path: '/b' },
      call({}),
      call({ file_path: '/b' }),
    ],
    [
      'is not drawn to a superfluous portable name',
      'before_tool',
      { path: '/b' },
      call({ path: '/x', file_path: '/a' }),
      call({ path: '/x', file_path: '/b' }),
    ],
    [
      'takes the portable name where only that is there',
      'before_tool',
      { path: '/b' },
      call({ path: '/x' }),
      call({ path: '/b' }),
    ],
    [
      'sets every child with *',
      'before_tool',
      { 'edits.*.path': '/b' },
      call({ edits: [{ path: '/a' }, {}] }),
      call({ edits: [{ path: '/b' }, { path: '/b' }] }),
    ],
    ['leaves equal values', 'before_tool', { a: { b: 1 } }, call({ a: { b: 1 } }), 'same'],
    [
      'starts at the result after a tool',
      'after_tool',
      { is_error: true },
      { result: { for_llm: 'a', is_error: false } },
      { result: { for_llm: 'a', is_error: true } },
    ],
    ['starts at the result after a failure', 'tool_failure', { x: 1 }, { result: {} }, { result: { x: 1 } }],
    [
      'starts at the answer after the model',
      'after_llm',
      { content: 'x' },
      { response: { content: 'y', a: 1 } },
      { response: { content: 'x', a: 1 } },
    ],
    [
      'starts at the request before the model',
      'before_llm',
      { 'options.seed': 1 },
      { model: 'm' },
      { model: 'm', options: { seed: 1 } },
    ],
  ],
  remove: [
    [
      'takes arguments out',
      'before_tool',
      ['path', 'a.0', 'none'],
      call({ file_path: '/a', a: [1, 2], b: 3 }),
      call({ a: [2], b: 3 }),
    ],
    [
      'starts at the result after a tool',
      'after_tool',
      ['media'],
      { result: { media: [], a: 1 } },
      { result: { a: 1 } },
    ],
    ['leaves what lacks the path', 'before_tool', ['x.y'], call({ x: 'text' }), 'same'],
    [
      'starts at the request before the model',
      'before_llm',
      ['tools'],
      { tools: [], model: 'm' },
      { model: 'm' },
    ],
  ],
  program: [
    [
      'replaces the name of the program',
      'before_tool',
      { npm: 'pnpm', npx: 'pnpm dlx' },
      call({ command: 'npm i && npx x', cwd: 'npm' }),
      call({ command: 'pnpm i && pnpm dlx x', cwd: 'npm' }),
    ],
    ['leaves other words', 'approve_tool', { npm: 'pnpm' }, call({ command: 'echo npm' }), 'same'],
  ],
  subcommand: [
    [
      'replaces the subcommand',
      'before_tool',
      { 'npm install': 'npm ci' },
      call({ command: 'npm install && npm t', cwd: 'npm install' }),
      call({ command: 'npm ci && npm t', cwd: 'npm install' }),
    ],
    [
      'leaves other words',
      'approve_tool',
      { 'npm install': 'npm ci' },
      call({ command: "echo 'npm install'" }),
      'same',
    ],
  ],
  flags: [
    [
      'takes out, renames and adds flags',
      'before_tool',
      [{ subcommand: ['git', 'push'], remove: ['-v'], rename: { '-f': '--force-with-lease' }, add: ['-n'] }],
      call({ command: 'git push -vf origin' }),
      call({ command: 'git push -n --force-with-lease origin' }),
    ],
    [
      'leaves other commands',
      'approve_tool',
      [{ run: 'rm', remove: ['-f'] }],
      call({ command: 'mv -f a b; echo rm -f' }),
      'same',
    ],
  ],
  replace: [
    [
      'looks through every argument',
      'before_tool',
      [{ regex: 'n(p)m', with: '$1n$1m' }],
      call({ command: 'npm i', deep: [{ a: 'npm npm' }], n: 1 }),
      call({ command: 'pnpm i', deep: [{ a: 'pnpm pnpm' }], n: 1 }),
    ],
    [
      'looks at one path only',
      'before_tool',
      [{ at: 'path', regex: 'a', with: 'b' }],
      call({ file_path: 'aa', command: 'a' }),
      call({ file_path: 'bb', command: 'a' }),
    ],
    [
      'looks through all below a path',
      'before_tool',
      [{ at: 'edits.*', regex: 'a', with: 'b' }],
      call({ edits: [{ x: 'a' }, ['a']] }),
      call({ edits: [{ x: 'b' }, ['b']] }),
    ],
    [
      'takes a $ of a value as it is',
      'before_tool',
      [{ regex: '(a)', with: '$1{{price}}{{who}}' }],
      call({ c: 'a' }),
      call({ c: 'a$1{{x}}' }),
    ],
    [
      'carries out in order',
      'before_tool',
      [
        { regex: 'a', with: 'b' },
        { regex: 'b', with: 'c' },
      ],
      call({ c: 'ab' }),
      call({ c: 'cc' }),
    ],
    ['leaves what does not match', 'before_tool', [{ regex: 'z', with: '' }], call({ c: 'ab' }), 'same'],
    [
      'changes the prompt',
      'before_prompt',
      [{ regex: 'b+', with: '-' }],
      { prompt: 'abba' },
      { prompt: 'a-a' },
    ],
    [
      'changes messages and not their roles',
      'before_llm',
      [{ regex: 'user|hi', with: 'x' }],
      { messages: [user] },
      { messages: [{ role: 'user', content: 'x' }] },
    ],
    [
      'changes a result that is a text',
      'tool_failure',
      [{ regex: 'a', with: 'b' }],
      { result: 'a' },
      { result: 'b' },
    ],
    [
      'changes one path of a result',
      'after_tool',
      [{ at: 'for_llm', regex: 'a', with: 'b' }],
      { result: { for_llm: 'a', for_user: 'a' } },
      { result: { for_llm: 'b', for_user: 'a' } },
    ],
    [
      'changes the answer',
      'after_llm',
      [{ regex: 'te', with: '' }],
      answer([]),
      { response: { content: 'xt', tool_calls: [], usage: { total_tokens: 3 } } },
    ],
  ],
  redact: [
    [
      'puts a mark in place',
      'after_tool',
      [{ regex: '\\d+' }],
      { result: { for_llm: 'call 12 or 34', n: 5 } },
      { result: { for_llm: 'call [redacted] or [redacted]', n: 5 } },
    ],
    [
      'puts the given text in place',
      'before_prompt',
      [{ regex: '(\\d)\\d+', with: '$1*' }],
      { prompt: 'pin 1234' },
      { prompt: 'pin 1*' },
    ],
    ['leaves what does not match', 'after_llm', [{ regex: 'zz' }, 'secrets'], answer([]), 'same'],
    [
      'changes messages',
      'before_llm',
      [{ regex: 'hi' }],
      { messages: [user, system] },
      { messages: [{ role: 'user', content: '[redacted]' }, system] },
    ],
    [
      'replaces a text whole that would not settle',
      'before_prompt',
      [{ regex: '\\bb', with: 'b.b' }],
      { prompt: 'a b' },
      { prompt: '[redacted]' },
    ],
  ],
  truncate: [
    [
      'keeps the head',
      'after_tool',
      { max_length: 3 },
      { result: { for_llm: 'abcdef', for_user: 'abc' } },
      { result: { for_llm: 'abc\n[3 characters cut]\n', for_user: 'abc' } },
    ],
    [
      'keeps the tail',
      'after_tool',
      { max_length: 2, keep: 'tail' },
      { result: 'abc' },
      { result: '\n[1 character cut]\nbc' },
    ],
    [
      'keeps both ends',
      'after_tool',
      { max_length: 3, keep: 'both' },
      { result: 'abcdef' },
      { result: 'ab\n[3 characters cut]\nf' },
    ],
    [
      'counts characters, not their halves',
      'after_tool',
      { max_length: 2 },
      { result: '🙂🙂🙂' },
      { result: '🙂🙂\n[1 character cut]\n' },
    ],
    ['leaves what fits', 'tool_failure', { max_length: 2 }, { result: '🙂🙂' }, 'same'],
    [
      'does not cut twice',
      'after_tool',
      { max_length: 2, keep: 'both' },
      { result: 'a\n[9 characters cut]\nb' },
      'same',
    ],
    [
      'cuts more than a note hides',
      'after_tool',
      { max_length: 2 },
      { result: 'ab\n[9 characters cut]\nc' },
      { result: 'ab\n[21 characters cut]\n' },
    ],
  ],
};

test('every form has cases, in the order in which forms are carried out', () => {
  expect(Object.keys(CASES)).toEqual(REWRITE_FORMS.map(({ key }) => key));
});

for (const [key, cases] of Object.entries(CASES)) {
  describe(key, () => {
    test.each([...cases])('%s', (_, kind, spec, before, after) => {
      const form = rewriteForm(key);
      expect(form?.events).toContain(kind);
      const subject = deepFreeze(before);
      const changed = form?.apply(spec, subject, rewriteInput(kind, subject, values));
      if (after === 'same') expect(changed).toBe(subject);
      else expect<unknown>(changed).toEqual(after);
    });
  });
}
