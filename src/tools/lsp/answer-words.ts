import {
  type CompletionItem,
  CompletionItemKind,
  type Hover,
  MarkupKind,
  type Position,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { cursorAt } from './cursor.ts';
import type { ServerPorts } from './ports.ts';
import { rangeOf } from './protocol.ts';
import { aboutWord, wordsAt } from './words.ts';
import type { OpenFile } from './workspace.ts';

/** The meaning of a word, and the documentation of the findings there. */
export async function hoverAt(
  file: OpenFile,
  document: TextDocument,
  position: Position,
  { explain }: Pick<ServerPorts, 'explain'>,
): Promise<Hover | null> {
  const cursor = cursorAt(file.text, document.offsetAt(position));
  const word = cursor === undefined ? undefined : aboutWord(cursor, file);
  const codes = file.diagnostics.filter((found) => isAt(position, found.position)).map(({ code }) => code);
  const findings = await Promise.all([...new Set(codes)].map(explain));
  const parts = [word, ...findings].filter((part) => part !== undefined);
  return parts.length === 0 ? null : { contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n') } };
}

function isAt({ line, character }: Position, found: Parameters<typeof rangeOf>[0]): boolean {
  const { start, end } = rangeOf(found);
  return line === start.line && start.character <= character && character <= end.character;
}

/** The words that may be at an offset. A key comes with its colon. */
export function completionsAt(
  file: OpenFile,
  document: TextDocument,
  offset: number,
): readonly CompletionItem[] {
  const cursor = cursorAt(file.text, offset);
  if (cursor === undefined) return [];
  const range = { start: document.positionAt(cursor.start), end: document.positionAt(cursor.end) };
  return wordsAt(cursor, file).map(({ word, isKey, about }, index): CompletionItem => {
    const newText = isKey && !cursor.hasValue ? `${word}: ` : word;
    const item: CompletionItem = {
      label: word,
      kind: isKey ? CompletionItemKind.Property : CompletionItemKind.Value,
      textEdit: { range, newText },
      // Editors sort by name else, which puts rare words first.
      sortText: String(index).padStart(5, '0'),
    };
    return about === undefined
      ? item
      : { ...item, documentation: { kind: MarkupKind.Markdown, value: about } };
  });
}
