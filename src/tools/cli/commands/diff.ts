import { type Comparison, compareCalls } from '../../compare/comparison.ts';
import { type DeclaredChange, declaredChanges } from '../../compare/declared-changes.ts';
import type { KnownCall } from '../../compare/sample.ts';
import { diffJson, diffText } from '../../report/history/diff-text.ts';
import { printable } from '../../report/layout/printable.ts';
import { countOf } from '../../report/layout/quantity.ts';
import type { Arguments } from '../args.ts';
import type { Command } from '../command.ts';
import { countByRepository } from '../diff/by-repository.ts';
import { COMPARISON_OPTIONS, isByTests, knownCalls, readsHistory } from '../diff/known-calls.ts';
import {
  asLogged,
  createSetOpener,
  deciderFor,
  deciderOf,
  type PolicySide,
  reportSetErrors,
} from '../diff/open-set.ts';
import { EXIT_CODE, UsageError } from '../io.ts';
import { optionsOf } from '../options.ts';
import { engineLookup, reportErrors } from '../past/engine-lookup.ts';
import { recordingPlace, reportUnjudged } from '../past/recorded-calls.ts';
import { policyFolder } from '../policy-place.ts';
import { paintFor, printJson } from '../print.ts';

export const diff = {
  operands: '[[OLD] NEW]',
  isLong: true,
  options: [
    ...COMPARISON_OPTIONS,
    ...optionsOf({
      '--by repository': [
        'Plan a rollout: count what NEW would refuse, all of it in force, in each repository',
        ['repository'],
      ],
      '--json': 'Print JSON',
    }),
  ],
  details: [
    'OLD and NEW are files, folders, builtin:NAME, or git:REV[:PATH], a revision of this repository; without PATH, it\nuses the path of the other side. Each side is loaded as if named with --policies.',
    'Without OLD, it compares with the logged decisions. Without NEW, it decides by the policies that the hook finds for\neach session, or with --by repository, counts the logged matches of policies in monitor mode and of canaries outside\ntheir share.',
    'The calls of tests are the examples and test cases of both sides. Those of the log are decided again, in order, if\ntheir messages were kept (policy install --log-input), without secrets. A line of a file is a bare call, an agent\nmessage, or a record of a decision log. Repeat --calls for several.',
    'It lists the calls decided differently: loosened first, then changed, then tightened. An approval is looser than no\nopinion. The exit code is 1 if something was loosened.',
  ],
  example: [
    '$ policy diff git:main .policy',
    'loosened  git/no-force-push  2 calls',
    '  deny → continue  shell git push -f            git:main:.policy/git.yaml:12',
    '  deny → continue  shell git push origin +main  .policy/git.test.yaml:31',
    '',
    '2 loosened of 48 calls',
    '$ policy diff --calls log --by repository --since 14d',
    'policy           action  calls  sessions  repositories',
    'team/no-publish  deny       12         5  github.com/acme/shop',
    '…',
    'repository            calls  would be refused',
    'github.com/acme/site    304  0',
    'github.com/acme/shop    812  12 (1.5 %)',
  ],
  async run(args, io) {
    const named = sidesIn(args);
    const { older, newer } = named;
    if (older?.startsWith('git:') === false && newer?.startsWith('git:') === true)
      io.stderr.write(
        `Going back to ${printable(newer)}, since OLD comes first; for what ${printable(older)} changes, name it second\n`,
      );
    const opener = createSetOpener(io);
    try {
      const usual = policyFolder(io.cwd) ?? '.';
      const before = named.older === undefined ? undefined : opener.open(named.older, named.newer ?? usual);
      const after = named.newer === undefined ? undefined : opener.open(named.newer, named.older ?? usual);
      const sides = [after, before].filter((side) => side !== undefined);
      if (reportSetErrors(sides, io)) return EXIT_CODE.invalidPolicy;
      const engines = engineLookup([], io);
      const place = recordingPlace(
        io,
        (program) =>
          sides.find(({ compiled }) => compiled.program === program)?.compiled.inForce ??
          engines.filesOf(program),
      );
      const calls = await knownCalls(args, sides, place, io);
      if (args.values.has('by')) return countByRepository(calls, { before, after }, args, io);
      const newer =
        after === undefined ? deciderFor((call) => engines.of(call.cwd ?? io.cwd)) : deciderOf(after);
      const comparison = compareCalls(
        calls,
        before === undefined ? asLogged : deciderOf(before),
        newer,
        readsHistory(sides),
      );
      if (engines.errors().length > 0) return reportErrors(engines, io);
      const left = calls.filter(({ sample }) => sample === undefined).length;
      const isFailed = ({ sample, record, early }: KnownCall) =>
        sample !== undefined && record?.failed !== undefined && early !== true;
      const failed = before === undefined ? calls.filter(isFailed).length : 0;
      if (comparison.judged === 0) throw new UsageError(nothingToCompare(args, left));
      reportUnjudged(left, io);
      if (failed > 0) io.stderr.write(`Left out ${countOf(failed, 'decision')} that a failure took\n`);
      const unseen = unseenChanges(before, after, comparison);
      if (args.switches.has('json')) {
        const declared = unseen.map(({ kind, what, parts }) => ({
          kind,
          what,
          parts: parts.map(({ name }) => name),
        }));
        printJson(io.stdout, diffJson(comparison, { without_message: left, failed, declared }));
      } else {
        const verbose = args.switches.has('verbose');
        const paint = paintFor(io.stdout, io.env);
        io.stdout.write(diffText(comparison, { paint, verbose, unseen }));
      }
      const isLooser = comparison.differences.some(({ change }) => change === 'loosened');
      return isLooser ? EXIT_CODE.findings : EXIT_CODE.ok;
    } finally {
      opener.close();
    }
  },
} satisfies Command;

/** The differences between two sets that no call has shown. */
function unseenChanges(
  before: PolicySide | undefined,
  after: PolicySide | undefined,
  { differences }: Comparison,
): readonly DeclaredChange[] {
  if (before === undefined || after === undefined) return [];
  const seen = new Set(differences.map(({ policy }) => `policy ${policy}`));
  return declaredChanges(before.compiled.declared, after.compiled.declared).filter(
    ({ what }) => !seen.has(what),
  );
}

interface NamedSides {
  readonly older: string | undefined;
  readonly newer: string | undefined;
}

function sidesIn(args: Arguments): NamedSides {
  const [first, second, ...others] = args.operands;
  if (others.length > 0)
    throw new UsageError(`Cannot compare "${others[0]}" as well: name two sets of policies, OLD and NEW`);
  if (second === undefined && isByTests(args))
    throw new UsageError(
      'Cannot compare by tests: name two sets of policies, OLD and NEW, or other calls, as with --calls log',
    );
  return second === undefined ? { older: undefined, newer: first } : { older: first, newer: second };
}

function nothingToCompare(args: Arguments, left: number): string {
  const what = isByTests(args) ? 'no examples and no test cases' : 'none that can be judged again';
  const hint = left === 0 ? '' : '; policy install --log-input keeps the messages that this needs';
  return `Cannot compare: there are no calls to judge, ${what}${hint}`;
}
