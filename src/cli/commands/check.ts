import { HOSTS } from '../../hosts/registry.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { CompiledFiles } from '../../policy/compile-files.ts';
import { diagnosticsGithub } from '../../report/diagnostics-github.ts';
import { diagnosticsJson } from '../../report/diagnostics-json.ts';
import { diagnosticsSarif } from '../../report/diagnostics-sarif.ts';
import { type CheckedCounts, diagnosticsText, summaryText } from '../../report/diagnostics-text.ts';
import { exampleProblems } from '../../suite/examples.ts';
import { type Arguments, optionValue, optionValues } from '../args.ts';
import { hostWarnings } from '../check/host-warnings.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import { hostOf } from '../host-option.ts';
import type { Io } from '../io.ts';
import { compileFor } from '../policy-place.ts';
import { paintFor, printJson } from '../print.ts';
import { UsageError } from '../usage-error.ts';
import { VERSION } from '../version.ts';

const FORMATS = ['text', 'json', 'github', 'sarif'] as const;
type Format = (typeof FORMATS)[number];

const NOTHING_HERE = 'No policy files here; policy init writes a first one';

export const check = {
  operands: '[PATH]...',
  options: [
    {
      name: 'host',
      value: 'NAME',
      repeatable: true,
      summary: 'Warn of what this host cannot do; of all hosts unless given',
    },
    { name: 'format', value: 'FORMAT', summary: `${FORMATS.join(', ')}; text unless given` },
    { name: 'json', summary: 'The same as --format json; "version" names its shape' },
  ],
  details: [
    'A path is a file, a folder or builtin:NAME. Without one, the policies are checked that apply here: those of the\norganisation and the user, and the .policy folders from this directory up to the repository root.',
    'Every problem of every file is shown, the examples of all policies are run, and it is said what hosts cannot do.\nThe exit code is 3 if there is an error; warnings leave it at 0.',
  ],
  example: [
    '$ policy check .policy',
    '.policy/git.yaml:7:5 error unknown-key  Cannot use key "argument" in policy "no-force-push"',
    "  7 |     argument: {command: '^git push'}",
    '    |     ^^^^^^^^ did you mean "arguments"?',
    '',
    '1 error in 3 files',
  ],
  async run(args, io) {
    const format = formatOf(args);
    const hosts = args.values.has('host') ? optionValues(args, 'host').map(hostOf) : HOSTS;
    const compiled = compileFor(io, args.operands);
    const diagnostics = [
      ...compiled.diagnostics,
      ...compiled.notices,
      ...exampleProblems(compiled.program.rules, compiled.examples),
      ...hostWarnings(compiled.program.rules, hosts),
    ];
    print(format, diagnostics, compiled, countsOf(compiled, args.operands), io);
    return diagnostics.some(({ severity }) => severity === 'error') ? EXIT_CODE.invalidPolicy : EXIT_CODE.ok;
  },
} satisfies Command;

function formatOf(args: Arguments): Format {
  const given = optionValue(args, 'format');
  if (given === undefined) return args.switches.has('json') ? 'json' : 'text';
  const format = FORMATS.find((known) => known === given);
  if (format === undefined)
    throw new UsageError(`Cannot use --format "${given}": give one of ${FORMATS.join(', ')}`);
  return format;
}

function print(
  format: Format,
  diagnostics: readonly Diagnostic[],
  compiled: CompiledFiles,
  counts: CheckedCounts,
  { stdout, env }: Io,
): void {
  switch (format) {
    case 'json':
      printJson(stdout, diagnosticsJson(diagnostics, counts));
      break;
    case 'sarif':
      printJson(stdout, diagnosticsSarif(diagnostics, VERSION));
      break;
    case 'github':
      stdout.write(
        diagnosticsGithub(diagnostics)
          .map((line) => `${line}\n`)
          .join(''),
      );
      break;
    case 'text': {
      const paint = paintFor(stdout, env);
      const blocks = diagnosticsText(diagnostics, { paint, sourceOf: (file) => compiled.texts.get(file) });
      const nothing = counts.files === 0 && diagnostics.length === 0;
      const summary = nothing ? NOTHING_HERE : summaryText(diagnostics, counts, paint);
      stdout.write(`${[...blocks, ...(blocks.length === 0 ? [] : ['']), summary].join('\n')}\n`);
    }
  }
}

/** What the person wrote or named; the packs that every set has do not count. */
function countsOf({ texts, program }: CompiledFiles, named: readonly string[]): CheckedCounts {
  const files = [...texts.keys()].filter((file) => !file.startsWith('builtin:') || named.includes(file));
  return { files: files.length, policies: program.rules.filter(({ layer }) => layer !== 'builtin').length };
}
