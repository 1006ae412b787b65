import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createProcessMemory } from '../../../hook/state/process-memory.ts';
import { answerBareCall } from '../../../language/calls/answer-call.ts';
import { createEngine } from '../../../language/engine/engine.ts';
import { BUILD_INFO } from '../../../language/generated/build-info.ts';
import { isJsonObject, ownString } from '../../../lib/json.ts';
import { ORGANISATION_TEXTS } from '../../generated/organisation-texts.ts';
import { STARTER_TEXTS } from '../../generated/starter-texts.ts';
import { type Arguments, optionValues, parseArguments } from '../args.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { optionsOf } from '../options.ts';
import { compileFor } from '../policy-place.ts';
import { findSuites } from '../test/find-suites.ts';
import { runTests } from '../test/run-tests.ts';
import { TEST_OPTIONS, testOptions } from '../test/test-options.ts';
import { VERSION } from '../version.ts';
import { writing } from '../write-text.ts';

/** The values of `--for`. */
export const STARTERS: readonly Starter[] = [
  { name: 'npm', isSign: (file) => file === 'package.json' },
  { name: 'python', isSign: (file) => ['pyproject.toml', 'requirements.txt', 'setup.py'].includes(file) },
  { name: 'terraform', isSign: (file) => file.endsWith('.tf') },
  { name: 'k8s', isSign: (file) => /^(?:Chart|kustomization)\.ya?ml$/.test(file) },
];

const FOLDER = '.policy';
const SCHEMA = 'policy.schema.json';
const NAMES = STARTERS.map(({ name }) => name);

export const init = {
  options: optionsOf({
    '--for KIND...': [`The project's tools: ${NAMES.join(', ')}; detected from its files by default`, NAMES],
    '--org': 'Create the repository from which a team governs many others',
  }),
  details: [
    'Writes policies, their tests and a JSON Schema for editors into .policy/ in this directory, runs the tests, and shows\nwhat an agent reads when it breaks a policy. It asks nothing and overwrites nothing.',
    '--org writes into this directory instead: policies with tests, rows for your own programs, a GitHub workflow that\nchecks, tests, compares, bundles, signs and pushes them, CODEOWNERS, and a README for the people whom the policies\ngovern.',
  ],
  example: [
    '$ policy init',
    'Wrote .policy/first.yaml',
    'Wrote .policy/first.test.yaml',
    'Wrote .policy/policy.schema.json',
    '',
    '.policy  24 passed',
    '24 passed   coverage 100.0 % of policies, 100.0 % of alternatives   24 ms',
    '',
    'An agent that is about to run "git push origin main" reads:',
    '  Refused by first/main-by-pull-request: changes reach the main branch by pull requests. Instead: push a branch of your own and open a pull request.',
    '',
    'Try next:',
    "  policy explain --command 'git push origin main'",
    '  policy install',
  ],
  async run(args, io) {
    if (args.switches.has('org')) return initOrganisation(args, io);
    const folder = join(io.cwd, FOLDER);
    const given = optionValues(args, 'for');
    const names = given.length > 0 ? [...new Set(given)] : startersFor(io.cwd);
    for (const name of names) {
      const { policy, test } = STARTER_TEXTS[name] ?? { policy: '', test: '' };
      writeNew(join(folder, `${name}.yaml`), policy, `${FOLDER}/${name}.yaml`, io);
      writeNew(join(folder, `${name}.test.yaml`), test, `${FOLDER}/${name}.test.yaml`, io);
    }
    // The first line of each policy file names it, for editors without the language server.
    const { editorSchema } = await import('../docs/editor-schema.ts');
    writeNew(join(folder, SCHEMA), `${JSON.stringify(editorSchema())}\n`, `${FOLDER}/${SCHEMA}`, io);
    io.stdout.write('\n');
    const files = names.map((name) => join(folder, `${name}.test.yaml`));
    const policies = names.map((name) => join(folder, `${name}.yaml`));
    return testWritten([...files, ...policies], io, () => refusal(`${FOLDER}/${names[0]}.yaml`, io));
  },
} satisfies Command;

function initOrganisation(args: Arguments, io: Io): number {
  if (optionValues(args, 'for').length > 0)
    throw new UsageError('Cannot use --for with --org: an organisation has no kind of project');
  writeOrganisation(io);
  io.stdout.write('\n');
  return testWritten(
    [join(io.cwd, ORGANISATION_POLICIES)],
    io,
    () => 'Try next:\n  read README.md, from "Set up"\n',
  );
}

/** @param next the text behind the test results */
function testWritten(paths: readonly string[], io: Io, next: () => string): number {
  const options = testOptions(parseArguments([], TEST_OPTIONS));
  const { counts, invalidPolicies } = runTests(findSuites(paths, io.cwd), options, io);
  if (invalidPolicies) return EXIT_CODE.invalidPolicy;
  io.stdout.write(`\n${next()}`);
  return counts.failed + counts.broken > 0 ? EXIT_CODE.findings : EXIT_CODE.ok;
}

/** The refusal that an agent reads for the first example of a file, judged by all policies that apply here. */
function refusal(file: string, io: Io): string {
  const { program, examples } = compileFor(io, []);
  const commands = examples.flatMap(({ expect, position, call }) => {
    const command = isJsonObject(call) ? ownString(call, 'command') : undefined;
    return expect === 'hit' && position.file === file && command !== undefined ? [command] : [];
  });
  const [command] = commands;
  if (command === undefined) return 'Try next:\n  policy check\n';
  const call = { on: 'before_tool', tool: 'shell', arguments: { command } } as const;
  const session = { engine: createEngine(program), memory: createProcessMemory() };
  const { decision } = answerBareCall(call, session);
  return [
    `An agent that is about to run "${command}" reads:`,
    `  ${decision.reason ?? `nothing: the decision is ${decision.action}`}`,
    '',
    'Try next:',
    `  policy explain --command '${command}'`,
    '  policy install',
    '',
  ].join('\n');
}

/** The repository of an organisation has its policies here. */
const ORGANISATION_POLICIES = 'policies';

/** Writes the first files of an organisation's repository, for this version of the program. */
function writeOrganisation(io: Io): void {
  for (const [name, text] of Object.entries(ORGANISATION_TEXTS))
    writeNew(
      join(io.cwd, name),
      text.replaceAll('{{version}}', VERSION).replaceAll('{{commit}}', BUILD_INFO.commit),
      name,
      io,
    );
}

/** A set of policies to begin with: `starters/NAME.yaml` and its test. */
interface Starter {
  readonly name: string;
  /** True for the name of a file that shows the tools of a project. */
  readonly isSign: (file: string) => boolean;
}

/** For projects that show nothing of the others. */
const FIRST = 'first';

/** The names of those that fit the files of a directory; `first` where none does. */
function startersFor(directory: string): readonly string[] {
  const files = readdirSync(directory);
  const found = STARTERS.filter(({ isSign }) => files.some(isSign)).map(({ name }) => name);
  return found.length === 0 ? [FIRST] : found;
}

/** Writes a file and the folders above it, or leaves a file of this name; says which. */
function writeNew(path: string, text: string, shown: string, { stdout }: Io): void {
  const isThere = existsSync(path);
  if (!isThere)
    writing(path, () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
    });
  stdout.write(isThere ? `Left ${shown} as it is: it is there already\n` : `Wrote ${shown}\n`);
}
