import { test } from 'bun:test';
import { type HookStart, hookStarts, isPolicy } from '../../docs/host-configuration.ts';
import { AGENT_PAGES, codeBlocks, expectMarkedText } from '../../docs/markdown.ts';
import { answersTo, kindOf, refuses, refusesInPlaceOf } from '../../docs/start-hook.ts';
import { BINARY } from '../../support/binary.ts';
import { expectGolden } from '../../support/golden.ts';
import { layOutHome, VARIABLES, type Variable, valueIn } from '../../support/hostile-environment.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Where hosts ask about calls, one start for each command line. */
const STARTS: readonly HookStart[] = [
  ...new Map(
    codeBlocks(AGENT_PAGES)
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

/** What becomes of the call: the host's own reading of the answer, where there is one. */
function outcome(start: HookStart, variable: Variable): string {
  const home = temporaryFolder();
  layOutHome(home);
  const env = { [variable.name]: valueIn(home, variable), ...start.env };
  try {
    const answers = [...answersTo({ ...start, env }, 'forbidden', home).values()];
    return answers.some(refuses) ? 'refused' : 'RUNS';
  } catch {
    // What PicoClaw makes of no answer depends on the event.
    if (start.host === 'picoclaw') return 'no answer';
    return refusesInPlaceOf({ ...start, env }, BINARY, home) ? 'refused without being judged' : 'RUNS';
  }
}

/** The columns of the table in the documentation, by what starts the hook. */
const COLUMNS = [
  ['Gemini CLI', /--host gemini/],
  ['jcli A to D', /^sh .*--host jcli/],
  ['jcli E', /^bash .*--host jcli/],
  ['PicoClaw', /--host picoclaw/],
] as const;

test('the documented command lines refuse whatever stands in the environment of the host, or docs/failures.md says so', () => {
  const outcomes = STARTS.map((start) => ({
    line: start.argv.join(' '),
    // What `sh` is, and so what it listens to, differs between systems.
    known: VARIABLES.filter(({ name }) => start.argv[0] !== 'sh' || name !== 'SHELLOPTS').map((variable) => ({
      variable,
      becomes: outcome(start, variable),
    })),
  }));
  const lists = outcomes.map(({ line, known }) => {
    const rows = known.map(({ variable, becomes }) => `  ${shown(variable).padEnd(52)}${becomes}`);
    return [line, ...rows, ''].join('\n');
  });
  expectGolden(import.meta.dir, 'host-environment.txt', lists.join('\n'));
  const rows = VARIABLES.map((variable) => [
    `\`${shown(variable)}\``,
    ...COLUMNS.map(([, started]) => {
      const { known = [] } = outcomes.find(({ line }) => started.test(line)) ?? {};
      return known.find((each) => each.variable === variable)?.becomes ?? 'RUNS if `sh` is bash';
    }),
  ]).filter((cells) => cells.some((cell) => cell === 'RUNS'));
  const titles = ['variable', ...COLUMNS.map(([title]) => title)];
  const table = [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  expectMarkedText('docs/failures.md', 'unpreventable', table.join('\n'));
}, 120_000);

/** The rest of PATH is that of the machine. */
function shown({ name, value }: Variable): string {
  return `${name}=${name === 'PATH' ? './fake:$PATH' : value}`;
}
