import { isJsonObject, own } from '../../lib/json.ts';
import { namesIn } from '../keys/types/name-pattern.ts';
import type { Finding, LintContext, LintedPolicy, LintRule } from './lint-rule.ts';
import { type ValueTestPlace, valueTestsIn } from './value-tests.ts';
import { type WhenPart, whenParts } from './when-parts.ts';

/** Patterns for names that match more than they seem to. */
export const looseName = {
  codes: ['loose-name'],
  run: (context) =>
    context.policies.flatMap((policy) =>
      whenParts(policy.rule.when).flatMap((part) => [
        ...toolNames(part, policy, context),
        ...valueTestsIn(part).flatMap((place) => regexFindings(place, policy)),
      ]),
    ),
} as const satisfies LintRule;

/** A star at the beginning alone reaches tools of other kinds; one at both ends says that any name is meant. */
function toolNames(
  { key, spec, path, negated }: WhenPart,
  { source, hosts }: LintedPolicy,
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
      return [
        finding(
          source.positionOf(path, 'value'),
          `Cannot tell tools apart by "${name}": it matches ${names.join(', ')}`,
          'list the names, or use "tool" with a class',
        ),
      ];
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
/** `example.com`, with a dot that stands for any character. */
const HOST_NAME = /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/?$/i;

function regexFindings(
  { subject, name, test, plain, path }: ValueTestPlace,
  policy: LintedPolicy,
): readonly Finding[] {
  const written = isJsonObject(test) ? own(test, 'regex') : plain === 'regex' ? test : undefined;
  if (typeof written !== 'string') return [];
  const at = isJsonObject(test) ? [...path, 'regex'] : path;
  const position = policy.source.positionOf(at, 'value');
  const half = halfAnchored(written);
  if (half !== undefined)
    return [finding(position, `Cannot anchor all of "${written}": ${half}`, groupHint(written))];
  if (NAMES.has(name) && BARE_NAME.test(written)) {
    const example = `x${written}x`;
    return [
      finding(
        position,
        `Cannot match only ${subject} "${written}": the regex also matches "${example}"`,
        `write {equals: ${written}}`,
      ),
    ];
  }
  if (HOST_NAME.test(written) && /^(?:url|uri|href|prompt)$/.test(name)) {
    return [
      finding(
        position,
        `Cannot match only host "${written}": the regex also matches "${written.replace(/\/$/, '')}.other.example"`,
        `use the key url: {host: ${written.replace(/^https?:\/\/|\/$/g, '')}}`,
      ),
    ];
  }
  if (name === 'command' && BARE_WORD.test(written)) {
    return [
      finding(
        position,
        `Cannot match only command "${written}": the regex also matches "x${written}x", and the word in any text`,
        `use the key command: {run: ${written}}, or write '\\b${written}\\b'`,
      ),
    ];
  }
  return [];
}

/** `^a|b` anchors only its first alternative. */
function halfAnchored(source: string): string | undefined {
  const alternatives = topAlternatives(source);
  const [first = ''] = alternatives;
  const last = alternatives.at(-1) ?? '';
  if (alternatives.length < 2) return undefined;
  if (first.startsWith('^') && !alternatives.slice(1).some((each) => each.startsWith('^')))
    return '"^" belongs to the first alternative only';
  if (/(?<!\\)\$$/.test(last) && !alternatives.slice(0, -1).some((each) => each.endsWith('$')))
    return '"$" belongs to the last alternative only';
  return undefined;
}

function groupHint(source: string): string {
  const start = source.startsWith('^') ? '^' : '';
  const end = /(?<!\\)\$$/.test(source) ? '$' : '';
  return `write ${start}(${source.slice(start.length, source.length - end.length)})${end}`;
}

/** The alternatives outside of groups and classes. */
function topAlternatives(source: string): readonly string[] {
  const alternatives: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < source.length; at++) {
    const unit = source[at];
    if (unit === '\\') at += 1;
    else if (unit === '[') at = Math.max(at, endOfClass(source, at));
    else if (unit === '(') depth += 1;
    else if (unit === ')') depth -= 1;
    else if (unit === '|' && depth === 0) {
      alternatives.push(source.slice(start, at));
      start = at + 1;
    }
  }
  return [...alternatives, source.slice(start)];
}

function endOfClass(source: string, start: number): number {
  for (let at = start + 2; at < source.length; at++) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === ']') return at;
  }
  return source.length;
}

function finding(position: Finding['position'], message: string, hint: string): Finding {
  return { code: 'loose-name', position, message, hint };
}
