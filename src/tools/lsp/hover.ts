import { type Hover, MarkupKind, type Position } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { cursorAt } from './cursor.ts';
import type { ServerPorts } from './ports.ts';
import { rangeOf } from './protocol.ts';
import { aboutWord } from './words.ts';
import type { OpenFile } from './workspace.ts';

/** What a word means, and what the documentation says of the findings there. */
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
