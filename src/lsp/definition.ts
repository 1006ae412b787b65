import { dirname, resolve } from 'node:path';
import type { Location } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { dataFolder } from '../policy/discovery.ts';
import { callLines } from './call-lines.ts';
import { type Cursor, cursorAt } from './cursor.ts';
import { meaningAt } from './meaning.ts';
import type { ServerPorts } from './ports.ts';
import { rangeOf, uriOf } from './protocol.ts';
import { ruleNamed } from './words.ts';
import type { OpenFile } from './workspace.ts';

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Where that stands which a word names: a policy, a file, a sample call. Packs are in the program, not on the disk. */
export function definitionAt(
  file: OpenFile,
  document: TextDocument,
  offset: number,
  { realPath }: Pick<ServerPorts, 'realPath'>,
): Location | undefined {
  const cursor = cursorAt(file.text, offset);
  if (cursor === undefined) return undefined;
  switch (meaningAt(cursor, file.kind)?.type) {
    case 'policy':
      return policyLocation(cursor, file);
    case 'file':
    case 'data': {
      const isData = meaningAt(cursor, file.kind)?.type === 'data';
      const path = realPath(resolve(isData ? dataFolder(file.path) : dirname(file.path), cursor.word));
      return path === undefined ? undefined : { uri: uriOf(path), range: START };
    }
    case 'call': {
      const line = callLines(file.text).find(({ name }) => name === cursor.word);
      if (line === undefined) return undefined;
      const start = document.positionAt(line.offset);
      return {
        uri: document.uri,
        range: { start, end: document.positionAt(line.offset + line.name.length) },
      };
    }
    default:
      return undefined;
  }
}

function policyLocation({ word }: Cursor, file: OpenFile): Location | undefined {
  const position = ruleNamed(word, file)?.position;
  if (position === undefined || position.file.startsWith('builtin:')) return undefined;
  return { uri: uriOf(resolve(file.place.directory, position.file)), range: rangeOf(position) };
}
