import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BUILTIN_PACKS } from '../../../language/policy/compile/packs.ts';
import { packIn } from '../../../language/policy/files/pack-names.ts';
import { didYouMean } from '../../../lib/closest.ts';
import { markdownText, withoutMarks } from '../../report/layout/markdown-text.ts';
import { type Arguments, optionValue, optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { findTopic, topicOf } from '../docs/find-topic.ts';
import { searchSections, UNSEARCHED } from '../docs/search.ts';
import { sectionsOf } from '../docs/sections.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { optionsOf, policiesOption } from '../options.ts';
import { page } from '../page.ts';
import { paintFor, printPlainJson } from '../print.ts';
import { writeOutput } from '../write-text.ts';

/** The page that lists the others. */
const INDEX = 'README';
const MAX_ELSEWHERE = 6;

export const docs = {
  operands: '[TOPIC]... | hosts [NAME] | schema [policy|test]',
  operandWords: async () => [
    ...Object.keys((await import('../../generated/docs-texts.ts')).DOCS),
    ...BUILTIN_PACKS.names.map((name) => `builtin:${name}`),
    'schema',
  ],
  options: [
    policiesOption('Look for the id of a policy only in this file, folder or builtin:NAME'),
    ...optionsOf({
      '--host-version V': 'hosts: show this version or generation of the agent',
      '--json': 'hosts: print JSON',
      '--playground FILE': 'Write a page for trying policies in a browser',
    }),
  ],
  details: [
    'Without a topic, it lists the pages. A topic is a page (testing), a heading (paths), a key of a policy or a test\n(url), a code that policy check prints (never-matches), or PAGE#HEADING. builtin:NAME prints the file of a pack, and\nthe id of a policy its source. Any other words open what says most about them.',
    '"hosts NAME" shows which actions an agent supports on each event, and the configuration that starts the hook. If it\ncannot do something, policy uses the closest answer that prevents the effect, and policy check warns. Under "model":\nthe event carries the model\'s name, it is remembered from an earlier event, or it is never known.',
    '"schema" prints the JSON Schema of policy files, or with "test" that of test files. Editors with a YAML language\nserver use it to complete and check files.',
    'On a terminal it uses the pager in PAGER, less by default; elsewhere it prints the text.',
  ],
  example: [
    '$ policy docs url',
    '$ policy docs never-matches',
    '$ policy docs hosts gemini',
    '$ policy docs which calls did the agent make',
    '$ policy docs schema > .policy/policy.schema.json',
    '$ policy docs git-safety/no-skipped-checks',
    '# builtin:git-safety:24',
    '# defaults: {action: deny, when_unknown: skip}',
    '- id: no-skipped-checks',
    "  description: The repository's hooks are its checks",
    '  command: {run: git, unguards: checks}',
    "  reason: this skips the repository's own checks",
    '  instead: fix what the check reports, then commit again',
    '  examples:',
    '    hit: [{command: git commit --no-verify -m wip}, {command: git commit -nm wip}, {command: HUSKY=0 git push}]',
    '    miss: [{command: git commit -m wip}, {command: git push -n}, {command: gemini --yolo}]',
  ],
  async run(args, io) {
    const [first = '', ...others] = args.operands;
    const wantsHost = others.length > 0 || args.switches.has('json') || args.values.has('host-version');
    const playground = optionValue(args, 'playground');
    if (playground !== undefined) await writePlayground(playground, io);
    else if (first === 'schema')
      printPlainJson(io.stdout, (await import('../docs/file-schema.ts')).fileSchema(others));
    else if (first === 'hosts' && wantsHost)
      await (await import('../docs/show-hosts.ts')).showHosts(others, args, io);
    else await showTopic(args, io);
    return EXIT_CODE.ok;
  },
} satisfies Command;

async function showTopic(args: Arguments, io: Io): Promise<void> {
  const { DOCS } = await import('../../generated/docs-texts.ts');
  const topic = args.operands.join(' ');
  if (topic === '') return show((DOCS[INDEX] ?? '').split('\n'), [], io);
  const { packText, policySource } = await import('../docs/policy-source.ts');
  const pack = packIn(topic);
  if (pack !== undefined) return page(packText(pack), io);
  const sections = Object.entries(DOCS).flatMap(([name, text]) => sectionsOf(name, text));
  const found = findTopic(topic, sections);
  if (found !== undefined) return show(found.lines, found.elsewhere, io);
  const isWord = !topic.includes(' ');
  const source = isWord ? policySource(topic, optionValues(args, 'policies'), io) : undefined;
  if (source !== undefined) return page(source, io);
  const [best, ...rest] = searchSections(
    topic,
    sections.filter(({ page: name }) => !UNSEARCHED.includes(name)),
  );
  if (best !== undefined) return show([`In ${topicOf(best)}:`, '', ...best.own], rest.map(topicOf), io);
  const names = sections.flatMap(({ page: name, anchor }) => (anchor === '' ? [name] : [anchor]));
  throw new UsageError(
    `Cannot find topic "${topic}": ${didYouMean(topic, names, 'policy docs lists the pages')}`,
  );
}

async function show(lines: readonly string[], elsewhere: readonly string[], io: Io): Promise<void> {
  const more = elsewhere.slice(0, MAX_ELSEWHERE).map((other) => `policy docs ${other}`);
  const also = more.length === 0 ? [] : ['', `See also: ${more.join(', ')}`];
  const shown = [...withoutMarks(lines.join('\n').trimEnd().split('\n')), ...also];
  const paint = paintFor(io.stdout, io.env);
  await page(io.stdout.isTTY ? markdownText(shown, paint) : `${shown.join('\n')}\n`, io);
}

async function writePlayground(file: string, io: Io): Promise<void> {
  const { PLAYGROUND } = await import('../../generated/playground.ts');
  const at = resolve(io.cwd, file);
  const isOther = existsSync(at) && !readFileSync(at, 'utf8').startsWith(PLAYGROUND.slice(0, 64));
  if (isOther) throw new UsageError(`Cannot write "${file}": it is there already, and is no playground`);
  writeOutput(file, PLAYGROUND, io);
  io.stdout.write(`Wrote ${file}\n`);
}
