import { test } from 'bun:test';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HookStart, hookStarts, isPolicy } from '../../docs/host-configuration.ts';
import { codeBlocks, expectMarkedText } from '../../docs/markdown.ts';
import { answersTo, kindOf, refuses, refusesInPlaceOf } from '../../docs/start-hook.ts';
import { BINARY } from '../../support/binary.ts';
import { expectGolden } from '../../support/golden.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();

/** Refuses the call that is asked about: what is loaded from elsewhere, or not at all, lets it run. */
const POLICIES = `
version: 1
name: house
policies:
  - {id: no-forbidden, arguments: {command: forbidden}, action: deny}
`;

/** Variables of runtimes, loaders, shells and of this program. A path below `.` is one in the home of the test. */
const VARIABLES: readonly (readonly [name: string, value: string])[] = [
  ['NOTHING', 'at all'],
  ['BUN_JSC_watchdog', '1'],
  ['BUN_OPTIONS', '--version'],
  ['BUN_BE_BUN', '1'],
  ['NODE_OPTIONS', '--require=./nowhere.js'],
  ['POLICY_PATH', './empty.yaml'],
  ['XDG_CONFIG_HOME', './elsewhere'],
  ['PATH', './fake:/usr/local/bin:/usr/bin:/bin'],
  ['BASH_FUNC_grep%%', '() { echo {}; }'],
  ['BASH_FUNC_exit%%', '() { return; }'],
  ['SHELLOPTS', 'errexit:nounset:pipefail:noglob'],
  ['LD_PRELOAD', './nowhere.so'],
  ['ENV', './leave.sh'],
  ['BASH_ENV', './leave.sh'],
  ['SHELLOPTS', 'noexec'],
  ['LD_TRACE_LOADED_OBJECTS', '1'],
];

/** Where hosts ask about calls, one start for each command line. */
const STARTS: readonly HookStart[] = [
  ...new Map(
    ['README.md', 'docs/hosts.md']
      .flatMap(codeBlocks)
      .filter((block) => ['json', 'yaml'].includes(block.language) && !isPolicy(block))
      .flatMap(hookStarts)
      .flatMap((start) => {
        const event = start.events.find((name) => kindOf(start, name) === 'before_tool');
        // What is named is loaded and nothing else: not the policy of this test.
        return event === undefined || start.argv.includes('--policies')
          ? []
          : [[start.argv.join(' '), { ...start, events: [event] }] as const];
      }),
  ).values(),
];

function home(): string {
  const folder = folders();
  for (const name of ['.config/policy', 'elsewhere', 'fake'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, '.config/policy/house.yaml'), POLICIES);
  writeFileSync(join(folder, 'empty.yaml'), 'version: 1\ndefaults: {mode: enforce}\n');
  writeFileSync(join(folder, 'leave.sh'), 'exit 0\n');
  for (const name of ['grep', 'env', 'cat', 'test']) {
    writeFileSync(join(folder, 'fake', name), '#!/bin/sh\necho {}\n');
    chmodSync(join(folder, 'fake', name), 0o755);
  }
  return folder;
}

/** What becomes of the call: the host's own reading of the answer, where there is one. */
function outcome(start: HookStart, name: string, value: string): string {
  const folder = home();
  const env = { [name]: value.replaceAll('./', `${folder}/`), ...start.env };
  try {
    const answers = [...answersTo({ ...start, env }, 'forbidden', folder).values()];
    return answers.some(refuses) ? 'refused' : 'RUNS';
  } catch {
    // What PicoClaw makes of no answer depends on the event.
    if (start.host === 'picoclaw') return 'no answer';
    return refusesInPlaceOf({ ...start, env }, BINARY, folder) ? 'refused without being judged' : 'RUNS';
  }
}

/** The columns of the table in the documentation, by what starts the hook. */
const COLUMNS = [
  ['Gemini CLI', /--host gemini/],
  ['jcli A to D', /^sh .*--host jcli/],
  ['jcli E', /^bash .*--host jcli/],
  ['PicoClaw', /--host picoclaw/],
] as const;

test('the documented command lines refuse whatever stands in the environment of the host, or docs/hosts.md says so', () => {
  const outcomes = STARTS.map((start) => ({
    line: start.argv.join(' '),
    // What `sh` is, and so what it listens to, differs between systems.
    known: VARIABLES.filter(([name]) => start.argv[0] !== 'sh' || name !== 'SHELLOPTS').map(
      ([name, value]) => ({
        variable: `${name}=${value}`,
        becomes: outcome(start, name, value),
      }),
    ),
  }));
  const lists = outcomes.map(({ line, known }) =>
    [line, ...known.map(({ variable, becomes }) => `  ${variable.padEnd(52)}${becomes}`), ''].join('\n'),
  );
  expectGolden(import.meta.dir, 'host-environment.txt', lists.join('\n'));
  const rows = VARIABLES.map(([name, value]) => [
    `\`${name}=${value}\``,
    ...COLUMNS.map(([, started]) => {
      const { known = [] } = outcomes.find(({ line }) => started.test(line)) ?? {};
      return known.find(({ variable }) => variable === `${name}=${value}`)?.becomes ?? 'RUNS if `sh` is bash';
    }),
  ]).filter((cells) => cells.some((cell) => cell === 'RUNS'));
  const titles = ['variable', ...COLUMNS.map(([title]) => title)];
  const table = [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  expectMarkedText('docs/hosts.md', 'unpreventable', table.join('\n'));
}, 120_000);
