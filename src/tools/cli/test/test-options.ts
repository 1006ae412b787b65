import { compileRegex, RegexError } from '../../../lib/regex/regex.ts';
import { TEST_FORMATS, type TestFormat } from '../../report/test/test-reporters.ts';
import { type Arguments, type OptionSpec, optionValue } from '../args.ts';
import { UsageError } from '../io.ts';
import { numberOption, optionsOf } from '../options.ts';

export interface TestOptions {
  readonly format: TestFormat;
  /** As written; undefined if everything is wanted. */
  readonly filter: { readonly text: string; readonly fits: (name: string) => boolean } | undefined;
  /** The git revision to compare with; undefined if changes do not matter. */
  readonly changedSince: string | undefined;
  readonly bail: boolean;
  readonly seed: number | undefined;
  readonly watch: boolean;
  readonly update: boolean;
  readonly mutate: boolean;
  /** True to list the parts that were not reached. */
  readonly coverage: boolean;
  /** Percent that policies and alternatives must reach. */
  readonly minCoverage: number | undefined;
  readonly lcov: string | undefined;
  readonly html: string | undefined;
}

export const TEST_OPTIONS: readonly OptionSpec[] = optionsOf({
  '-f, --filter TEXT': 'Only cases whose file and name contain this text or match /regex/',
  '--changed[=REV]': 'Only suites that differ from this git revision; HEAD by default',
  '--bail': 'Stop at the first failure',
  '--seed N': 'Shuffle the order with this seed',
  '-w, --watch': 'Rerun what changes, until interrupted',
  '--update': 'Record the outputs that cases with "stdin" expect',
  '--coverage': 'List policies and alternatives that no case reaches',
  '--min-coverage PERCENT': 'Fail if coverage of policies or alternatives is lower',
  '--lcov FILE': 'Write coverage in LCOV format',
  '--html FILE': 'Write coverage as an HTML page',
  '--mutate': 'Weaken the policies step by step, and list the changes that no case notices',
  '--format FORMAT': [`${TEST_FORMATS.join(', ')}; text by default`, TEST_FORMATS],
  '--json': 'The same as --format json',
});

/** @throws UsageError for values that cannot be used, and for options that exclude each other */
export function testOptions(args: Arguments): TestOptions {
  const changed = optionValue(args, 'changed') ?? (args.switches.has('changed') ? 'HEAD' : undefined);
  const options: TestOptions = {
    format: formatOf(args),
    filter: filterOf(optionValue(args, 'filter')),
    changedSince: changed,
    bail: args.switches.has('bail'),
    seed: numberOption(args, 'seed', { from: 0, to: 999_999_999 }),
    watch: args.switches.has('watch'),
    update: args.switches.has('update'),
    mutate: args.switches.has('mutate'),
    coverage: args.switches.has('coverage'),
    minCoverage: numberOption(args, 'min-coverage', { from: 0, to: 100, whole: false }),
    lcov: optionValue(args, 'lcov'),
    html: optionValue(args, 'html'),
  };
  const excluded = (['watch', 'update', 'bail', 'coverage'] as const).find(
    (name) => options.mutate && options[name],
  );
  if (excluded !== undefined) throw new UsageError(`Cannot use --mutate with --${excluded}`);
  if (options.mutate && options.format !== 'text' && options.format !== 'json' && options.format !== 'github')
    throw new UsageError(`Cannot use --mutate with --format ${options.format}: give text, json or github`);
  if (options.watch && options.format !== 'text') throw new UsageError('Cannot use --watch with --format');
  return options;
}

function formatOf(args: Arguments): TestFormat {
  const given = optionValue(args, 'format') ?? (args.switches.has('json') ? 'json' : 'text');
  return TEST_FORMATS.find((format) => format === given) ?? 'text';
}

function filterOf(text: string | undefined): TestOptions['filter'] {
  if (text === undefined) return undefined;
  const [, source] = /^\/(.+)\/$/s.exec(text) ?? [];
  if (source === undefined) return { text, fits: (name) => name.includes(text) };
  try {
    const regex = compileRegex(source);
    return { text, fits: (name) => regex.test(name) === true };
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    throw new UsageError(`Cannot use --filter "${text}": ${error.message}`);
  }
}
