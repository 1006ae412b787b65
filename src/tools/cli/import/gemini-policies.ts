import {
  asList,
  isJsonObject,
  itemsOf,
  type Json,
  type JsonObject,
  own,
  ownString,
} from '../../../lib/json.ts';
import { patternOf } from './command-pattern.ts';
import {
  type CommandPattern,
  ImportDraft,
  type Imported,
  type ImportedDecision,
  type ImportedRule,
  type ImportedSubject,
  type ImportSource,
} from './imported.ts';
import { placeAt } from './places.ts';
import { readToml } from './toml.ts';

const DECISIONS: Readonly<Record<string, ImportedDecision>> = {
  deny: 'deny',
  ask_user: 'ask',
  allow: 'allow',
};

/** Keys that are read, and those that say nothing about which calls a rule is for. */
const KEYS =
  'toolName mcpName commandPrefix commandRegex argsPattern decision priority modes denyMessage deny_message name description'.split(
    ' ',
  );

export function readGeminiPolicies(source: ImportSource): Imported {
  const file = readToml(source);
  const places = headersOf(source.text);
  const rules: (ImportedRule & { priority: number })[] = [];
  const into = new ImportDraft();
  const list = own(file, 'rule');
  const found = itemsOf(list).filter(isJsonObject);
  if (list !== undefined && !Array.isArray(list))
    into.find('lost', placeAt(source, 0), '"rule": it is no list; write [[rule]]');
  found.forEach((rule, index) => {
    const place = places.length === found.length ? places[index] : undefined;
    const position = placeAt(source, place?.offset ?? 0, place?.length ?? 1);
    const read = ruleOf(rule, position, into);
    if (typeof read === 'string') into.find('lost', position, `${textOf(rule)}: ${read}`);
    else rules.push(...read.map((each) => ({ ...each, priority: priorityOf(rule) })));
  });
  for (const key of Object.keys(file))
    if (key !== 'rule')
      into.find(
        key === 'safety_checker' ? 'lost' : 'never-consulted',
        placeAt(source, Math.max(0, source.text.search(new RegExp(`^\\s*\\[*\\s*${escaped(key)}`, 'm')))),
        `"${key}": ${key === 'safety_checker' ? 'a checker is a program of Gemini CLI' : 'Gemini CLI reads [[rule]] alone'}`,
      );
  return { rules: rules.sort((a, b) => b.priority - a.priority), findings: into.findings };
}

/** The places where rules begin. Texts of several lines are passed over. */
function headersOf(text: string): readonly { readonly offset: number; readonly length: number }[] {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  const plain = text.replace(/"""[\s\S]*?"""|'''[\s\S]*?'''/g, blank);
  return [...plain.matchAll(/^[ \t]*(\[\[[ \t]*rule[ \t]*\]\])/gm)].map((found) => ({
    offset: found.index + found[0].indexOf('['),
    length: (found[1] ?? '').length,
  }));
}

function priorityOf(rule: JsonObject): number {
  const priority = own(rule, 'priority');
  return typeof priority === 'number' ? priority : 0;
}

function ruleOf(
  rule: JsonObject,
  position: ImportedRule['position'],
  into: ImportDraft,
): ImportedRule[] | string {
  const decision = own(DECISIONS, ownString(rule, 'decision') ?? '');
  if (decision === undefined) return 'its decision is not allow, deny or ask_user';
  const priority = own(rule, 'priority');
  if (!Number.isInteger(priority) || Number(priority) < 0 || Number(priority) > 999)
    into.find(
      'never-consulted',
      position,
      `priority of ${textOf(rule)}: Gemini CLI needs a whole number from 0 to 999, and ignores the file`,
      'its rules are imported nevertheless',
    );
  for (const key of Object.keys(rule)) {
    if (key === 'allowRedirection') {
      if (rule[key] === true && decision === 'allow')
        into.find(
          'differs',
          position,
          `allowRedirection of ${textOf(rule)}: approvals here never cover commands that redirect output to files`,
        );
    } else if (!KEYS.includes(key)) {
      const isKnown = ['toolAnnotations', 'interactive', 'subagent'].includes(key);
      if (isKnown) return `"${key}" cannot be said in a policy`;
      const message = `"${key}" of ${textOf(rule)}: Gemini CLI does not know this key, so the rule matches more than it seems to`;
      into.find('never-consulted', position, message);
    }
  }
  const subjects = subjectsOf(rule, decision);
  if (typeof subjects === 'string') return subjects;
  const modes = textsIn(own(rule, 'modes'));
  return subjects.map((subject) => ({
    decision,
    text: textOf(rule),
    position,
    subject,
    reason: ownString(rule, 'denyMessage') ?? ownString(rule, 'deny_message'),
    modes: modes.length === 0 ? undefined : modes,
  }));
}

function subjectsOf(rule: JsonObject, decision: ImportedDecision): readonly ImportedSubject[] | string {
  const prefixes = textsIn(own(rule, 'commandPrefix'));
  const regex = ownString(rule, 'commandRegex');
  const pattern = ownString(rule, 'argsPattern');
  const server = ownString(rule, 'mcpName');
  const written = textsIn(own(rule, 'toolName'));
  const names = (written.length > 0 ? written : ['*']).map((name) =>
    server === undefined ? name.replace(/^([\w-]+)__/, 'mcp_$1_') : `mcp_${server}_${name}`,
  );
  if (prefixes.length > 0 && regex !== undefined) return 'commandPrefix and commandRegex exclude each other';
  if (prefixes.length > 0 || regex !== undefined) {
    if (!names.some((name) => name === '*' || name === 'run_shell_command'))
      return 'Gemini CLI checks commands of run_shell_command only';
    if (prefixes.length > 0)
      return prefixes.map((prefix) => ({ kind: 'command', pattern: patternOf(prefix, true) }));
    const words = wordsOfRegex(regex ?? '');
    if (words !== undefined) return words.map((each) => ({ kind: 'command', pattern: each }));
    if (decision === 'allow')
      return `its regex "${regex ?? ''}" is not a list of words, and text alone cannot approve`;
    return [{ kind: 'command', pattern: { words: [], rest: true, glob: '', regex: `^(?:${regex ?? ''})` } }];
  }
  if (pattern !== undefined) {
    const tested = argumentOf(pattern);
    if (tested === undefined)
      return `its argsPattern "${pattern}" matches the text of all arguments, not one of them`;
    const sample = { [tested.name]: tested.sample };
    return [{ kind: 'tool', names, arguments: { [tested.name]: tested.test }, sample }];
  }
  const shell: ImportedSubject = { kind: 'command', pattern: patternOf('*') };
  const rest = names.filter((name) => name !== 'run_shell_command');
  const without = rest.includes('*') ? { without: ['run_shell_command'] } : {};
  return [
    ...(names.includes('*') || names.includes('run_shell_command') ? [shell] : []),
    ...(rest.length === 0 ? [] : [{ kind: 'tool', names: rest, ...without } as const]),
  ];
}

/** Ways to put alternatives of several words together. */
const MAX_WAYS = 32;

/** A regex of words, as `git (push|reset)\b`, as words; undefined if it is none. */
function wordsOfRegex(regex: string): readonly CommandPattern[] | undefined {
  const isWhole = /[^\\*]\$$/.test(regex);
  const body = regex.replace(/^\^/, '').replace(/(?:\\b|(?:\\s|\s)?\.\*|\(?:\\s\|\$\)|\\s\+?)*\$?$/, '');
  const parts = body.match(/\((?:\?:)?[^()]*\)|\\s\+?| |(?:\\[.\-/]|[^\s()\\])+/g) ?? [];
  if (parts.join('') !== body) return undefined;
  let ways: string[] = [''];
  for (const part of parts) {
    const [, inside] = /^\((?:\?:)?([^()]*)\)$/.exec(part) ?? [];
    const options = (inside === undefined ? [part] : inside.split('|')).map(plainText);
    if (options.includes(undefined)) return undefined;
    ways = ways.flatMap((way) => options.map((option) => `${way}${option ?? ''}`));
    if (ways.length > MAX_WAYS) return undefined;
  }
  const joined = ways.map((way) => way.trim().split(/ +/));
  if (joined.some((words) => words.includes(''))) return undefined;
  const [first = []] = joined;
  const differing = first.filter((_, at) => new Set(joined.map((words) => words[at])).size > 1);
  const patternOfWords = (words: readonly (readonly string[])[]): CommandPattern => ({
    words,
    rest: !isWhole,
    glob: words.map(([word = '']) => word).join(' '),
  });
  // Alternatives for one word are one pattern.
  if (differing.length < 2 && joined.every((words) => words.length === first.length))
    return [patternOfWords(first.map((_, at) => [...new Set(joined.map((words) => words[at] ?? ''))]))];
  return joined.map((words) => patternOfWords(words.map((word) => [word])));
}

/** A part of a regex that means itself. */
function plainText(part: string): string | undefined {
  const text = part.replace(/\\s\+?/g, ' ').replace(/\\([.\-/])/g, '$1');
  return /^[\w ./:@=-]*$/.test(text) && !/(?:^|[^\\])\./.test(part) ? text : undefined;
}

/** `"file_path":"[^"]*migrations/` is about one argument. */
function argumentOf(pattern: string): { name: string; test: Json; sample: string } | undefined {
  const [, name, rest = ''] = /^"(\w+)"\s*(?:\\s\*)?:\s*(?:\\s\*)?"(.*)$/s.exec(pattern) ?? [];
  if (name === undefined) return undefined;
  const isWhole = rest.endsWith('"');
  const inner = isWhole ? rest.slice(0, -1) : rest;
  const test = inner.replaceAll('[^"]*', '.*').replace(/^\.\*/, '');
  if (test.includes('"') || test === '') return undefined;
  const isFree = /^(?:\[\^"\]\*|\.\*)/.test(inner);
  const portable = ['file_path', 'absolute_path'].includes(name) ? 'path' : name === 'prompt' ? 'url' : name;
  return {
    name: portable,
    test: `${isFree ? '' : '^'}${test}${isWhole ? '$' : ''}`,
    sample: `${isFree ? 'a/' : ''}${test.replaceAll('.*', 'x').replace(/\\([./-])/g, '$1')}${isWhole ? '' : 'x'}`,
  };
}

function textsIn(value: Json = []): readonly string[] {
  return asList(value).filter((item) => typeof item === 'string');
}

function textOf(rule: JsonObject): string {
  const parts = ['mcpName', 'toolName', 'commandPrefix', 'commandRegex', 'argsPattern'].flatMap((key) => {
    const value = own(rule, key);
    return value === undefined ? [] : [`${key} ${JSON.stringify(value)}`];
  });
  return `${parts.join(', ') || 'every tool'} (priority ${priorityOf(rule)})`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
