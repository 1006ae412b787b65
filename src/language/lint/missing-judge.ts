import { didYouMean } from '../../lib/closest.ts';
import { own } from '../../lib/json.ts';
import type { Finding, LintedPolicy, LintRule } from './lint-rule.ts';

/** The judge of policies that name none, as the packs do: whose it is, is for each user to say. */
const USERS_OWN = 'default';

/** Judges that no file says where they are: the hook refuses every call that they would be asked about. */
export const missingJudge = {
  codes: ['bad-value'],
  check: ({ program }) => {
    const names = program.rules.flatMap(({ judge }) =>
      judge === undefined || judge.endpoint === null ? [] : [judge.name],
    );
    const reported = new Set<string>();
    return (policy) => {
      const finding = findingOf(policy, names);
      const judge = `${policy.source.file}\0${policy.rule.judge?.name}`;
      // One definition fixes all policies that name it.
      if (finding === undefined || reported.has(judge)) return [];
      reported.add(judge);
      return [finding];
    };
  },
} as const satisfies LintRule;

function findingOf({ rule, source }: LintedPolicy, known: readonly string[]): Finding | undefined {
  const { judge, id } = rule;
  // In monitor mode nobody is asked.
  if (judge === undefined || judge.endpoint !== null || rule.mode === 'monitor') return undefined;
  const { name } = judge;
  const key = own(source.written, 'judge') === undefined ? 'type' : 'judge';
  const message = `Cannot ask judge "${name}" of policy "${id}": no file here says where it is`;
  const define =
    'define it under "judges" in a file of the user or the organisation; until then "on_error" decides';
  return {
    severity: name === USERS_OWN ? 'note' : 'warning',
    path: [key],
    message,
    hint: didYouMean(name, known, define),
  };
}
