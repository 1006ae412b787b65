import { codeBlocks, inlineCodes } from './markdown.ts';

/** A command line of this program that a page mentions. */
export interface MentionedCommand {
  readonly text: string;
  readonly command: string;
  /** Long options without their dashes and values. */
  readonly options: readonly string[];
}

/** Every `policy COMMAND ...` of a page, in running text and in blocks that show a terminal. */
export function mentionedCommands(page: string): readonly MentionedCommand[] {
  return [...terminalLines(page), ...inlineCodes(page)].flatMap((text) => {
    const [, command, rest = ''] = /^policy ([a-z-]+)\b(.*)$/.exec(text) ?? [];
    return command === undefined ? [] : [{ text, command, options: optionsIn(rest) }];
  });
}

/** The options that a page mentions by themselves, such as `--no-log`. */
export function mentionedOptions(page: string): readonly string[] {
  return inlineCodes(page)
    .filter((text) => text.startsWith('--'))
    .flatMap(optionsIn);
}

/** The scripts of package.json that a page tells to run. */
export function mentionedScripts(page: string): readonly string[] {
  const texts = [...terminalLines(page), ...inlineCodes(page)].join('\n');
  return [...texts.matchAll(/\bnpm (?:run )?([a-z][a-z0-9:]*)\b/g)].map(([, name = '']) => name);
}

/** The command lines of blocks that show a terminal, without prompt and comment. */
function terminalLines(page: string): readonly string[] {
  return codeBlocks(page)
    .filter(({ language }) => language === 'console')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.startsWith('$ '))
    .map((line) => line.slice(2).replace(/\s+#.*$/, ''));
}

function optionsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|\s)--([a-z-]+)/g)].map(([, name = '']) => name);
}
