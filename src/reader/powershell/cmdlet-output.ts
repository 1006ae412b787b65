import { askedProcesses } from '../programs/readers/asked-processes.ts';
import { globPieces } from '../reading/glob-pieces.ts';
import { baseName, parentOf } from '../reading/path.ts';
import {
  EMPTY_WORD,
  FOUND_FILES,
  joinWords,
  knownText,
  leadingText,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
} from '../reading/word.ts';
import type { Bound } from './bind.ts';
import { type Special, wordsOf } from './cmdlet-call.ts';
import type { PsFrame, Value } from './state.ts';
import { below, boundedValue, derived, knownValue } from './values.ts';
import { windowsPath } from './windows-path.ts';

export const joinPath: Special = (call) => {
  const { named, values } = wordsOf(call, 'resolve');
  const parts = [named('path'), named('childpath'), named('additionalchildpath')].filter(
    (value) => value !== undefined,
  );
  const all = [...parts, ...values];
  const [folders = [], ...names] =
    call.piped === undefined || parts.length + values.length > 1 ? all : [call.piped, ...all];
  return boundedValue(folders.flatMap((folder) => joinAllBelow(windowsPath(folder, false), names)));
};

function joinAllBelow(folder: Word, names: readonly Value[]): Value {
  let made: Value = [folder];
  for (const name of names)
    made = boundedValue(
      made.flatMap((each) => name.map((word) => below(withoutSlash(each), windowsPath(word, false)))),
    );
  return made;
}

function withoutSlash(word: Word): Word {
  const last = word.at(-1);
  return last?.type === 'text' && last.text.length > 1 && last.text.endsWith('/')
    ? joinWords(word.slice(0, -1), textWord(last.text.slice(0, -1)))
    : word;
}

export const splitPath: Special = (call) => {
  const { named, values } = wordsOf(
    call,
    'leaf',
    'parent',
    'leafbase',
    'extension',
    'qualifier',
    'noqualifier',
    'resolve',
    'isabsolute',
  );
  const paths = [
    ...(named('path') ?? named('literalpath') ?? []),
    ...values.flat(),
    ...(call.piped ?? []),
  ].map((word) => windowsPath(word, false));
  if (named('leaf') !== undefined) return paths.map((path) => baseName(path));
  return paths.map(
    (path) =>
      parentOf(path) ?? (knownText(path) === undefined ? derived('Split-Path', [path]) : textWord('.')),
  );
};

/** The output of a cmdlet whose words have been bound. */
export function outputOf(name: string, { slots, named }: Bound, printed: Value, at: PsFrame): Value {
  const [first = []] = slots;
  switch (name) {
    case 'get-childitem':
      return children(first.length === 0 ? [textWord('.')] : first, named, slots[1]);
    case 'get-item':
    case 'resolve-path':
    case 'convert-path':
    case 'get-command':
    case 'get-alias':
    case 'get-service':
    case 'get-scheduledtask':
      return first.length === 0 ? printed : first;
    case 'get-process':
    case 'get-ciminstance':
    case 'get-wmiobject':
      return processes(name, slots, named, printed);
    case 'new-item': {
      const own = named.get('-name');
      return own === undefined ? first : first.flatMap((folder) => own.map((word) => below(folder, word)));
    }
    case 'new-temporaryfile':
      return [below(outsideVariable('TEMP', '$env:TEMP'), unknownWord('a name'))];
    case 'test-path':
      return [unknownWord('a condition')];
    case 'tee-object':
      return printed;
    default:
      return printed
        .map((word) => (word.length === 0 ? EMPTY_WORD : word))
        .filter((word) => word.length > 0 || at.captured);
  }
}

/** The processes that are asked for: all of them unless something names or chooses some. */
function processes(name: string, [first = []]: Bound['slots'], named: Bound['named'], printed: Value): Value {
  const asked = knownValue(first) ?? '';
  if (name === 'get-process') return first.length > 0 ? first : [textWord('*')];
  const filter = named.get('-filter');
  const found = askedProcesses(
    filter === undefined ? asked : `select * from ${asked} where ${knownValue(filter) ?? ''}`,
  );
  if (found !== undefined) return [textWord(found)];
  return filter === undefined && !asked.includes(' ') && first.length > 0 ? first : printed;
}

/** The files that Get-ChildItem finds. */
function children(
  folders: Value,
  named: ReadonlyMap<string, Value | undefined>,
  second: Value | undefined,
): Value {
  const filters = named.get('-filter') ?? named.get('-include') ?? (second?.length ? second : undefined);
  const isDeep = named.has('-recurse') || named.has('-depth');
  return boundedValue(
    folders.flatMap((folder): Value => {
      const last = baseName(folder);
      const isPattern = last.some(({ type }) => type === 'glob');
      const names = filters ?? (isPattern && isDeep ? [last] : undefined);
      const start = isPattern && isDeep ? (parentOf(folder) ?? textWord('.')) : folder;
      if (isPattern && !isDeep && filters === undefined) return [folder];
      const slashed = joinWords(
        start,
        textWord(leadingText(start).endsWith('/') && start.length === 1 ? '' : '/'),
      );
      const somewhere: Word = isDeep ? [...slashed, ...unknownWord(FOUND_FILES)] : slashed;
      if (names !== undefined)
        return names.map((name) =>
          joinWords(isDeep ? joinWords(somewhere, textWord('/')) : somewhere, wild(name)),
        );
      const all: Word = [...slashed, { type: 'glob', pattern: isDeep ? '**' : '*' }];
      const isFile = /[^.]\.[A-Za-z0-9]{1,5}$/.test(knownText(last) ?? '');
      return isFile ? [folder] : [all];
    }),
  );
}

function wild(name: Word): Word {
  const known = knownText(name);
  return known === undefined ? name : globPieces(known, { escapes: false, stopsAtSlash: true });
}
