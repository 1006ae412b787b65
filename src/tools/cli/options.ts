import type { Host } from '../../hosts/host.ts';
import { type InstallScope, SCOPES } from '../../hosts/installation.ts';
import { HOSTS, hostNamed } from '../../hosts/registry.ts';
import { closest, suggestionOr } from '../../lib/closest.ts';
import { parseDuration } from '../../lib/duration.ts';
import { type Arguments, type OptionSpec, optionValue } from './args.ts';
import { UsageError } from './io.ts';

/** Options as in the help: `-n, --last N`, `--key FILE...`, `--update[=SOURCE]`, `--compare OLD NEW`, with summaries and values. */
export function optionsOf(
  table: Readonly<Record<string, string | readonly [summary: string, words: readonly string[]]>>,
): readonly OptionSpec[] {
  return Object.entries(table).map(([usage, said]) => {
    const [, short, name = '', optional, value, more] =
      /^(?:-(\w), )?--([\w-]+)(?:(\[)?[= ]([^\].]+)\]?)?(\.\.\.)?$/.exec(usage) ?? [];
    const [summary, words] = typeof said === 'string' ? [said] : said;
    return {
      name,
      summary,
      ...(short && { short }),
      ...(value && { value, optional: optional !== undefined, pair: value.includes(' ') }),
      ...(words && { words }),
      ...(more && { repeatable: true }),
    };
  });
}

/** Options that several commands have. */
export const MOMENT_OPTIONS: readonly OptionSpec[] = optionsOf({
  '--since WHEN': 'Only decisions since then: 30m, 24h, 7d, 2w or a date',
  '--until WHEN': 'Only decisions before then',
});
export const YES_OPTION: OptionSpec = { name: 'yes', short: 'y', summary: 'Do not ask: for scripts' };

/** Names agents, once or several times. */
export function hostsOption(summary: string): OptionSpec {
  return { name: 'host', value: 'NAME', repeatable: true, summary };
}

/** Names policies that count instead of those that are found. */
export function policiesOption(summary: string): OptionSpec {
  return { name: 'policies', value: 'PATH', repeatable: true, summary };
}

/**
 * The number that an option gives; undefined if it is not given.
 *
 * @throws UsageError for a text that is no number, or is not within these bounds
 */
export function numberOption(
  args: Arguments,
  name: string,
  { from, to, whole = true }: { readonly from: number; readonly to: number; readonly whole?: boolean },
): number | undefined {
  const text = optionValue(args, name);
  if (text === undefined) return undefined;
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= from && number <= to && (!whole || Number.isInteger(number))) return number;
  const what = whole ? 'a whole number' : 'a number';
  throw new UsageError(`Cannot use --${name} "${text}": give ${what} from ${from} to ${to}`);
}

/** The host of this name, or a usage error that lists them. */
export function hostOf(name: string): Host {
  const host = hostNamed(name);
  if (host !== undefined) return host;
  const names = HOSTS.map((each) => each.name);
  // Agents have longer names elsewhere: `claude-code`, `gemini-cli`.
  const meant = names.find((each) => name.startsWith(`${each}-`)) ?? closest(name, names);
  throw new UsageError(
    `Cannot use agent "${name}": ${suggestionOr(meant, `it is not one of ${names.join(', ')}`)}`,
  );
}

/**
 * The moment that an option means, in milliseconds since 1970: a span before now such as `30m`, `24h`, `7d`, `2w`, or a
 * date such as `2026-11-20` or `2026-11-20T09:30`.
 *
 * @throws UsageError for anything else
 */
export function parseMoment(text: string, nowMs: number, option: string): number {
  const spanMs = parseDuration(text);
  if (spanMs !== undefined) return nowMs - spanMs;
  const dateMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(dateMs))
    throw new UsageError(`Cannot use --${option} "${text}": give a span such as 24h or 7d, or a date`);
  return dateMs;
}

/** The moment that an option names, as ISO 8601 in UTC; undefined if it is not given. */
export function momentOption(args: Arguments, option: 'since' | 'until'): string | undefined {
  const text = optionValue(args, option);
  return text === undefined ? undefined : new Date(parseMoment(text, Date.now(), option)).toISOString();
}

/** The options that say whose configuration is meant. */
export const SCOPE_OPTIONS: readonly OptionSpec[] = optionsOf({
  '--user': 'Your own configuration; the default',
  '--project': "This project's configuration",
  '--system': "The machine's, with a copy of the program that only root can change; needs root",
});

/** The scope that a command line asks for. */
export function scopeOf({ switches }: Arguments): InstallScope {
  const given = SCOPES.filter((scope) => switches.has(scope));
  if (given.length > 1) throw new UsageError(`Cannot use --${given[0]} with --${given[1]}: give one of them`);
  return given[0] ?? 'user';
}
