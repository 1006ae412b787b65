import { type CompletionItem, CompletionItemKind, MarkupKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { cursorAt } from './cursor.ts';
import { wordsAt } from './words.ts';
import type { OpenFile } from './workspace.ts';

/** What may stand at an offset. A key comes with its colon. */
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
      // Editors sort by name else, which puts what is rarely used first.
      sortText: String(index).padStart(5, '0'),
    };
    return about === undefined
      ? item
      : { ...item, documentation: { kind: MarkupKind.Markdown, value: about } };
  });
}
