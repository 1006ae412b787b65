import { quotedWord } from '../../../lib/command-argument.ts';
import { prefixRule, readCodexToml } from './codex-toml.ts';
import { ImportDraft, type ImportedRule, type Importer, type ImportSource } from './imported.ts';
import { placeAt } from './places.ts';
import { type Literal, readStarlark, type StarlarkCall } from './starlark.ts';

const KEYS = ['pattern', 'decision', 'match', 'not_match', 'justification'];

/** Rules in Starlark: prefixes of the words of a command. */
export const codex: Importer = {
  name: 'codex',
  title: 'Codex CLI',
  file: '.codex/rules/default.rules',
  order: 'strictest',
  tools: { shell: 'Bash|exec_command', read: 'view_image', write: 'apply_patch', fetch: 'web_fetch' },
  read: (source) => (isToml(source) ? readCodexToml(source) : readRules(source)),
};

function isToml({ text, file }: ImportSource): boolean {
  return (
    file.endsWith('.toml') || /^\s*(?:\[[\w.\s"'-]+\]|prefix_rules\s*=)/m.test(text.replace(/^\s*#.*$/gm, ''))
  );
}

function readRules(source: ImportSource): ImportDraft {
  const { calls, others } = readStarlark(source);
  const into = new ImportDraft();
  for (const { offset, text } of others)
    into.find(
      'lost',
      placeAt(source, offset, text.length),
      `${text}: only literal calls and values are read`,
    );
  for (const call of calls) {
    const read = call.name === 'prefix_rule' ? ruleOf(call, source, into) : UNSAID[call.name];
    if (typeof read === 'object') into.rules.push(read);
    else
      into.find(
        'lost',
        placeAt(source, call.offset, call.length),
        `${textOf(call, source)}: ${read ?? 'Codex CLI has no such rule'}`,
      );
  }
  return into;
}

/** Functions that make no rule about words. */
const UNSAID: Readonly<Record<string, string>> = {
  host_executable: 'a policy matches a program by name in every folder',
  network_rule: 'it is about the sandbox; a policy with "url" says where commands may go',
  define_program: 'it is a rule of an older Codex CLI',
};

function ruleOf(call: StarlarkCall, source: ImportSource, into: ImportDraft): ImportedRule | string {
  const { value: pattern } = call.named.get('pattern') ?? {};
  const words = wordsOf(pattern);
  if (call.unnamed > 0) return 'its arguments need names';
  if (words === undefined) return 'its pattern is not a literal list of words';
  for (const [key, { offset }] of call.named)
    if (!KEYS.includes(key))
      into.find(
        'lost',
        placeAt(source, offset, key.length),
        `"${key}" of ${textOf(call, source)}: nothing is known about it`,
      );
  const rule = prefixRule(
    words,
    call.named.has('decision') ? call.named.get('decision')?.value : 'allow',
    call.named.get('justification')?.value,
  );
  if (typeof rule === 'string') return rule;
  return {
    ...rule,
    text: textOf(call, source),
    position: placeAt(source, call.offset, call.length),
    hits: commandsOf(call.named.get('match')?.value),
    misses: commandsOf(call.named.get('not_match')?.value),
  };
}

function wordsOf(pattern: Literal | undefined): readonly (readonly string[])[] | undefined {
  if (!Array.isArray(pattern) || pattern.length === 0) return undefined;
  const words = pattern.map((item: Literal) => (Array.isArray(item) ? item : [item]));
  const isSound = words.every(
    (options) => options.length > 0 && options.every((word) => typeof word === 'string'),
  );
  return isSound ? (words as string[][]) : undefined;
}

/** Examples are texts or lists of words. */
function commandsOf(value: Literal | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: Literal) => {
    if (typeof item === 'string') return [item];
    return Array.isArray(item) ? [item.map((word) => quotedWord(String(word))).join(' ')] : [];
  });
}

function textOf({ name, named, offset, length }: StarlarkCall, source: ImportSource): string {
  const pattern = named.get('pattern')?.value;
  if (pattern !== undefined) return `${name}(${JSON.stringify(pattern)})`;
  return source.text.slice(offset, offset + Math.min(length, 80)).replace(/\s+/g, ' ');
}
