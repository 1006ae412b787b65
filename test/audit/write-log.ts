// Run by decision-log.slow.test.ts as a process of its own: logs `count` decisions, each with an input that names this process.
import { openDecisionLog } from '../../src/hook/audit/decision-log.ts';
import { noOpinion } from '../../src/model/decision.ts';
import { toolEvent } from '../support/builders.ts';

const [folder = '', name = '', count = '0', mode = '', maxBytes = '0'] = process.argv.slice(2);
const log = openDecisionLog({
  folder: () => folder,
  buffered: mode === 'buffered',
  keep: 1_000,
  onProblem: (problem) => {
    console.error(problem);
    process.exit(1);
  },
  ...(maxBytes === '0' ? {} : { maxBytes: Number(maxBytes) }),
});
for (let i = 0; i < Number(count); i++) {
  log.log({
    host: name,
    event: toolEvent('t', {}),
    outcome: { decision: noOpinion(), hits: [], skipped: [], trace: [] },
    digest: undefined,
    durationUs: i,
    failed: undefined,
    input: {
      message: { n: i, padding: 'ü'.repeat(i % 50) },
      version: undefined,
      interactive: false,
      cwd: '/',
    },
  });
}
log.close();
