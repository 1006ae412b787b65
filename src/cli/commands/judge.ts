import type { Command } from '../command.ts';
import { UsageError } from '../usage-error.ts';

export const judge = {
  operands: 'eval FILE | record [PATH]... | cache stats|clear',
  options: [
    {
      name: 'policies',
      value: 'PATH',
      repeatable: true,
      summary: 'eval: take judges from these instead of those found for this directory',
    },
    { name: 'policy', value: 'ID', summary: 'eval: ask the judge of this policy only' },
    {
      name: 'model',
      value: 'NAME',
      summary: 'eval, record: ask this model instead of the one that is set up',
    },
    {
      name: 'compare',
      value: 'MODEL MODEL',
      pair: true,
      summary: 'eval: ask both models and show them side by side',
    },
    {
      name: 'price',
      value: 'IN,OUT',
      summary: 'eval: what a million tokens cost, of questions and of answers',
    },
    { name: 'jobs', short: 'j', value: 'N', summary: 'eval: calls under way at once; 4 unless given' },
    { name: 'results', value: 'FILE', summary: 'eval: keep each result in this file, and go on from it' },
    { name: 'fresh', summary: 'eval: ask again where a verdict is kept' },
    { name: 'html', value: 'FILE', summary: 'eval: write a page with the disagreements first' },
    { name: 'judges', value: 'FILE', summary: 'record: the file with "judges" that says where they are' },
    {
      name: 'from-tests',
      summary: 'record: take the verdicts that the tests expect, without asking anybody',
    },
    { name: 'again', summary: 'record: ask also where a verdict is recorded' },
    { name: 'json', summary: 'eval, cache: print data; "version" names its shape' },
  ],
  details: [
    'eval asks the judges of policies with "type: llm_judge" about labelled calls: JSON lines, each a call with\n"label" and "category", or a *.test.yaml file whose cases expect an action. False approvals are what the label\nrefuses and the judge lets pass.',
    'record keeps the verdicts that tests need in verdicts.json beside them, so that "policy test" asks nobody.',
    'cache is about the verdicts kept in the state file, not about those in Redis.',
  ],
  example: [
    '$ policy judge eval calls.jsonl --policies .policy/judged.yaml --html report.html',
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
