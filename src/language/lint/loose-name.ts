import { isJsonObject, own } from '../../lib/json.ts';
import { namesIn } from '../keys/types/name-pattern.ts';
import { topAlternatives } from '../sites/regex-alternatives.ts';
import type { Finding, LintContext, LintedPolicy, LintRule } from './lint-rule.ts';
import { type ValueTestPlace, valueTestsIn } from './value-tests.ts';
import { type WhenPart, whenParts } from './when-parts.ts';

/** Patterns for names that match more than they seem to. */
export const looseName = {
  codes: ['loose-name'],
  check: (context) => (policy) => [
    ...whenParts(policy.rule.when).flatMap((part) => toolNames(part, policy, context)),
    ...valueTestsIn(policy.rule.when).flatMap(regexFindings),
  ],
} as const satisfies LintRule;

/** A star at the beginning alone reaches tools of other kinds; one at both ends says that any name is meant. */
function toolNames(
  { key, spec, path, negated }: WhenPart,
  { hosts }: LintedPolicy,
  { tools }: LintContext,
): readonly Finding[] {
  if (key !== 'tool_matcher' || negated) return [];
  return namesIn(String(spec))
    .filter((name) => /^\*[^*]+$/.test(name))
    .flatMap((name): readonly Finding[] => {
      const fitting = tools.fitting(name, hosts).filter((tool) => !tool.name.endsWith('*'));
      const kinds = new Set(fitting.map(({ classes }) => classes.join('+')));
      if (kinds.size < 2) return [];
      const names = [...new Set(fitting.map((tool) => tool.name))];
      const message = `Cannot tell tools apart by "${name}": it matches ${names.join(', ')}`;
      return [{ path, message, hint: 'list the names, or use "tool" with a class' }];
    });
}

/** Arguments and fields that hold a name and nothing else. */
const NAMES = new Set([
  'server',
  'server_name',
  'tool',
  'tool_name',
  'name',
  'agent',
  'agent_name',
  'subagent_type',
  'host',
  'hostname',
  'domain',
  'user',
  'branch',
]);
/** A name and nothing that a regex would be needed for. */
const BARE_NAME = /^[A-Za-z0-9_][\w@:/.-]*$/;
const BARE_WORD = /^[A-Za-z_][\w-]*$/;
/** `example.com`, with a dot that matches any character. */
const HOST_NAME = /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/?$/i;

function regexFindings({ subject, name, test, plain, path: place }: ValueTestPlace): readonly Finding[] {
  const written = isJsonObject(test) ? own(test, 'regex') : plain === 'regex' ? test : undefined;
  if (typeof written !== 'string') return [];
  const path = isJsonObject(test) ? [...place, 'regex'] : place;
  const half = halfAnchored(written);
  if (half !== undefined)
    return [{ path, message: `Cannot anchor all of "${written}": ${half}`, hint: groupHint(written) }];
  if (NAMES.has(name) && BARE_NAME.test(written)) {
    const message = `Cannot match only ${subject} "${written}": the regex also matches "x${written}x"`;
    return [{ path, message, hint: `write {equals: ${written}}` }];
  }
  if (HOST_NAME.test(written) && /^(?:url|uri|href|prompt)$/.test(name)) {
    const message = `Cannot match only host "${written}": the regex also matches "${written.replace(/\/$/, '')}.other.example"`;
    const hint = `use the key url: {host: ${written.replace(/^https?:\/\/|\/$/g, '')}}`;
    return [{ path, message, hint }];
  }
  if (name === 'command' && BARE_WORD.test(written)) {
    const message = `Cannot match only command "${written}": the regex also matches "x${written}x", and the word in any text`;
    return [{ path, message, hint: `use the key command: {run: ${written}}, or write '\\b${written}\\b'` }];
  }
  return [];
}

/** `^a|b` anchors only its first alternative. */
function halfAnchored(source: string): string | undefined {
  const { before = '', alternatives = [] } = topAlternatives(source) ?? {};
  const [first = '', ...others] = alternatives;
  if ((before + first).startsWith('^') && !others.some((each) => each.startsWith('^')))
    return '"^" belongs to the first alternative only';
  const last = others.at(-1) ?? '';
  if (/(?<!\\)\$$/.test(last) && !alternatives.slice(0, -1).some((each) => each.endsWith('$')))
    return '"$" belongs to the last alternative only';
  return undefined;
}

function groupHint(source: string): string {
  const start = source.startsWith('^') ? '^' : '';
  const end = /(?<!\\)\$$/.test(source) ? '$' : '';
  return `write ${start}(${source.slice(start.length, source.length - end.length)})${end}`;
}
