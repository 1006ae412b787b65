import { createTrustStore, type TrustStore } from '../../../hook/state/trust-store.ts';
import { writtenFacts } from '../../../language/keys/history/before-texts.ts';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import { trustRecordOf } from '../../../language/policy/compile/trust.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { ProgramRows } from '../../../model/policy.ts';
import { type TrustReport, trustJson, trustText } from '../../report/trust.ts';
import { askYes } from '../ask.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { optionsOf, YES_OPTION } from '../options.ts';
import { compileFor, projectRoot } from '../policy-place.ts';
import { paintFor, printErrors, printJson } from '../print.ts';

export const trust = {
  options: [
    YES_OPTION,
    ...optionsOf({
      '--revoke': 'Stop trusting this project',
      '--json': 'Print what the set can do as JSON, and ask nothing',
    }),
  ],
  details: [
    'Policies of a project may always refuse. Anything else they do (approve, rewrite, answer in place of a tool, run a\nprogram, ask a judge) has no effect until you trust the set as it is now: read the list, then agree. The list is\ncomplete: which calls each policy matches, what it does, and what the project says about programs.',
    'If the set changes, calls that match the changed parts are refused until somebody trusts it again.',
  ],
  example: [
    '$ policy trust',
    '/home/me/project: does more than refuse',
    '  approve  build/allow-tests  .policy/build.yaml:4',
    '    on: [approve_tool]',
    '    tool: shell',
    '    arguments: {command: ^npm test$}',
    '    when_unknown: skip',
    '  respond  build/weather      .policy/build.yaml:12',
    '    on: [before_tool, approve_tool]',
    '    tool_matcher: weather',
    '    when_unknown: skip',
    '    run: {argv: [scripts/weather]}',
    'Trust them as they are now? [y/N] y',
    'Trusted /home/me/project',
  ],
  async run({ switches }, io) {
    const store = createTrustStore(io.env);
    const compiled = compileFor(io, []);
    if (switches.has('revoke')) return revoke(store, compiled, io);
    if (printErrors(compiled, io).length > 0) {
      io.stderr.write('\nCannot trust policies that cannot be loaded\n');
      return EXIT_CODE.invalidPolicy;
    }
    const reports = reportsOf(store, compiled);
    const pending = reports.filter(({ state }) => state !== 'trusted');
    if (switches.has('json')) printJson(io.stdout, trustJson(reports));
    else io.stdout.write(trustText(reports, paintFor(io.stdout, io.env)));
    if (pending.length === 0) return EXIT_CODE.ok;
    if (!switches.has('yes')) {
      if (switches.has('json')) return EXIT_CODE.ok;
      if (!io.stdin.isTTY)
        throw new UsageError('Cannot ask, because standard input is not a terminal: agree with --yes');
      if (!(await askYes('Trust them as they are now?', io))) return EXIT_CODE.findings;
    }
    for (const set of compiled.trustSets) store.record(set.root, trustRecordOf(set));
    if (!switches.has('json')) io.stdout.write(pending.map(({ root }) => `Trusted ${root}\n`).join(''));
    return EXIT_CODE.ok;
  },
} satisfies Command;

function reportsOf(store: TrustStore, { trustSets, program }: CompiledFiles): readonly TrustReport[] {
  const programs = program.programs === undefined ? {} : programsIn(program.programs);
  return trustSets.map((set) => {
    const record = store.trusted(set.root);
    const state = record === undefined ? 'new' : record.digest === set.digest ? 'trusted' : 'changed';
    const own = set.rules.filter(({ unset }) => unset === undefined);
    const rules = own
      .flatMap(({ index }) => program.rules[index] ?? [])
      .map((rule) => ({ ...rule, when: writtenFacts(rule.when, program.facts ?? []) }));
    return { root: set.root, digest: set.digest, state, rules, settings: set.settings ?? {}, programs };
  });
}

/** Programs as they are kept: a line for each, its name and its row. */
function programsIn({ added, others = [] }: ProgramRows): JsonObject {
  const rows = [added, ...others]
    .join('')
    .split('\n')
    .filter((line) => line !== '');
  return Object.fromEntries(
    rows.map((line) => {
      const tab = line.indexOf('\t');
      return [line.slice(0, tab), JSON.parse(line.slice(tab + 1)) as JsonObject];
    }),
  );
}

function revoke(store: TrustStore, { trustSets }: CompiledFiles, io: Io): number {
  const roots = new Set([projectRoot(io.cwd), ...trustSets.map(({ root }) => root)]);
  const revoked = [...roots].filter((root) => store.revoke(root));
  if (revoked.length === 0) io.stdout.write(`Nothing of ${projectRoot(io.cwd)} was trusted\n`);
  else io.stdout.write(revoked.map((root) => `Took back the trust in ${root}\n`).join(''));
  return EXIT_CODE.ok;
}
