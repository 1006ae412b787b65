import { resolve } from 'node:path';
import type { Location } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { dataFolder } from '../policy/discovery.ts';
import { extendedBase } from '../policy/extended.ts';
import { isInside } from '../policy/source.ts';
import { callLines } from './call-lines.ts';
import { type Cursor, cursorAt } from './cursor.ts';
import { meaningAt } from './meaning.ts';
import type { ServerPorts } from './ports.ts';
import { rangeOf, uriOf } from './protocol.ts';
import { ruleNamed } from './words.ts';
import type { OpenFile } from './workspace.ts';

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Where that stands which a word names: a policy, files, a sample call. Packs are in the program, not on the disk. */
export function definitionAt(
  file: OpenFile,
  document: TextDocument,
  offset: number,
  { realPath }: Pick<ServerPorts, 'realPath'>,
): readonly Location[] {
  const cursor = cursorAt(file.text, offset);
  if (cursor === undefined) return [];
  const { word } = cursor;
  switch (meaningAt(cursor, file.kind)?.type) {
    case 'policy':
      return policyLocation(cursor, file);
    case 'file':
      return filesIn(realPath(extendedBase(word, file)), file);
    case 'data': {
      const path = realPath(resolve(dataFolder(file.path), word));
      return path === undefined ? [] : [startOf(path)];
    }
    case 'call': {
      const line = callLines(file.text).find(({ name }) => name === word);
      if (line === undefined) return [];
      const start = document.positionAt(line.offset);
      return [
        { uri: document.uri, range: { start, end: document.positionAt(line.offset + line.name.length) } },
      ];
    }
    default:
      return [];
  }
}

/** A file, or what was loaded out of a folder. */
function filesIn(path: string | undefined, { set }: OpenFile): readonly Location[] {
  if (path === undefined) return [];
  const inside = [...(set?.compiled.paths ?? [])].filter((each) => each !== path && isInside(each, path));
  return (inside.length > 0 ? inside : [path]).map(startOf);
}

function startOf(path: string): Location {
  return { uri: uriOf(path), range: START };
}

function policyLocation({ word }: Cursor, file: OpenFile): readonly Location[] {
  const position = ruleNamed(word, file)?.position;
  if (position === undefined || position.file.startsWith('builtin:')) return [];
  return [{ uri: uriOf(resolve(file.place.directory, position.file)), range: rangeOf(position) }];
}
