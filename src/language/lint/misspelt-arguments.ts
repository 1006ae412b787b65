import { FOUND_NAMES } from '../../hosts/find-arguments.ts';
import type { Host } from '../../hosts/host.ts';
import { closest } from '../../lib/closest.ts';
import { asList, isJsonObject, own } from '../../lib/json.ts';
import type { Finding, LintedPolicy } from './lint-rule.ts';
import type { WhenPart } from './when-parts.ts';

/** Arguments that no tool of the class beside them has, and that are nearly called like one. */
export function misspeltArguments(
  { key, spec, path, siblings, negated }: WhenPart,
  { hosts }: LintedPolicy,
): readonly Finding[] {
  const classes = own(siblings, 'tool');
  // A tool that is named may have arguments that nobody has listed.
  if (key !== 'arguments' || negated || classes === undefined || own(siblings, 'tool_matcher') !== undefined)
    return [];
  const known = argumentNames(hosts, asList(classes).map(String));
  return Object.entries(isJsonObject(spec) ? spec : {}).flatMap(([name, test]): readonly Finding[] => {
    const [first = '', ...rest] = name.split('.');
    const mayBeAbsent = isJsonObject(test) && own(test, 'exists') === false;
    const near = known.has(first) || first === '*' || mayBeAbsent ? undefined : closest(first, known);
    if (near === undefined) return [];
    const message = `Cannot match argument "${first}": tools of class ${asList(classes).join(' or ')} have none of this name`;
    const hint = `did you mean "${[near, ...rest].join('.')}"?`;
    return [{ path: [...path, name], at: 'key', message, hint }];
  });
}

/** The names of the arguments of tools in some classes, by hosts and by policies. */
function argumentNames(hosts: readonly Host[], classes: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>(FOUND_NAMES);
  for (const { tools } of hosts) {
    for (const tool of Object.values(tools)) {
      if (!tool.classes.some((name) => classes.includes(name))) continue;
      const tables = [
        tool.aliases ?? {},
        ...Object.values(tool.cases?.of ?? {}).map(({ aliases = {} }) => aliases),
        ...Object.values(tool.lists ?? {}),
      ];
      for (const [portable, native] of tables.flatMap(Object.entries))
        names.add(portable).add(String(native));
      for (const name of [...(tool.globs ?? []), ...Object.keys(tool.lists ?? {})]) names.add(name);
    }
  }
  return names;
}
