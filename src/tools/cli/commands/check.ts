import { join, resolve } from 'node:path';
import { HOSTS } from '../../../hosts/registry.ts';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import { userConfigFolder } from '../../../language/policy/files/discovery.ts';
import { readPolicyFile } from '../../../language/policy/files/read-file.ts';
import { withFixes } from '../../../language/policy/format/with-fixes.ts';
import { note } from '../../../language/policy/yaml/problem.ts';
import { type Diagnostic, errorsIn, type Fix } from '../../../model/diagnostic.ts';
import type { Rule } from '../../../model/policy.ts';
import { diagnosticsGithub } from '../../report/diagnostics/diagnostics-github.ts';
import { diagnosticsJson } from '../../report/diagnostics/diagnostics-json.ts';
import { diagnosticsSarif } from '../../report/diagnostics/diagnostics-sarif.ts';
import {
  type CheckedCounts,
  diagnosticsText,
  summaryText,
  topicsOf,
} from '../../report/diagnostics/diagnostics-text.ts';
import { printable } from '../../report/layout/printable.ts';
import { countOf } from '../../report/layout/quantity.ts';
import { type Arguments, optionValue, optionValues } from '../args.ts';
import { brokenTests } from '../check/broken-tests.ts';
import { diagnosticsOf } from '../check/diagnostics-of.ts';
import { isSharedFile } from '../check/shared-file.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE, type Io } from '../io.ts';
import { hostOf, hostsOption, optionsOf } from '../options.ts';
import { compileFor, policyFolder } from '../policy-place.ts';
import { paintFor, printJson, printPlainJson } from '../print.ts';
import { VERSION } from '../version.ts';
import { writeWhole } from '../write-text.ts';

const FORMATS = ['text', 'json', 'github', 'sarif'] as const;
type Format = (typeof FORMATS)[number];

function nothingHere({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  const config = userConfigFolder(env);
  const isUsual = config === undefined || config === join(env['HOME'] ?? '', '.config');
  const folder = isUsual ? '~/.config/policy' : join(config, 'policy');
  const next =
    policyFolder(cwd) === 'policies'
      ? 'policy check policies checks a folder'
      : 'policy init writes a first one';
  return `No policy files in .policy here or above it, nor in ${printable(folder)}; ${next}`;
}

export const check = {
  operands: '[PATH]...',
  options: [
    hostsOption('Report what does not work on this agent; by default, on any agent'),
    ...optionsOf({
      '--fix': 'Apply the safe fixes, and show what is left',
      '--format FORMAT': [`${FORMATS.join(', ')}; text by default`, FORMATS],
      '--json': 'The same as --format json',
    }),
  ],
  details: [
    'A path is a file, a folder or builtin:NAME. The default is the policies in force here: those of the organisation and\nthe user, and the .policy folders from this directory up to the root of the outermost repository.',
    'It shows every problem in every file, runs the examples of all policies, and finds what is valid but suspicious:\npolicies that never match or never decide, loose patterns, missing reasons and tests, what agents cannot do.\ndocs/lint.md explains every code. A comment on the line or above it hides a finding: # policy-ignore CODE: reason',
    'The exit code is 3 if there is an error, 1 if there is a warning; notes leave it at 0.',
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
    let compiled = compileFor(io, args.operands);
    let diagnostics = diagnosticsOf(compiled, { named: args.operands, hosts, io });
    if (args.switches.has('fix')) {
      const fixed = fixFiles(diagnostics, compiled.texts, io.cwd);
      if (fixed.findings > 0) {
        io.stderr.write(
          `Fixed ${countOf(fixed.findings, 'finding')} in ${countOf(fixed.files.length, 'file')}\n`,
        );
        compiled = compileFor(io, args.operands);
        diagnostics = diagnosticsOf(compiled, { named: args.operands, hosts, io });
      }
    }
    const tests = brokenTests(compiled, args.operands, io);
    const found = [...diagnostics, ...tests.diagnostics, ...endedExceptions(compiled.program.rules)];
    const texts = new Map([...compiled.texts, ...tests.texts]);
    print(format, found, texts, countsOf(compiled, args.operands), io);
    return exitCodeOf(found);
  },
} satisfies Command;

function endedExceptions(rules: readonly Rule[]): readonly Diagnostic[] {
  return rules.flatMap(({ id, exceptions = [] }) =>
    exceptions
      .filter(({ endsMs }) => endsMs <= Date.now())
      .map(({ endsMs, position }) => {
        const message = `Cannot except calls from "${id}": the exception ended at ${new Date(endsMs).toISOString().slice(0, 16)}Z`;
        return note('exception', position, message, 'delete it, or write a later day');
      }),
  );
}

function exitCodeOf(diagnostics: readonly Diagnostic[]): number {
  if (errorsIn(diagnostics).length > 0) return EXIT_CODE.invalidPolicy;
  return diagnostics.some(({ severity }) => severity === 'warning') ? EXIT_CODE.findings : EXIT_CODE.ok;
}

function formatOf(args: Arguments): Format {
  const given = optionValue(args, 'format') ?? (args.switches.has('json') ? 'json' : 'text');
  return FORMATS.find((format) => format === given) ?? 'text';
}

function print(
  format: Format,
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<string, string>,
  counts: CheckedCounts,
  { stdout, env, cwd }: Io,
): void {
  switch (format) {
    case 'json':
      printJson(stdout, diagnosticsJson(diagnostics, counts));
      break;
    case 'sarif':
      printPlainJson(stdout, diagnosticsSarif(diagnostics, VERSION));
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
      const blocks = diagnosticsText(diagnostics, { paint, sourceOf: (file) => texts.get(file) });
      const nothing = counts.files === 0 && diagnostics.length === 0;
      const summary = nothing ? nothingHere({ env, cwd }) : summaryText(diagnostics, counts, paint);
      stdout.write(`${[...blocks, ...(blocks.length === 0 ? [] : ['']), summary].join('\n')}\n`);
      const topics = topicsOf(diagnostics).map((topic) => `policy docs ${topic}`);
      if (stdout.isTTY && topics.length > 0) stdout.write(`Read more: ${topics.join(', ')}\n`);
    }
  }
}

/** Counts the files that a person wrote or named, unreadable ones too, without the packs that every set has. */
function countsOf({ texts, program, diagnostics }: CompiledFiles, named: readonly string[]): CheckedCounts {
  const unreadable = diagnostics.flatMap(({ code, position }) => (code === 'file' ? [position.file] : []));
  const files = new Set(
    [...texts.keys(), ...unreadable].filter((file) => !isSharedFile(file) || named.includes(file)),
  );
  return { files: files.size, policies: program.rules.filter(({ layer }) => layer !== 'builtin').length };
}

interface Fixed {
  readonly findings: number;
  readonly files: readonly string[];
}

/** Makes the safe changes that findings offer. Where two meet, the second is left for another time. */
function fixFiles(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<string, string>,
  cwd: string,
): Fixed {
  const fixes = new Map<string, Fix[]>();
  for (const { fix, position } of diagnostics) {
    if (fix === undefined || isSharedFile(position.file)) continue;
    fixes.set(position.file, [...(fixes.get(position.file) ?? []), fix]);
  }
  const files: string[] = [];
  let findings = 0;
  for (const [file, wanted] of fixes) {
    const path = resolve(cwd, file);
    const read = readPolicyFile(path, undefined);
    // Somebody has changed it since it was checked.
    if (!read.ok || read.text !== texts.get(file)) continue;
    const { text, count } = withFixes(read.text, wanted);
    writeWhole(path, text);
    files.push(file);
    findings += count;
  }
  return { findings, files };
}
