import type { Command } from '../command.ts';
import { UsageError } from '../usage-error.ts';

export const rollout = {
  operands: 'plan [SET]',
  options: [
    {
      name: 'log-file',
      value: 'FILE',
      repeatable: true,
      summary: 'Read this decision log instead of your own; repeat for several',
    },
    { name: 'since', value: 'WHEN', summary: 'Only decisions since then: 30m, 24h, 7d, 2w or a date' },
    { name: 'verbose', short: 'v', summary: 'List every call that is known' },
    { name: 'json', summary: 'Print JSON' },
  ],
  details: [
    'Without SET, it finds in the log what policies in monitor mode, or canaries outside their share, would have refused.',
    'SET is a file, a folder, builtin:NAME, or git:REV[:PATH]. It then decides the logged calls whose messages were kept\n(policy hook --log-input) by SET alone, as if all of it were in force.',
    'Repositories with the fewest refusals come first: begin with them.',
  ],
  example: [
    '$ policy rollout plan --since 14d',
    'team/no-publish  deny  github.com/acme/shop  12 calls in 5 sessions  last 2026-11-20T09:38:00.123Z',
    '  9  gemini run_shell_command npm publish --tag next',
    '  3  gemini run_shell_command npm unpublish shop@1.0.0',
    '',
    'repository            decisions  would be refused',
    'github.com/acme/site        304  0',
    'github.com/acme/shop        812  12 (1.5 %)',
    '',
    '12 of 1,116 decisions (1.1 %) would have been refused, in 1 of 2 repositories',
  ],
  async run(args, io) {
    const [task, ...operands] = args.operands;
    if (task === 'plan') return (await import('../rollout/plan.ts')).planRollout(operands, args, io);
    const what = task === undefined ? 'name what to do' : `Cannot do "${task}"`;
    throw new UsageError(`${what}: write plan [SET]`);
  },
} satisfies Command;
