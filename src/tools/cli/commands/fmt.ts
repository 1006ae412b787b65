import { createTrustStore } from '../../../hook/state/trust-store.ts';
import { documentKind, projectOf } from '../../../language/policy/files/document-kind.ts';
import { readPolicyFile } from '../../../language/policy/files/read-file.ts';
import { type FormatResult, formatYaml } from '../../../language/policy/format/format-yaml.ts';
import type { Layout } from '../../../language/policy/format/layout.ts';
import { policyLayout } from '../../../language/policy/format/policy-layout.ts';
import { parsePolicyFile } from '../../../language/policy/parse/parse.ts';
import { hasOwnSection } from '../../../language/policy/schema/sections.ts';
import { problem, startOf } from '../../../language/policy/yaml/problem.ts';
import { parseYaml } from '../../../language/policy/yaml/yaml.ts';
import { isJsonObject, type Json, ownItems } from '../../../lib/json.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { countOf } from '../../report/layout/quantity.ts';
import { TEST_LAYOUT } from '../../suite/cases/test-layout.ts';
import type { Command } from '../command.ts';
import { findYamlFiles, type YamlFile } from '../fmt/find-yaml-files.ts';
import { EXIT_CODE, type Io } from '../io.ts';
import { optionsOf } from '../options.ts';
import { projectRoot } from '../policy-place.ts';
import { printDiagnostics } from '../print.ts';
import { readInput } from '../read-input.ts';
import { writeWhole } from '../write-text.ts';

export const fmt = {
  operands: '[PATH|-]...',
  options: optionsOf({ '--check': 'Write nothing; exit with 1 if a file would change' }),
  details: [
    'A path is a policy file, a test file or a folder. The default is .policy or policies in this directory, else the\nnearest .policy above it. "-" formats standard input to standard output.',
    'It orders keys, removes needless quotes, and evens out indentation and blank lines. It never changes meaning or\ncomments: a file that it cannot rewrite safely stays the same, and the exit code is 1.',
  ],
  example: ['$ policy fmt .policy', 'Formatted .policy/git.yaml', '1 file formatted, 3 files unchanged'],
  async run({ operands, switches }, io) {
    const check = switches.has('check');
    if (operands.length === 1 && operands[0] === '-') return formatInput(check, io);
    const files = findYamlFiles(operands, io.cwd);
    const outcomes = new Map(files.map((each) => [each, formatFile(each, check, io)]));
    const written = check ? [] : files.filter((each) => outcomes.get(each) === 'changed');
    return report(
      [...outcomes.values()].flatMap((each) => each ?? []),
      changedTrust(written, io),
      check,
      io,
    );
  },
} satisfies Command;

type Outcome =
  | 'changed'
  | 'same'
  | 'left'
  | { readonly broken: readonly Diagnostic[]; readonly text: string };

/** The outcome; undefined for a file of a folder that is about something else. */
function formatFile(file: YamlFile, check: boolean, io: Io): Outcome | undefined {
  const read = readPolicyFile(file.path, undefined);
  if (!read.ok) {
    const message = `Cannot read file "${file.file}": ${read.cause}`;
    return { broken: [problem('file', startOf(file.file), message)], text: '' };
  }
  const layout = layoutOf(file, read.text);
  if (layout === undefined && !file.isNamed) return undefined;
  if (layout === undefined) {
    const cause = documentCause(read.text, file.file);
    io.stderr.write(`Left ${file.file} as it is: ${cause}\n`);
    return 'left';
  }
  const result = formatYaml(read.text, file.file, layout);
  switch (result.type) {
    case 'broken':
      return { broken: result.diagnostics, text: read.text };
    case 'left':
      io.stderr.write(`Left ${file.file} as it is: ${result.cause}\n`);
      return 'left';
    case 'formatted':
      if (result.text === read.text) return 'same';
      if (!check) writeWhole(file.path, result.text);
      io.stdout.write(check ? `Not formatted: ${file.file}\n` : `Formatted ${file.file}\n`);
      return 'changed';
    default:
      return result satisfies never;
  }
}

/** Tests are read only from files that are named so. */
function documentCause(text: string, file: string): string {
  const value = parseYaml(text, file).document?.value;
  return isJsonObject(value) && Object.hasOwn(value, 'cases')
    ? 'its name is not that of a test; name it *.test.yaml'
    : 'it has neither policies nor tests';
}

/** Undefined for a file that is about something else. */
function layoutOf({ file, path, isNamed }: YamlFile, text: string): Layout | undefined {
  const value = parseYaml(text, file).document?.value;
  const isOwn = isNamed && isJsonObject(value);
  if (/\.test\.ya?ml$/.test(file))
    return isOwn ||
      value === undefined ||
      (documentKind(path, text) === 'test' && looksLikeTests(value, path))
      ? TEST_LAYOUT
      : undefined;
  // As explain --steps takes them.
  if (isOwn && Array.isArray(value['steps']) && !hasOwnSection(value)) return TEST_LAYOUT;
  // A file that cannot be read is shown with its problems.
  if (value === undefined && /\.ya?ml$/.test(file)) return policyLayout();
  return (isOwn && hasOwnSection(value)) || looksLikePolicies(value, path, text) ? policyLayout() : undefined;
}

/** Other tools have version 1 and some of our sections as well: outside of our own folder the rest has to fit, too. */
function looksLikePolicies(value: Json | undefined, path: string, text: string): boolean {
  if (!isJsonObject(value) || value['version'] !== 1 || !hasOwnSection(value)) return false;
  if (projectOf(path) !== undefined) return true;
  const keys = policyLayout().keysAt(['policies', 0]) ?? [];
  const policies = ownItems(value, 'policies').filter(isJsonObject).map(Object.keys);
  if (policies.some((own) => own.length > 1 && own.includes('id') && own.every((key) => keys.includes(key))))
    return true;
  const { extends: extended, ...rest } = value;
  const isOurs = hasOwnSection(rest) || /\b(?:builtin:|git\+)/.test(JSON.stringify(extended));
  return isOurs && parsePolicyFile(text, path, 'a').diagnostics.length === 0;
}

/** Other tools have cases as well, but not what ours are about. */
function looksLikeTests(value: Json, path: string): boolean {
  if (!isJsonObject(value) || projectOf(path) !== undefined) return true;
  return ownItems(value, 'cases').some(
    (item) =>
      isJsonObject(item) &&
      ['call', 'calls', 'expect', 'steps', 'stdin', 'matrix'].some((key) => Object.hasOwn(item, key)),
  );
}

/** The projects with files among these that were trusted as they were before. */
function changedTrust(files: readonly YamlFile[], io: Io): readonly string[] {
  const policies = files.filter(
    ({ path }) => /[/\\]\.policy[/\\]/.test(path) && !/\.test\.ya?ml$/.test(path),
  );
  const roots = new Set(policies.map(({ path }) => projectRoot(path.split(/[/\\]\.policy[/\\]/)[0] ?? path)));
  const store = createTrustStore(io.env);
  return [...roots].filter((root) => store.trusted(root) !== undefined);
}

function report(outcomes: readonly Outcome[], untrusted: readonly string[], check: boolean, io: Io): number {
  const broken = outcomes.filter((outcome) => typeof outcome === 'object');
  for (const { broken: diagnostics, text } of broken) printDiagnostics(diagnostics, () => text, io);
  const changed = outcomes.filter((outcome) => outcome === 'changed').length;
  const left = outcomes.filter((outcome) => outcome === 'left').length;
  const same = outcomes.length - changed - broken.length - left;
  const others = left === 0 ? '' : `; left ${countOf(left, 'file')} alone`;
  io.stdout.write(`${summary(changed, same, check)}${others}\n`);
  for (const root of untrusted)
    io.stdout.write(`The policies of ${root} were trusted as they were: run policy trust there\n`);
  if (broken.length > 0) return EXIT_CODE.invalidPolicy;
  return (check && changed > 0) || outcomes.includes('left') ? EXIT_CODE.findings : EXIT_CODE.ok;
}

function summary(changed: number, same: number, check: boolean): string {
  if (!check) return `${countOf(changed, 'file')} formatted, ${countOf(same, 'file')} unchanged`;
  if (changed === 0) return `${countOf(same, 'file')} checked, nothing to format`;
  return `${countOf(changed, 'file')} not formatted, ${countOf(same, 'file')} fine; policy fmt writes them`;
}

async function formatInput(check: boolean, io: Io): Promise<number> {
  const text = await readInput('-', 'the file', io);
  const value = parseYaml(text, '-').document?.value;
  const isTest = isJsonObject(value) && ['cases', 'steps'].some((key) => Object.hasOwn(value, key));
  const result: FormatResult = formatYaml(text, '-', isTest ? TEST_LAYOUT : policyLayout());
  if (result.type === 'broken') {
    printDiagnostics(result.diagnostics, () => text, io);
    return EXIT_CODE.invalidPolicy;
  }
  if (result.type === 'left') io.stderr.write(`Left as it is: ${result.cause}\n`);
  const formatted = result.type === 'left' ? text : result.text;
  if (!check) io.stdout.write(formatted);
  return result.type === 'left' || (check && formatted !== text) ? EXIT_CODE.findings : EXIT_CODE.ok;
}
