import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../cli/test-io.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

/** Policies that can match nothing, by class, with « before what is wrong; and what their authors meant. */
const PAIRS: Readonly<Record<string, readonly (readonly [dead: string, sound: string])[]>> = {
  'a command line as a program': [
    ['command: «git push --force', 'command: {subcommand: [git, push], flags: {all: [--force]}}'],
    ["command: {run: «'git push'}", 'command: {subcommand: [git, push]}'],
    ["command: [make, «'npm install']", 'command: [{run: make}, {subcommand: [npm, install]}]'],
    ['command: «rm -rf', 'command: {run: rm, flags: {all: [-r, -f]}}'],
    ["command: {run: cat, pipes_to: «'sh -s'}", 'command: {run: cat, pipes_to: {run: sh, flags: {any: -s}}}'],
    [
      "command: {run: git, except: {run: «'git status'}}",
      'command: {run: git, except: {subcommand: [git, status]}}',
    ],
    ["command: {run: «'mytool --force'}", "command: {run: 'Google Chrome'}"],
    ['command: «"git|hub"', 'command: [git, hub]'],
    ['command: {run: «"git;"}', 'command: {run: git}'],
    ['command: «$EDITOR', 'command: editor'],
    ['command: {subcommand: [git, «push origin]}', 'command: {subcommand: [git, push, origin]}'],
    [
      'command: {subcommand: [git, push, «--force]}',
      'command: {subcommand: [git, push], flags: {any: --force}}',
    ],
    [
      'command: {subcommand: [npm, run, «"build:*"]}',
      'command: {subcommand: [npm, run], args: {first: {glob: "build:*"}}}',
    ],
  ],
  'a program with its folder': [
    ['command: «/usr/bin/git', 'command: git'],
    ['command: «./deploy.sh', 'command: deploy.sh'],
    ['command: [make, «bin/release]', 'command: [make, release]'],
    ['command: {subcommand: [«/usr/bin/git, push]}', 'command: {subcommand: [git, push]}'],
    ['command: {subcommand: [[git, «/opt/hub], push]}', 'command: {subcommand: [docker, run, org/image]}'],
    ['command: {run: curl, pipes_to: «/bin/sh}', 'command: {run: curl, pipes_to: sh}'],
    ['command: {run: rm, wrapped_by: «/usr/bin/sudo}', 'command: {run: rm, wrapped_by: sudo}'],
    ['command: {run: git, except: «/usr/bin/git}', 'command: {run: "*", except: git}'],
  ],
  'flags that are never given': [
    ['command: {run: rm, flags: {any: [«-fr]}}', 'command: {run: rm, flags: {all: [-f, -r]}}'],
    ['command: {run: tar, flags: {any: «-xzf}}', 'command: {run: find, flags: {any: -delete}}'],
    [
      'command: {subcommand: [git, clean], flags: {any: «-fd}}',
      'command: {subcommand: [git, clean], flags: {any: -f}}',
    ],
    ['command: {run: ls, flags: {none: «-la}}', 'command: {run: ls, flags: {none: [-l, -a]}}'],
    ['command: {run: rm, flags: «{any: -f, none: -f}}', 'command: {run: rm, flags: {any: -f, none: -i}}'],
    [
      'command: {run: rm, flags: «{all: [-r, -f], none: [-f]}}',
      'command: {run: rm, flags: {all: [-r], none: [-f]}}',
    ],
    [
      'command: {run: rm, flags: «{any: [-f], unless: [-f, -i]}}',
      'command: {run: rm, flags: {any: [-f, -r], none: [-f]}}',
    ],
    ["command: {run: npm, flags: {any: «'--no-*'}}", "command: {run: npm, flags: {any: '-*'}}"],
    ["command: {run: ls, flags: {none: [-l, «'--*']}}", "command: {run: ls, flags: {none: ['-*']}}"],
    [
      "command: {subcommand: [go, test], flags: «{all: -v, none: '-*'}}",
      "command: {subcommand: [go, test], args: {any: {equals: a}, max: 1}, flags: {none: '-*'}}",
    ],
    ["command: {run: git, flags: {values: {'-*': «a}}}", 'command: {run: git, flags: {values: {-C: a}}}'],
    [
      "command: {run: rm, flags: «{all: -f, none: '-*'}}",
      'command: {subcommand: [git, checkout], flags: {all: --}}',
    ],
    [
      'command: {run: ls, args: {any: «{equals: --all}}}',
      'command: {run: find, args: {any: {equals: -delete}}}',
    ],
    ['command: {run: java, flags: {any: «jar}}', 'command: {run: java, flags: {any: -jar}}'],
    [
      'command: {run: curl, flags: {any: «"--output=x"}}',
      'command: {run: curl, flags: {values: {--output: x}}}',
    ],
    [
      'command: {run: rm, flags: «{all: -f, none: --force}}',
      'command: {run: rm, flags: {all: -f, none: --interactive}}',
    ],
    [
      'command: {subcommand: [git, push], flags: «{any: -f, unless: [--force, -n]}}',
      'command: {subcommand: [git, push], flags: {any: -f, unless: [--dry-run, -n]}}',
    ],
    [
      'command: {subcommand: [git, commit], flags: «{values: {-m: wip}, none: --message}}',
      'command: {subcommand: [git, commit], flags: {values: {-m: wip}, none: --amend}}',
    ],
    ['command: {run: rm, args: {any: «^-rf}}', 'command: {run: rm, flags: {all: [-r, -f]}}'],
  ],
  'commands that contradict themselves': [
    ['command: {run: git, except: «{run: git}}', 'command: {run: git, except: {subcommand: [git, status]}}'],
    ['command: {run: npm, subcommand: «[git, push]}', 'command: {run: "g*", subcommand: [git, push]}'],
    ['command: {run: git, except: «[git, hub]}', 'command: {run: [git, hub], except: hub}'],
    [
      'command: {subcommand: [git, push], except: «git}',
      'command: {subcommand: [git, push], except: {flags: {any: --dry-run}}}',
    ],
    [
      'command: {subcommand: [git, push], except: «{subcommand: [git, push]}}',
      'command: {subcommand: [git, push], except: {subcommand: [git, push, origin]}}',
    ],
    [
      'command: {subcommand: [git, push], args: {first: «push}}',
      'command: {subcommand: [git, push], args: {first: origin}}',
    ],
    [
      'command: {subcommand: [npm, run], args: {first: {equals: «run}}}',
      'command: {subcommand: [npm, run], args: {first: {equals: build}}}',
    ],
    [
      'command: {run: rm, flags: {any: -f}, except: «{flags: {any: [-i, --force]}}}',
      'command: {run: rm, flags: {any: -f}, except: {flags: {any: -i}}}',
    ],
    [
      'command: {run: [git, hub], except: «[{run: git}, {run: hub}]}',
      'command: {run: [git, hub, jj], except: [{run: git}, {run: hub}]}',
    ],
    [
      'command: {subcommand: [git, [push, fetch]], except: «[{subcommand: [git, push]}, {subcommand: [git, fetch]}]}',
      'command: {subcommand: [git, [push, fetch]], except: [{subcommand: [git, push, origin]}, {subcommand: [git, fetch]}]}',
    ],
    [
      'command: {run: "*", subcommand: [git, push], except: «git}',
      'command: {run: "*", subcommand: ["*", push], except: git}',
    ],
    ['command: {run: mv, args: «{min: 3, max: 2}}', 'command: {run: mv, args: {min: 2, max: 2}}'],
    ['command: {run: mv, args: «{max: 0, first: a}}', 'command: {run: mv, args: {max: 1, first: a}}'],
    ['command: {run: mv, args: «{max: 1, rest: a}}', 'command: {run: mv, args: {max: 2, rest: a}}'],
    [
      'command: {run: curl, network: a.example, except: «{network: true}}',
      'command: {run: curl, network: a.example, except: {uploads: true}}',
    ],
    [
      'command: {run: curl, network: {host: docs.a.example, except: «a.example}}',
      'command: {run: curl, network: {host: a.example, except: docs.a.example}}',
    ],
    [
      'command: {run: rm, deletes: {match: src/a/**, except: «src/**}}',
      'command: {run: rm, deletes: {match: src/**, except: src/a/**}}',
    ],
    [
      'command: {run: mv, args: {first: {equals: a}}, except: «{args: {first: {one_of: [a, b]}}}}',
      'command: {run: mv, args: {first: {one_of: [a, c]}}, except: {args: {first: {one_of: [a, b]}}}}',
    ],
    [
      'all: [{command: git}, {«not: {command: [git, hub]}}]',
      'all: [{command: [git, jj]}, {not: {command: [git, hub]}}]',
    ],
  ],
  'paths in another form': [
    ['path: «src/', 'path: src/**'],
    ['path: [README.md, «docs/]', 'path: [README.md, docs]'],
    ['path: {match: «build/, uses: write}', 'path: {match: build/**, uses: write}'],
    ['path: {match: «"**/", except: a}', 'path: {match: "**", except: a}'],
    ['command: {run: rm, deletes: «dist/}', 'command: {run: rm, deletes: dist}'],
    ['path: {match: "**", except: «src/}', 'path: {match: "**", except: src/**}'],
    ['path: «$HOME/**', 'path: ~/**'],
    ['path: «$PWD/src/**', 'path: ./src/**'],
    ['path: «${HOME}/.netrc', 'path: $HOMEBREW_PREFIX/etc'],
    ['command: {reads: «$HOME/notes}', 'command: {reads: ~/notes}'],
    ['path: «~/.ssh', 'path: ~/.ssh/**'],
    ['path: {match: [«~/.gnupg, a]}', 'path: {match: [~/.gnupg, ~/.gnupg/**]}'],
    ['path: «~/.aws', 'path: {match: ~/.aws, uses: delete}'],
    ['path: «../other/**', 'path: /srv/other/**'],
    ['path: «src/../etc', 'path: etc'],
    ['path: «src//a', 'path: src/a'],
    ['path: «file:///etc/passwd', 'path: /etc/passwd'],
  ],
  'URLs in the place of hosts': [
    ['url: «https://github.com', 'url: {scheme: https, host: github.com}'],
    ['url: {host: «example.com:8080}', 'url: example.com:8080'],
    ['url: «10.0.0.0/8:443', 'url: {host: 10.0.0.0/8, port: 443}'],
    ['url: «10.0.0.1/8', 'url: 10.0.0.0/8'],
    ['url: «10.0.0', 'url: ["fd00::1", "[fe80::1]:80", "fd00::/8"]'],
    ['url: «example.com:80800', 'url: example.com:8080-8089'],
    ['url: {port: [22, «9000-8000]}', 'url: {port: [22, 8000-9000]}'],
    ['url: {host: {equals: «"*.a.example"}}', 'url: {host: {equals: a.example}}'],
    ['url: {host: a.example, except: «a.example}', 'url: {host: a.example, except: docs.a.example}'],
    [
      'url: [a.example, {private: true, except: «[b.example, {private: true}]}]',
      'url: [a.example, {private: true, except: [b.example, {port: 80}]}]',
    ],
    [
      'url: {except: [b.example, «a.example/docs]}',
      'url: {except: [b.example, {host: a.example, path: ^/docs/}]}',
    ],
    ['url: {except: «example.com/docs}', "url: {except: {host: example.com, path: {glob: '/docs{,/**}'}}}"],
    ['url: {host: [a.example, «b.example/x]}', "url: {host: [a.example, '*.b.example']}"],
    ['command: {network: «http://a.example}', 'command: {network: a.example}'],
    ['url: {host: «user@a.example}', 'url: {host: localhost}'],
    ['url: {scheme: «HTTPS}', 'url: {scheme: https}'],
    ['url: {scheme: [http, «"https:"]}', 'url: {scheme: [http, git+ssh]}'],
    ['url: {host: a.example, path: «^docs/}', 'url: {host: a.example, path: ^/docs/}'],
    ['url: {host: a.example, path: «{glob: docs/*}}', 'url: {host: a.example, path: {glob: "/docs/*"}}'],
  ],
  'values in another form': [
    [
      'tool: shell\n    arguments: {command: «"\\bgit"}',
      "tool: shell\n    arguments: {command: '\\bgit push'}",
    ],
    [
      'on: before_llm\n    content: {test: «"\\bsecret\\b"}',
      "on: before_llm\n    content: {test: '\\bsecret\\b'}",
    ],
    [
      'command: {run: git, args: {any: «{regex: "main\\b"}}}',
      "command: {run: git, args: {any: {regex: 'main\\b'}}}",
    ],
    ['context: {cwd: «"/srv/*"}', 'context: {cwd: {glob: "/srv/*"}}'],
    ['model_prefix: «"claude-*"', 'model_prefix: claude-'],
    ['model_prefix: [gpt-, «"*"]', 'model_prefix: [gpt-, o1]'],
    [
      'tool: shell\n    arguments: {timeout: «{gt: 5, lt: 5}}',
      'tool: shell\n    arguments: {timeout: {gte: 5, lte: 5}}',
    ],
    [
      'tool: shell\n    arguments: {command: «{equals: a, one_of: [b]}}',
      'tool: shell\n    arguments: {command: {one_of: [a, b]}}',
    ],
    ['context: {cwd: «~/work}', 'context: {cwd: /home/me/work}'],
    ['context: {cwd: «{glob: "src/*"}}', 'context: {cwd: {glob: "**/src/*"}}'],
  ],
  'arguments that no tool has': [
    ['tool: shell\n    arguments: {«comand: x}', 'tool: shell\n    arguments: {command: x}'],
    ['tool: [write, edit]\n    arguments: {«contnet: x}', 'tool: write\n    arguments: {content: x}'],
    ['tool: read\n    arguments: {«pth: x}', 'tool: mcp\n    arguments: {team: x}'],
    [
      'any: [{tool: fetch, arguments: {«ulr: x}}, {tool: read}]',
      'tool: shell\n    not: {arguments: {comand: x}}',
    ],
    ['tool: shell\n    arguments: {«commnd.0: x}', 'tool: shell\n    arguments: {comand: {exists: false}}'],
  ],
  'conditions that exclude each other': [
    ['all: [{tool: list}, {tool: «install}]', 'any: [{tool: list}, {tool: install}]'],
    ['tool: list\n    «not: {tool: [list, read]}', 'tool: [list, read]\n    not: {tool: read}'],
    ['tool: list\n    any: [{tool: «memory}, {path: a}]', 'tool: read\n    any: [{tool: shell}, {path: a}]'],
    ['hosts: [gemini]\n    all: [{hosts: «[jcli]}]', 'hosts: [gemini, jcli]\n    all: [{hosts: [jcli]}]'],
    [
      'hosts: [gemini]\n    tool_matcher: read_file\n    all: [{tool_matcher: «write_file}]',
      'hosts: [gemini]\n    tool_matcher: "read_file|write_file"\n    all: [{tool_matcher: write_file}]',
    ],
    ['tool: list\n    any: «[{tool: install}, {tool: memory}]', 'tool: list\n    not: {tool_matcher: "x*"}'],
    [
      'any: [{context: {host: gemini}, hosts: «[jcli]}, {tool: read}]',
      'context: {host: gemini}\n    tool: read',
    ],
    [
      'all: [{arguments: {a: {gt: 5}}}, {arguments: «{a: {lt: 3}}}]',
      'all: [{arguments: {a: {gt: 5}}}, {arguments: {b: {lt: 3}}}]',
    ],
    [
      'arguments: {a: {equals: x}}\n    all: [{arguments: «{a: {equals: y}}}]',
      'arguments: {a: {equals: x}}\n    any: [{arguments: {b: {equals: y}}}]',
    ],
  ],
  'exceptions wider than what they are for': [
    ['path: {match: src/a/**, except: «src/**}', 'path: {match: src/**, except: src/a/**}'],
    ['path: {match: src/a.ts, except: «src/*}', 'path: {match: src/a/b.ts, except: src/*}'],
    ['path: {match: "**/*.ts", except: «"*.ts"}', 'path: {match: "**/*.ts", except: "*.d.ts"}'],
    ['path: {match: "*.ts", except: «[a, "**"]}', 'path: {match: "*.ts", except: [a, "test/**"]}'],
    ['path: {match: ~/.ssh/**, except: «~/**}', 'path: {match: ~/**, except: ~/.ssh/**}'],
    [
      'path: {match: /etc/passwd, uses: read, except: «/etc/**}',
      'path: {match: /etc/passwd, uses: read, except: /etc/**/passwd/*}',
    ],
    ['path: {match: [a, b/c], except: «{match: [a, b/**]}}', 'path: {match: [a, b/c], except: {match: [a]}}'],
    ['path: {match: ./src/**, outside: «workspace}', 'path: {match: /srv/**, outside: workspace}'],
    ['path: {set: disks, except: «{set: disks}}', 'path: {set: disks, except: /dev/sda}'],
    ['url: {host: docs.a.example, except: «a.example}', 'url: {host: a.example, except: docs.a.example}'],
    ['url: {host: 10.0.0.0/24, except: «10.0.0.0/8}', 'url: {host: 10.0.0.0/8, except: 10.0.0.0/24}'],
    ['url: {host: 10.0.0.1, except: «10.0.0.0/8}', 'url: {host: 10.0.0.1, except: 10.0.1.0/24}'],
    [
      'url: {host: 10.0.0.0/31, except: «[10.0.0.0, 10.0.0.1]}',
      'url: {host: 10.0.0.0/30, except: [10.0.0.0, 10.0.0.1]}',
    ],
    ['url: {host: fd00::/16, except: «fd00::/8}', 'url: {host: fd00::/8, except: fd00::/16}'],
    ['url: {host: 10.0.0.0/8, except: «{private: true}}', 'url: {host: 10.0.0.0/7, except: {private: true}}'],
    ['url: {host: example.com, private: «true}', 'url: {host: db.internal, private: true}'],
    [
      'url: {host: [10.0.0.0/8, localhost], private: «false}',
      'url: {host: [11.0.0.0/8, localhost], private: false}',
    ],
    [
      'url: {port: 8000-8010, except: «[{port: 8000-8005}, {port: 8006-9000}]}',
      'url: {port: 8000-8010, except: [{port: 8000-8005}, {port: 8007-9000}]}',
    ],
    [
      'url: {scheme: [http, ws], except: «[{scheme: http}, {scheme: ws, port: 1-65535}]}',
      'url: {scheme: [http, ws], except: [{scheme: http}, {scheme: ws, port: 80}]}',
    ],
    ['url: {host: "*.a.example", except: «a.example}', 'url: {host: "*a.example", except: a.example}'],
  ],
  'regexes, globs and names in the place of each other': [
    ['command: «^git', 'command: git'],
    ['command: {run: «"pip?"}', 'command: {run: "pip*"}'],
    ['command: {run: curl, pipes_to: «(ba)sh}', 'command: {run: curl, pipes_to: [bash, sh, "["]}'],
    ['command: {subcommand: [git, «"push|pull"]}', 'command: {subcommand: [git, [push, pull]]}'],
    ['command: {run: git, environment: «$GIT_DIR}', 'command: {run: git, environment: GIT_DIR}'],
    ['command: {run: git, environment: [A, «GIT_DIR=x]}', 'command: {run: git, environment: {GIT_DIR: x}}'],
    ["path: «'^src/.*$'", 'path: src/.*'],
    ["path: ['*.pem', «'src\\a']", "path: ['*.pem', 'src/\\[a\\].ts']"],
    ['tool: read\n    arguments: {path: «$HOME/x}', "tool: read\n    arguments: {path: '\\$HOME/x'}"],
    ["tool: shell\n    arguments: {command: «'(a|b)^c'}", "tool: shell\n    arguments: {command: '(a|^)c$'}"],
    ["tool: shell\n    arguments: {command: «'a$b'}", "tool: shell\n    arguments: {command: '(?m)a$\\sb'}"],
    ['command: {run: rm, args: {any: «--force}}', 'command: {run: rm, args: {any: -rc}}'],
  ],
  'tests that no value passes together': [
    [
      'command: {run: rm, args: {every: {equals: a}, any: «{equals: b}}}',
      'command: {run: rm, args: {every: {one_of: [a, b]}, any: {equals: b}}}',
    ],
    [
      'command: {run: rm, args: {first: «{equals: a}, every: ^b}}',
      'command: {run: rm, args: {first: {equals: ab}, every: ^a}}',
    ],
    [
      'command: {subcommand: [git, commit], flags: {values: {-m: «{equals: a, min_length: 2}}}}',
      'command: {subcommand: [git, commit], flags: {values: {-m: {equals: a, max_length: 2}}}}',
    ],
    [
      'command: {run: curl, pipes_to: {run: sh, args: {first: «{equals: a, regex: b}}}}',
      'command: {run: curl, pipes_to: {run: sh, args: {first: {equals: ab, regex: b}}}}',
    ],
    ['arguments_match: {type: «array}', 'arguments_match: {type: [array, object], required: [a]}'],
    ['arguments_violate: «{type: object, title: x}', 'arguments_violate: {type: object, required: [x]}'],
    ['arguments_violate: «{}', 'arguments_violate: {type: array}'],
    [
      'on: before_llm\n    model_prefix: gpt-\n    all: [{model_prefix: «[claude-, o1]}]',
      'on: before_llm\n    model_prefix: gpt-\n    all: [{model_prefix: [claude-, gpt-5]}]',
    ],
    [
      'hosts: [gemini]\n    tool_matcher: read_file\n    command: «git',
      'hosts: [gemini]\n    tool_matcher: run_shell_command|read_file\n    command: git',
    ],
    [
      'hosts: [gemini]\n    tool_matcher: read_file\n    path: «{uses: write}',
      'hosts: [gemini]\n    tool_matcher: read_file|write_file\n    path: {uses: write}',
    ],
  ],
  'tools that are not there': [
    ['tool_matcher: «run_shel_command', 'tool_matcher: run_shell_command'],
    ['tool: «shell\n    tool_matcher: read_file', 'tool: read\n    tool_matcher: read_file'],
  ],
};

const CASES = Object.entries(PAIRS).flatMap(([name, pairs]) =>
  pairs.map(([dead, sound]) => [name, dead, sound] as const),
);
/** What is said of policies that are no more than their keys. */
const BESIDE = ['no-test', 'model-unknown', 'host-unknown', 'host-degrades', 'host-misses', 'loose-name'];
const temporaryFolder = temporaryFolders();

interface Finding {
  readonly code: string;
  readonly line: number;
  readonly column: number;
  readonly hint?: string;
}

const HEAD = 'version: 1\npolicies:\n  - id: one\n    ';

async function findingsIn(keys: string): Promise<readonly Finding[]> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'policy.yaml'), `${HEAD}${keys}\n    action: deny\n    reason: no\n`);
  const { stdout } = await runCli(['check', '--json', 'policy.yaml'], { cwd, env: { HOME: '/nonexistent' } });
  return JSON.parse(stdout).diagnostics;
}

describe('a policy that can match nothing', () => {
  test('there are sixty, and sixty twins', () => expect(CASES.length).toBeGreaterThanOrEqual(60));

  test.each(CASES)('%s: %s is named at its place', async (_class, dead) => {
    const before = (HEAD + dead).slice(0, (HEAD + dead).indexOf('«')).split('\n');
    const found = (await findingsIn(dead.replace('«', ''))).filter(({ code }) => !BESIDE.includes(code));
    const [first] = found;
    expect(found).toHaveLength(1);
    expect({ line: first?.line, column: first?.column }).toEqual({
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    });
    expect(first?.code).toBeOneOf(['never-matches', 'bad-value']);
    expect(first?.hint).toBeString();
  });

  test.each(CASES)('%s: the twin of %s passes: %s', async (_class, _dead, sound) => {
    const found = await findingsIn(sound);
    expect(found.filter(({ code }) => !BESIDE.includes(code))).toEqual([]);
  });
});
