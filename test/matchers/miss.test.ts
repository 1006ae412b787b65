import { describe, expect, test } from 'bun:test';
import { missText } from '../../src/language/keys/miss-text.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import { compileWhen, findingOf } from '../../src/language/keys/when.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { factsOf, shell } from './support.ts';

function whyNot(when: JsonObject, facts: ReturnType<typeof shell>): string | undefined {
  const { miss } = findingOf(compileWhen(when, MATCHER_TABLE), facts);
  return miss === undefined ? undefined : missText(miss);
}

const COMMANDS: readonly (readonly [when: JsonObject, command: string, why: string])[] = [
  [{ command: 'git push --force' }, 'git add -A && ls', 'command: wanted git push --force, saw git, ls'],
  [{ command: { run: 'npm' } }, 'git push', 'command.run: wanted npm, saw git'],
  [
    { command: { subcommand: ['git', 'push'] } },
    'ls; git status -s',
    'command.subcommand: wanted git, push, saw ls, git',
  ],
  [
    { command: { run: 'git', flags: { any: ['-f', '--force'] } } },
    'git push -u origin',
    'command.flags.any: wanted -f, --force, saw -u',
  ],
  [
    { command: { run: 'rm', flags: { none: '-i' } } },
    'rm -i a',
    'command.flags.none: wanted none of -i, saw -i',
  ],
  [
    { command: { run: 'curl', flags: { values: { '-X': 'POST' } } } },
    'curl -X GET a.example',
    'command.flags.values.-X: wanted POST, saw -X GET',
  ],
  [
    { command: { subcommand: ['git', 'push'], args: { first: 'origin' } } },
    'git push upstream',
    'command.args.first: wanted origin, saw upstream',
  ],
  [
    { command: { run: 'git', except: { subcommand: ['git', 'status'] } } },
    'git status',
    'command.except: wanted none of {"subcommand":["git","status"]}, saw git status',
  ],
  [
    { command: { run: 'rm', deletes: '*.log' } },
    'rm a.txt',
    'command.deletes: wanted *.log, saw /workspace/a.txt',
  ],
  [{ command: { run: 'rm', privileged: true } }, 'rm a', 'command.privileged: wanted true, saw false'],
  [{ command: { run: 'cat', pipes_to: 'sh' } }, 'cat a | wc -l', 'command.pipes_to: wanted sh, saw wc -l'],
  [
    { command: [{ run: 'npm' }, { run: 'git', flags: { any: '-f' } }] },
    'git push',
    'command.1.flags.any: wanted -f, saw nothing',
  ],
  [
    { path: { match: '**/.env', uses: 'write' } },
    'cat .env > a',
    'path: wanted {"match":"**/.env","uses":"write"}, saw /workspace/a (write)',
  ],
  [{ url: 'a.example' }, 'curl https://b.example/x', 'url: wanted a.example, saw https://b.example:443/x'],
  [{ all: [{ tool: 'shell' }, { command: 'npm' }] }, 'ls', 'all.1.command: wanted npm, saw ls'],
  [{ any: [{ tool: 'read' }, { tool: 'shell', command: 'npm' }] }, 'ls', 'any.1.command: wanted npm, saw ls'],
  [{ not: { command: 'ls' } }, 'ls -l', 'not: wanted none of {"command":"ls"}, saw ls -l'],
  [
    { arguments: { command: { regex: 'a', not_regex: 'ls' } } },
    'ls a',
    'arguments.command.not_regex: wanted none of ls, saw ls a',
  ],
  [{ arguments: { comand: 'ls' } }, 'ls', 'arguments.comand: wanted ls, saw nothing'],
  [{ hosts: ['gemini'] }, 'ls', 'hosts: wanted gemini, saw none'],
  [{ context: { chat_type: 'group' } }, 'ls', 'context.chat_type: wanted group, saw nothing'],
];

describe('a policy that does not match', () => {
  test.each(COMMANDS)('%j of "%s" says why: %s', (when, text, why) => {
    expect(whyNot(when, shell(text))).toBe(why);
  });

  test('says nothing where it matches', () => {
    expect(whyNot({ tool: 'shell', command: 'ls' }, shell('cat a; ls'))).toBeUndefined();
  });

  test('cuts what is long', () => {
    const facts = factsOf({ on: 'before_tool', tool: 'write', arguments: { content: 'x'.repeat(5_000) } });
    const why = whyNot({ arguments: { content: 'y' } }, facts) ?? '';
    expect(why.length).toBeLessThan(200);
  });
});
