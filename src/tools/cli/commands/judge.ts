import type { Command } from '../command.ts';
import { UsageError } from '../io.ts';
import { optionsOf, policiesOption } from '../options.ts';

export const judge = {
  operands: 'eval FILE | record [PATH]... | cache stats|clear',
  options: [
    policiesOption('eval: use the judges of these policies instead of those found for this directory'),
    ...optionsOf({
      '--policy ID': 'eval: ask only the judge of this policy',
      '--model NAME': 'eval, record: ask this model instead of the configured one',
      '--compare MODEL MODEL': 'eval: ask both models and compare them',
      '--price IN,OUT': 'eval: the price of a million input and output tokens',
      '-j, --jobs N': 'eval: how many calls run at once; 4 by default',
      '--results FILE': 'eval: save results to this file, and resume from it',
      '--fresh': 'eval: ask again even if a verdict is cached',
      '--judges FILE': 'record: the file whose "judges" section configures them',
      '--from-tests': 'record: take the verdicts that the tests expect; ask no model',
      '--again': 'record: ask again even if a verdict is recorded',
      '--json': 'eval, cache: print JSON',
    }),
  ],
  details: [
    'eval asks the judges of policies with "type: llm_judge" about labelled calls: JSON lines, each a call with "label"\nand "category", or a *.test.yaml file whose cases expect an action. A false approval is a call that the label\nrefuses and the judge lets through.',
    'record stores the verdicts that tests need in verdicts.json next to them, so that policy test asks no model.',
    'cache manages the verdicts in the state file, not those in Redis.',
  ],
  example: [
    '$ policy judge eval calls.jsonl --policies .policy/judged.yaml',
    'model                  qwen3:8b',
    'accuracy                 97.0 %',
    'calls asked about           200',
    'false approvals               1',
    '…',
    '$ policy judge record policies/ambiguous-shell --judges ~/.config/policy/judges.yaml',
    '$ policy judge cache stats',
  ],
  async run(args, io) {
    const [task, ...operands] = args.operands;
    switch (task) {
      case 'eval':
        return (await import('../judge/eval.ts')).evaluateJudges(operands, args, io);
      case 'record':
        return (await import('../judge/record.ts')).recordVerdicts(operands, args, io);
      case 'cache':
        return (await import('../judge/cache.ts')).manageCache(operands, args, io);
      default: {
        const what = task === undefined ? 'name what to do' : `Cannot do "${task}"`;
        throw new UsageError(`${what}: write eval FILE, record [PATH]..., cache stats or cache clear`);
      }
    }
  },
} satisfies Command;
