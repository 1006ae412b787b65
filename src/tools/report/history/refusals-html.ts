import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { describeCall } from '../../log/count-calls.ts';
import { splitReason } from '../explanation/split-reason.ts';
import { html } from '../layout/html.ts';
import { grouped, timeText } from '../layout/quantity.ts';

export const REFUSALS_STYLE = `
.filters { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; margin: .5rem 0 1rem; }
.filters[hidden] { display: none; }
.filters label { display: grid; gap: .15rem; color: var(--dim); font-size: .85rem; }
.filters select, .filters input { font: inherit; height: 2.1rem; box-sizing: border-box; color: var(--ink); background: var(--page); border: 1px solid var(--line); border-radius: 4px; padding: 0 .5rem; max-width: 100%; }
.refusals { max-height: 38rem; overflow: auto; }
#refusals th { position: sticky; top: 0; background: var(--page); }
.when { white-space: nowrap; }
.call { min-width: 14rem; }
.policy code { overflow-wrap: normal; }
.why { min-width: 16rem; }
@media (max-width: 45rem) {
  #refusals thead { display: none; }
  #refusals tr, #refusals td { display: block; }
  #refusals tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  #refusals td { border: 0; padding: .1rem 0; }
}
#refusals tr[hidden] { display: none; }
`;

/** Runs in the page: shows the rows that fit all filters, and says how many they are. */
export const FILTER_CODE = `(() => {
  const rows = [...document.querySelectorAll('#refusals tbody tr')];
  const [agent, policy, words] = ['agent', 'policy', 'words'].map((id) => document.getElementById(id));
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    let shown = 0;
    rows.forEach((row, index) => {
      const fits =
        [agent, policy].every((each) => each.value === '' || row.dataset[each.id] === each.value) &&
        wanted.every((word) => texts[index].includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    });
    document.getElementById('shown').textContent = shown + ' of ' + rows.length;
  };
  for (const each of [agent, policy, words]) each.addEventListener('input', filter);
  document.getElementById('filters').hidden = false;
  filter();
})();
`;

/** The newest refusals with their reasons, to be filtered by agent, policy and text. No code that would let one pass. */
export function refusalsHtml(
  newest: readonly DecisionRecord[],
  all: number,
  decisions: number,
): readonly string[] {
  if (decisions === 0)
    return ['<p class="dim">No call has been judged: policy doctor says whether the hooks run</p>'];
  if (newest.length === 0) return ['<p class="good">Nothing was refused</p>'];
  const rows = newest.map((record) => {
    const { host, policy = 'a failure', reason, before = [], failed } = record;
    const { because, instead } = splitReason(reason, record.policy);
    const why = failed ?? because ?? '';
    const hint = instead === undefined ? '' : `<br><span class="dim">Instead: ${html(instead)}</span>`;
    const past = before.map((text) => `<br><span class="dim">Before: ${html(text)}</span>`).join('');
    const action = record.action === 'deny' ? '' : ` <span class="dim">${html(record.action)}</span>`;
    return [
      `<tr data-agent="${html(host)}" data-policy="${html(policy)}"><td class="when">${html(timeText(record.time))}</td>`,
      `<td>${html(host)}</td><td class="call"><code>${html(describeCall(record))}</code></td>`,
      `<td class="policy"><code>${html(policy)}</code>${action}</td><td class="why">${html(why)}${hint}${past}</td></tr>`,
    ].join('');
  });
  const left = all - newest.length;
  return [
    '<div class="filters" id="filters" hidden>',
    choice(
      'agent',
      'Agent',
      newest.map(({ host }) => host),
    ),
    choice(
      'policy',
      'Policy',
      newest.map(({ policy = 'a failure' }) => policy),
    ),
    '<label>Words<input id="words" type="search"></label><span class="dim" id="shown" aria-live="polite"></span>',
    '</div>',
    '<div class="refusals" tabindex="0" role="region" aria-label="Refused calls"><table id="refusals"><thead><tr><th scope="col">Time (UTC)</th><th scope="col">Agent</th><th scope="col">Call</th><th scope="col">Policy</th><th scope="col">Why</th></tr></thead><tbody>',
    ...rows,
    '</tbody></table></div>',
    ...(left > 0
      ? [`<p class="dim">and ${grouped(left)} older ones: <code>policy log --action deny</code></p>`]
      : []),
  ];
}

function choice(id: string, title: string, values: readonly string[]): string {
  const options = [...new Set(values)].sort().map((value) => `<option>${html(value)}</option>`);
  return `<label>${title}<select id="${id}"><option value="">all</option>${options.join('')}</select></label>`;
}
