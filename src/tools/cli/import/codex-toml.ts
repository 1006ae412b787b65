import { quotedWord } from '../../../lib/command-argument.ts';
import { isJsonObject, itemsOf, type Json, type JsonObject, own, ownObject } from '../../../lib/json.ts';
import {
  ImportDraft,
  type ImportedDecision,
  type ImportedRule,
  type ImportedSubject,
  type ImportSource,
} from './imported.ts';
import { placeAt } from './places.ts';
import { readToml } from './toml.ts';

/** `rules.prefix_rules` of requirements.toml, and the tools of servers in config.toml. */
export function readCodexToml(source: ImportSource): ImportDraft {
  const file = readToml(source);
  const into = new ImportDraft();
  const placeOf = (pattern: RegExp, index = 0) => {
    const found = [...source.text.matchAll(pattern)][index];
    return placeAt(source, found?.index ?? 0, found?.[0].length ?? 1);
  };
  itemsOf(own(ownObject(file, 'rules') ?? file, 'prefix_rules')).forEach((rule, index) => {
    const position = placeOf(/\bpattern\b/g, index);
    const words = isJsonObject(rule) ? wordsOf(own(rule, 'pattern')) : undefined;
    const text = `prefix_rule(${JSON.stringify(words ?? rule)})`;
    const read =
      words === undefined || !isJsonObject(rule)
        ? 'its pattern is not a list of {token} and {any_of}'
        : prefixRule(words, rule['decision'], rule['justification']);
    if (typeof read === 'string') into.find('lost', position, `${text}: ${read}`);
    else into.rules.push({ ...read, text, position });
  });
  for (const [server, settings] of Object.entries(ownObject(file, 'mcp_servers') ?? {}))
    for (const [key, names] of Object.entries(isJsonObject(settings) ? settings : {})) {
      if (!Array.isArray(names) || (key !== 'disabled_tools' && key !== 'enabled_tools')) continue;
      const tools = names.map((name) => `mcp__${server}__${String(name)}`);
      const subject: ImportedSubject =
        key === 'disabled_tools'
          ? { kind: 'tool', names: tools }
          : { kind: 'tool', names: [`mcp__${server}__*`], without: tools };
      const position = placeOf(new RegExp(`\\b${key}\\b`, 'g'));
      into.take('deny', `${key} of ${server}`, position, subject);
    }
  for (const key of Object.keys(file))
    if (!['rules', 'prefix_rules', 'mcp_servers'].includes(key))
      into.find(
        'lost',
        placeOf(new RegExp(`\\b${key.replace(/\W/g, '\\$&')}\\b`, 'g')),
        `"${key}": it is no rule about calls`,
      );
  return into;
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

const DECISIONS: Readonly<Record<string, ImportedDecision>> = {
  forbidden: 'deny',
  prompt: 'ask',
  allow: 'allow',
};

/** A rule of Codex CLI about the first words of a command, or why it is none. */
export function prefixRule(
  words: readonly (readonly string[])[],
  decided: unknown,
  reason: unknown,
): Pick<ImportedRule, 'decision' | 'subject' | 'reason'> | string {
  const decision = typeof decided === 'string' ? own(DECISIONS, decided) : undefined;
  if (decision === undefined) return 'its decision is not forbidden, prompt or allow';
  if (words.flat().some((word) => /[*?]/.test(word)))
    return 'a * in it is literal, which a policy cannot express';
  return {
    decision,
    subject: {
      kind: 'command',
      pattern: { words, rest: true, glob: `${words.map(([word = '']) => quotedWord(word)).join(' ')} *` },
    },
    reason: typeof reason === 'string' && reason.trim() !== '' ? reason : undefined,
  };
}
