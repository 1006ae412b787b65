import fc from 'fast-check';
import { HOSTS } from '../../src/hosts/registry.ts';
import { answerMessage } from '../../src/language/calls/answer-call.ts';
import { surroundingsAt } from '../../src/language/calls/bare-event.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import { program, rule } from '../support/builders.ts';
import { CWD, READING_ORACLES, type ReadingOracle, spellings } from './reading-oracles.ts';
import { settingOf } from './transcripts.ts';

const GUARDED = createEngine(
  program([
    rule({ action: 'deny', whenUnknown: 'skip', when: { path: { match: '**/.policy/**', uses: 'write' } } }),
  ]),
);

function isRefused({ host: name, tool, call }: ReadingOracle, spelled: string): boolean {
  const host = HOSTS.find((each) => each.name === name);
  if (host === undefined) throw new Error(`Cannot ask "${name}": no such host`);
  const session = { engine: GUARDED, memory: NO_MEMORY, surroundings: () => surroundingsAt(CWD) };
  const asked = { on: 'before_tool', tool, arguments: call(spelled), context: { cwd: CWD } } as const;
  return answerMessage(host.compose(asked), host, settingOf(), session).decision.action === 'deny';
}

/** A spelling of a guarded path that a host reads as one and the reading does not, or of a harmless one that is refused. */
export function missedSpelling(seed: number, runs: number): string | undefined {
  const property = fc.property(fc.constantFrom(...READING_ORACLES), spellings, (oracle, spell) => {
    const guarded = spell('.policy/x.yaml');
    const reaches = oracle.files(guarded).some((file) => /\/\.policy\/./s.test(file));
    return (!reaches || isRefused(oracle, guarded)) && !isRefused(oracle, spell('docs/x.yaml'));
  });
  const { failed, counterexample } = fc.check(property, { seed, numRuns: runs });
  if (!failed || counterexample === null) return undefined;
  const [{ host, tool, call }, spell] = counterexample;
  return `${host} ${tool} ${JSON.stringify([call(spell('.policy/x.yaml')), call(spell('docs/x.yaml'))])}`;
}
