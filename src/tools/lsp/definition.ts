import { resolve } from 'node:path';
import type { Location } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { extendedBase } from '../../language/policy/compile/extended.ts';
import { isInside } from '../../language/policy/files/folders.ts';
import { dataFolder } from '../../language/policy/files/read-allowed.ts';
import type { Position } from '../../model/diagnostic.ts';
import { cursorAt } from './cursor.ts';
import { meaningAt } from './meaning.ts';
import type { ServerPorts } from './ports.ts';
import { rangeOf, uriOf } from './protocol.ts';
import { sectionNames } from './section-names.ts';
import { parametersOf, ruleNamed } from './words.ts';
import type { OpenFile } from './workspace.ts';

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** The place of the thing that a word names: a policy, files, a sample call. Packs are in the program, not on the disk. */
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
      return positionLocation(ruleNamed(word, file)?.position, file);
    case 'file':
      return filesIn(realPath(extendedBase(word, file)), file);
    case 'data': {
      const path = realPath(resolve(dataFolder(file.path), word));
      return path === undefined ? [] : [startOf(path)];
    }
    case 'call':
      return nameLocation('calls', word, file, document);
    case 'parameter':
      return nameLocation('parameters', word, file, document);
    case 'fact':
      return nameLocation('facts', word, file, document);
    case 'setting':
      return positionLocation(parametersOf(file).find(({ id }) => id === word)?.position, file);
    default:
      return [];
  }
}

/** A file, or the files that were loaded out of a folder. */
function filesIn(path: string | undefined, { set }: OpenFile): readonly Location[] {
  if (path === undefined) return [];
  const inside = [...(set?.compiled.paths ?? [])].filter((each) => each !== path && isInside(each, path));
  return (inside.length > 0 ? inside : [path]).map(startOf);
}

function startOf(path: string): Location {
  return { uri: uriOf(path), range: START };
}

function nameLocation(
  section: Parameters<typeof sectionNames>[1],
  word: string,
  { text, uri }: OpenFile,
  document: TextDocument,
): readonly Location[] {
  const found = sectionNames(text, section).find(({ name }) => name === word);
  if (found === undefined) return [];
  const end = document.positionAt(found.offset + found.name.length);
  return [{ uri, range: { start: document.positionAt(found.offset), end } }];
}

function positionLocation(position: Position | undefined, { place }: OpenFile): readonly Location[] {
  if (position === undefined || position.file.startsWith('builtin:')) return [];
  return [{ uri: uriOf(resolve(place.directory, position.file)), range: rangeOf(position) }];
}
