import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../../../lib/json.ts';
import type { Imported, ImportedRule, ImportFinding, ImportSource } from './imported.ts';
import { placeAt } from './places.ts';
import { prefixRule } from './prefix-rule.ts';
import { readToml } from './toml.ts';

/** `rules.prefix_rules` of requirements.toml, and the tools of servers in config.toml. */
export function readCodexToml(source: ImportSource): Imported {
  const file = readToml(source);
  const rules: ImportedRule[] = [];
  const findings: ImportFinding[] = [];
  const placeOf = (pattern: RegExp, index = 0) => {
    const found = [...source.text.matchAll(pattern)][index];
    return placeAt(source, found?.index ?? 0, found?.[0].length ?? 1);
  };
  const list = own(ownObject(file, 'rules') ?? file, 'prefix_rules');
  (Array.isArray(list) ? list : []).forEach((rule, index) => {
    const position = placeOf(/\bpattern\b/g, index);
    const words = isJsonObject(rule) ? wordsOf(own(rule, 'pattern')) : undefined;
    const text = `prefix_rule(${JSON.stringify(words ?? rule)})`;
    const read =
      words === undefined || !isJsonObject(rule)
        ? 'its pattern is no list of {token} and {any_of}'
        : prefixRule(words, rule['decision'], rule['justification']);
    if (typeof read === 'string') findings.push({ kind: 'lost', position, message: `${text}: ${read}` });
    else rules.push({ ...read, text, position });
  });
  for (const [server, settings] of Object.entries(ownObject(file, 'mcp_servers') ?? {}))
    for (const [key, names] of Object.entries(isJsonObject(settings) ? settings : {})) {
      if (!Array.isArray(names) || (key !== 'disabled_tools' && key !== 'enabled_tools')) continue;
      const tools = names.map((name) => `mcp__${server}__${String(name)}`);
      const subject =
        key === 'disabled_tools'
          ? ({ kind: 'tool', names: tools } as const)
          : ({ kind: 'tool', names: [`mcp__${server}__*`], without: tools } as const);
      const position = placeOf(new RegExp(`\\b${key}\\b`, 'g'));
      rules.push({ decision: 'deny', text: `${key} of ${server}`, position, subject });
    }
  for (const key of Object.keys(file))
    if (!['rules', 'prefix_rules', 'mcp_servers'].includes(key))
      findings.push({
        kind: 'lost',
        position: placeOf(new RegExp(`\\b${key.replace(/\W/g, '\\$&')}\\b`, 'g')),
        message: `"${key}": it is no rule about calls`,
      });
  return { rules, findings };
}

/** `[{token = "git"}, {any_of = ["push", "commit"]}]` */
function wordsOf(pattern: Json | undefined): readonly (readonly string[])[] | undefined {
  if (!Array.isArray(pattern) || pattern.length === 0) return undefined;
  const words = pattern.map((item: Json) => optionsOf(isJsonObject(item) ? item : { token: item }));
  return words.every((options) => options !== undefined) ? (words as string[][]) : undefined;
}

function optionsOf({ token, any_of }: JsonObject): readonly string[] | undefined {
  const options = any_of === undefined ? [token] : any_of;
  const isSound =
    Array.isArray(options) && options.length > 0 && options.every((each) => typeof each === 'string');
  return isSound ? (options as string[]) : undefined;
}
