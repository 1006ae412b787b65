import { diffJson } from '../../report/diff-json.ts';
import { diffText } from '../../report/diff-text.ts';
import type { Command } from '../command.ts';
import { COMPARISON_OPTIONS, compareSides, noSamples, samplesFor } from '../diff/compare-sides.ts';
import { createSetOpener } from '../diff/open-set.ts';
import { reportSetErrors } from '../diff/report-set-errors.ts';
import { EXIT_CODE } from '../exit-code.ts';
import { paintFor, printJson } from '../print.ts';
import { UsageError } from '../usage-error.ts';

export const diff = {
  operands: 'OLD NEW',
  options: [...COMPARISON_OPTIONS, { name: 'json', summary: 'Print JSON' }],
  details: [
    'OLD and NEW are files, folders, builtin:NAME, or git:REV[:PATH], a revision of this repository; without PATH, it\nuses the path of the other side. Each side is loaded as if named with --policies.',
    'Without --calls and --log, the calls are the examples and test cases of both sides. A line of FILE is a bare call, a\nhost message, or a record of the decision log.',
    'It lists the calls decided differently: loosened first, then changed, then tightened. An approval is looser than no\nopinion. The exit code is 1 if something was loosened.',
  ],
  example: [
    '$ policy diff git:main .policy',
    'loosened  git/no-force-push  2 calls',
    '  deny → continue  shell git push -f            git:main:.policy/git.yaml:12',
    '  deny → continue  shell git push origin +main  .policy/git.test.yaml:31',
    '',
    '2 loosened of 48 calls',
  ],
  async run(args, io) {
    const [older, newer, ...others] = args.operands;
    if (older === undefined || newer === undefined || others.length > 0)
      throw new UsageError('Cannot compare: name two sets of policies, OLD and NEW');
    const opener = createSetOpener(io);
    try {
      const before = opener.open(older, newer);
      const after = opener.open(newer, older);
      if (reportSetErrors([before, after], io)) return EXIT_CODE.invalidPolicy;
      const samples = await samplesFor(args, before, after, io);
      if (samples.length === 0)
        throw new UsageError(`Cannot compare: there are no calls to judge, ${noSamples(args)}`);
      const comparison = compareSides(samples, before, after);
      if (args.switches.has('json')) printJson(io.stdout, diffJson(comparison));
      else {
        const verbose = args.switches.has('verbose');
        io.stdout.write(diffText(comparison, { paint: paintFor(io.stdout, io.env), verbose }));
      }
      const isLooser = comparison.differences.some(({ change }) => change === 'loosened');
      return isLooser ? EXIT_CODE.findings : EXIT_CODE.ok;
    } finally {
      opener.close();
    }
  },
} satisfies Command;
