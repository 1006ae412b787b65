import { closest } from '../../../lib/closest.ts';
import { markdownText, withoutMarks } from '../../report/markdown-text.ts';
import type { Command } from '../command.ts';
import { findTopic, sectionsAbout } from '../docs/find-topic.ts';
import { sectionsOf } from '../docs/sections.ts';
import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { page } from '../page.ts';
import { paintFor } from '../print.ts';
import { UsageError } from '../usage-error.ts';

/** The page that lists the others. */
const INDEX = 'README';
const MAX_MENTIONS = 10;

export const docs = {
  operands: '[TOPIC]',
  operandWords: async () => Object.keys((await import('../../generated/docs-texts.ts')).DOCS),
  options: [],
  details: [
    'Without a topic, it lists the pages. A topic is a page (testing), a heading (paths), a key of a policy or a test\n(url), a code that policy check prints (never-matches), or PAGE#HEADING.',
    'On a terminal it uses the pager in PAGER, less by default; elsewhere it prints the text.',
  ],
  example: ['$ policy docs url', '$ policy docs never-matches', '$ policy docs policy#layers'],
  async run({ operands }, io) {
    const { DOCS } = await import('../../generated/docs-texts.ts');
    const topic = operands.join(' ');
    if (topic === '') {
      await show((DOCS[INDEX] ?? '').trimEnd().split('\n'), io);
      return EXIT_CODE.ok;
    }
    const sections = Object.entries(DOCS).flatMap(([name, text]) => sectionsOf(name, text));
    const found = findTopic(topic, sections);
    if (found !== undefined) {
      const more = found.elsewhere.map((other) => `policy docs ${other}`);
      const also = more.length === 0 ? [] : ['', `See also: ${more.join(', ')}`];
      await show([...found.lines.join('\n').trimEnd().split('\n'), ...also], io);
      return EXIT_CODE.ok;
    }
    const about = sectionsAbout(topic, sections).slice(0, MAX_MENTIONS);
    const names = sections.flatMap(({ page: name, anchor }) => (anchor === '' ? [name] : [anchor]));
    const meant = closest(topic, names);
    const hints = [
      ...(meant === undefined ? [] : [`did you mean "${meant}"?`]),
      ...(about.length === 0 ? [] : [`it is mentioned in ${about.join(', ')}`]),
    ];
    throw new UsageError(
      `Cannot find topic "${topic}": ${hints.join(' ') || 'policy docs lists what there is'}`,
    );
  },
} satisfies Command;

async function show(lines: readonly string[], io: Io): Promise<void> {
  const shown = withoutMarks(lines);
  const paint = paintFor(io.stdout, io.env);
  await page(io.stdout.isTTY ? markdownText(shown, paint) : `${shown.join('\n')}\n`, io);
}
