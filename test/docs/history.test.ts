import { expect, test } from 'bun:test';
import { HOSTS } from '../../src/hosts/registry.ts';
import { type ReportedHistory, rememberedOf } from '../../src/language/lint/history-limits.ts';
import { FACT_OUTCOMES, HIDING_REASONS } from '../../src/model/history.ts';
import { expectMarkedText, pageText } from './markdown.ts';
import { table } from './tables.ts';

const PAGE = 'docs/history.md';

const RESULTS: Readonly<Record<ReportedHistory['results'], string>> = {
  id: 'by the id of the call',
  arguments: 'by their arguments',
  tool: 'by their tool, if one such call is open',
  nothing: 'none',
};

function outcomes({ results, succeeded, failed }: ReportedHistory): string {
  if (results === 'nothing') return '–';
  const known = [...(succeeded ? ['`succeeded`'] : []), ...(failed ? ['`failed`'] : [])];
  return ['`done`', ...known].join(' ');
}

const TURNS: Readonly<Record<ReportedHistory['turns'], string>> = {
  names: 'named',
  prompts: 'a prompt starts one',
  nothing: 'not known',
};

test('docs/history.md has what each host tells of earlier calls', () => {
  const rows = HOSTS.map((host) => {
    const known = rememberedOf(host);
    return [host.title, RESULTS[known.results], outcomes(known), TURNS[known.turns]];
  });
  expectMarkedText(PAGE, 'host-history', table(['agent', 'results', 'outcomes', 'turns'], rows));
});

test('docs/history.md names every outcome', () => {
  const text = pageText(PAGE);
  expect(FACT_OUTCOMES.filter((outcome) => !text.includes(`\`${outcome}\``))).toEqual([]);
  expect(HIDING_REASONS.length).toBeGreaterThan(0);
});
