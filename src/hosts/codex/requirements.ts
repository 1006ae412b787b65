import { ConfigurationProblem } from '../configuration-problem.ts';
import type { Host } from '../host.ts';
import type { Order } from '../installation.ts';

const [BEGIN, END] = ['# policy install --system: begin', '# policy install --system: end'];
const OURS = new RegExp(`\n?${BEGIN}\n[^]*?${END}\n`, 'g');

/** True if a text is TOML and no JSON. */
export function isToml(text: string): boolean {
  return !text.trimStart().startsWith('{');
}

/** Requirements with the hook in them, which runs without a person's trust: measured on 0.171.0. */
export function withHook(
  base: string,
  host: Pick<Host, 'hookConfiguration'>,
  { start }: Pick<Order, 'start'>,
  events: readonly string[],
): string {
  if (/^\s*hooks\s*=\s*\{/m.test(base))
    throw new ConfigurationProblem(
      'its "hooks" are in one line; write each of them as [[hooks.EVENT]] first',
    );
  const hook = Object.entries(host.hookConfiguration(start)).map(
    ([key, value]) => `${key} = ${JSON.stringify(value)}\n`,
  );
  const tables = events.map(
    (event) => `[[hooks.${event}]]\nmatcher = ".*"\n[[hooks.${event}.hooks]]\n${hook.join('')}`,
  );
  const text = base === '' || base.endsWith('\n') ? base : `${base}\n`;
  return `${text}${text === '' ? '' : '\n'}${BEGIN}\n${tables.join('')}${END}\n`;
}

/** The text without the hook; undefined if nothing is left. */
export function withoutHook(text: string): string | undefined {
  if (!text.includes(BEGIN)) return text;
  const left = text.replace(OURS, '');
  return left.trim() === '' ? undefined : left;
}
