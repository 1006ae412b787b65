import { describe, expect, test } from 'bun:test';
import { answerIn } from './in-process.ts';
import { workplace } from './workplace.ts';

const POLICIES = `
version: 1
policies:
  - {id: stopped, arguments: {command: '^stop'}, action: deny, reason: this is not null}
  - {id: safely, action: modify, rewrite: {set: {command: make safe}}}
  - id: exactly
    tool: other
    arguments: {chat: '^9007199254740993$'}
    action: deny
    reason: this chat is closed
  - id: early
    on: after_llm
    action: modify
    rewrite: {edit_tool_calls: [{name: '*', set: {command: make safe}}]}
`;
/** Numbers of which JavaScript keeps no more than the first digits, beside others. */
const ARGUMENTS =
  '{"command":"make","id":9007199254740993,"more":[18446744073709551615,{"price":0.12345678901234567890,"far":1e400}]}';
const EXACT = '{"command":"make","id":9007199254740992,"note":"9007199254740993"}';
const CANNOT = 'its numbers have more digits than can be kept';

/** What the built program answers to lines or a document. */
async function answer(host: string, input: string): Promise<string> {
  const place = workplace({ 'policies/numbers.yaml': POLICIES });
  const args = ['--host', host, '--policies', `${place.folder}/policies`];
  return (await answerIn(place, args, input)).stdout;
}

function geminiCall(args: string): string {
  return `{"hook_event_name":"BeforeTool","session_id":"s","cwd":"/work","tool_name":"run_shell_command","tool_input":${args}}`;
}

function jcliCall(args: string): string {
  return JSON.stringify({
    event: 'pre_tool_execution',
    session_id: 's',
    tool_name: 'Bash',
    tool_arguments: args,
  });
}

function picoclawCall(id: string, args: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"hook.before_tool","params":{"meta":{"TurnID":"t"},"tool":"exec","arguments":${args}}}\n`;
}

function modelCall(args: string): string {
  const call = { id: 'c', type: 'function', function: { name: 'exec', arguments: args } };
  const params = { meta: {}, response: { content: '', tool_calls: [call] } };
  return `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'hook.after_llm', params })}\n`;
}

describe('a call with numbers that cannot be kept', () => {
  test.each([
    ['gemini', geminiCall(ARGUMENTS)],
    ['picoclaw', picoclawCall('1', ARGUMENTS)],
    ['picoclaw', modelCall(ARGUMENTS)],
  ])('is refused where it would be rewritten on %s', async (host, input) => {
    const said = await answer(host, input);
    expect(said).toContain(CANNOT);
    expect(said).not.toContain('make safe');
  });

  test('is refused where it would be rewritten on jcli', async () => {
    expect(await answer('jcli', jcliCall(ARGUMENTS))).toContain('"skip"');
  });

  test.each([
    ['gemini', geminiCall(EXACT), '"command":"make safe","id":9007199254740992'],
    ['picoclaw', picoclawCall('1', EXACT), '"command":"make safe","id":9007199254740992'],
    ['jcli', jcliCall(EXACT), 'make safe'],
  ])('is not one with large numbers, on %s', async (host, input, rewritten) => {
    expect(await answer(host, input)).toContain(rewritten);
  });

  test.each([
    ['gemini', geminiCall(ARGUMENTS.replace('make', 'stop'))],
    ['picoclaw', picoclawCall('1', ARGUMENTS.replace('make', 'stop'))],
  ])('is refused for the reason of the policy where one refuses, on %s', async (host, input) => {
    expect(await answer(host, input)).toContain('not null');
  });
});

describe('a number of which some digits are not known', () => {
  const chat = (number: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"hook.before_tool","params":{"tool":"post","arguments":{"chat":${number}}}}\n`;

  test.each(['9007199254740993', '9007199254740992', '1e400'])(
    'is refused by a regex that it may match: %s',
    async (number) => {
      expect(await answer('picoclaw', chat(number))).toContain('this chat is closed');
    },
  );

  test.each(['9007199254740991', '12', '"9007199254740992"'])('is not %s', async (number) => {
    expect(await answer('picoclaw', chat(number))).not.toContain('this chat is closed');
  });

  test('is given to no plugin tool', async () => {
    const place = workplace({
      'tools.yaml': `
version: 1
tools:
  - {name: say, description: Says it, parameters: {type: object}, run: {argv: [cat]}}
`,
    });
    const args = ['hook', '--host', 'picoclaw', '--policies', `${place.folder}/tools.yaml`];
    const say = async (number: string) =>
      (await place.run({ args, input: chat(number).replace('post', 'say') })).stdout;
    expect(await say('12')).toContain('respond');
    const refused = await say('9007199254740993');
    expect(refused).toContain(CANNOT);
    expect(refused).toContain('deny_tool');
  });
});

describe('a request has its answer whatever number it is', () => {
  test.each(['9007199254740993', '18446744073709551615', '9007199254740992', '-12345678901234567890'])(
    '%s',
    async (id) => {
      const hello = `{"jsonrpc":"2.0","id":${id},"method":"hook.hello","params":{}}\n`;
      const broken = `{"jsonrpc":"2.0","id":${id},"method":"hook.before_tool","params":7}\n`;
      const cut = `{"jsonrpc":"2.0","id":${id},"method":"hook.before_tool","params":\n`;
      const calls = [hello, picoclawCall(id, '{"command":"make"}'), picoclawCall(id, ARGUMENTS), broken, cut];
      const lines = (await answer('picoclaw', calls.join(''))).trim().split('\n');
      expect(lines.map((line) => line.slice(0, line.indexOf(',"result"')))).toEqual(
        calls.map(() => `{"jsonrpc":"2.0","id":${id}`),
      );
    },
  );
});
