import type { LogHistory, TimeSpan } from '../../log/history.ts';
import { html } from '../layout/html.ts';
import { countOf, grouped, percent } from '../layout/quantity.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WIDTH = 960;
/** Left of the bars: room for numbers. */
const LEFT = 48;
const PANEL = 110;
const GAP = 34;
const HEIGHT = 2 * PANEL + 2 * GAP + 8;
/** On the first day there are few: no bar is wider than one of so many. */
const MIN_SLOTS = 24;
const MAX_LABELS = 8;

/** The style of the chart, in the page's colours. */
export const TIME_CHART_STYLE = `
.time-chart { width: 100%; min-width: 40rem; height: auto; display: block; }
.time-chart text { fill: var(--dim); font: 12px system-ui, sans-serif; }
.time-chart line { stroke: var(--line); }
.time-chart .calls { fill: var(--bar); }
.time-chart .refused { fill: var(--bad); }
`;

/** Refusals over time, and below them all calls in the same spans, each by its own scale; empty if there are no spans. */
export function timeChart({ spans, stepMs }: Pick<LogHistory, 'spans' | 'stepMs'>): string {
  const [first] = spans;
  if (first === undefined) return '';
  const slots = Math.max(spans.length, MIN_SLOTS);
  const before = slots - spans.length;
  const width = (WIDTH - LEFT) / slots;
  // If there are few spans, the newest is at the right, and the time before the log stays empty.
  const xOf = (index: number) => LEFT + (index + before) * width;
  const panel = (title: string, top: number, countIn: (span: TimeSpan) => number, name: string): string => {
    const most = roundUp(Math.max(1, ...spans.map(countIn)));
    const bars = spans.flatMap((span, index) => {
      const value = countIn(span);
      if (value === 0) return [];
      const height = Math.max(1, (value / most) * PANEL);
      const gap = Math.min(2, width / 5);
      return `<rect class="${name}" x="${px(xOf(index) + gap / 2)}" y="${px(top + PANEL - height)}" width="${px(width - gap)}" height="${px(height)}"><title>${html(spanText(span, stepMs))}</title></rect>`;
    });
    const lines = ticksOf(most).map((tick) => {
      const y = px(top + PANEL - (tick / most) * PANEL);
      return `<line x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${LEFT - 8}" y="${y}" dy="4" text-anchor="end">${grouped(tick)}</text>`;
    });
    return `<text x="${LEFT}" y="${top - 10}">${html(title)}</text>${lines.join('')}${bars.join('')}`;
  };
  const every = Math.ceil(slots / MAX_LABELS);
  const labels = Array.from({ length: slots }, (_, slot) => slot)
    .filter((slot) => (slots - 1 - slot) % every === 0)
    .map((slot) => {
      const startMs = first.startMs + (slot - before) * stepMs;
      const x = LEFT + (slot + 0.5) * width;
      const isLast = slot === slots - 1;
      return `<text x="${isLast ? WIDTH : px(x)}" y="${HEIGHT - 4}" text-anchor="${isLast ? 'end' : 'middle'}">${html(timeLabel(startMs, stepMs))}</text>`;
    });
  const per = stepMs === HOUR_MS ? 'hour' : stepMs === DAY_MS ? 'day' : `${stepMs / DAY_MS} days`;
  const refused = spans.reduce((sum, span) => sum + span.refused, 0);
  const calls = spans.reduce((sum, span) => sum + span.calls, 0);
  return [
    `<svg class="time-chart" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-label="${html(`${countOf(refused, 'refusal')} and ${countOf(calls, 'call')} per ${per}`)}">`,
    panel(`Refused per ${per}`, GAP - 8, ({ refused }) => refused, 'refused'),
    panel(`All calls per ${per}`, PANEL + 2 * GAP - 8, ({ calls }) => calls, 'calls'),
    ...labels,
    '</svg>',
  ].join('\n');
}

function spanText({ startMs, calls, refused }: TimeSpan, stepMs: number): string {
  return `${timeLabel(startMs, stepMs)}: ${grouped(refused)} of ${countOf(calls, 'call')} refused (${percent(refused, calls)})`;
}

/** Hours by the clock, and days by their date, of UTC like everything else. */
function timeLabel(ms: number, stepMs: number): string {
  const text = new Date(ms).toISOString();
  return stepMs < DAY_MS ? `${text.slice(5, 10)} ${text.slice(11, 16)}` : text.slice(0, 10);
}

/** The least of 1, 2, 5, 10, 20, .. that is not less. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((step) => step * power >= value) ?? 10) * power;
}

/** Whole numbers only: there are no half calls. */
function ticksOf(most: number): readonly number[] {
  return most % 2 === 0 ? [0, most / 2, most] : [0, most];
}

function px(value: number): string {
  return String(Math.round(value * 100) / 100);
}
