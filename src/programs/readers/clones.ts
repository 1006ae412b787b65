import { trimEnd } from '../../lib/trim-end.ts';
import { readRemotePath, readUrl } from '../../reading/url.ts';
import { EMPTY_WORD, isDetermined, knownText, textWord, unknownWord, type Word } from '../../reading/word.ts';
import type { ProgramReader } from '../../shell/scope/walker.ts';
import { flagValue } from '../interpret/arguments.ts';

/** The folder that a clone makes: the last name of the URL. */
export function cloneTarget(url: Word): Word | undefined {
  const path = knownText((readRemotePath(url) ?? readUrl(url))?.path ?? url) ?? knownText(url);
  const name = trimEnd(path ?? '', '/')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .at(-1);
  return name === undefined || name === '' ? undefined : textWord(name);
}

/**
 * A program that fetches a whole repository: `program VERB URL [folder]`.
 *
 * @param verbs the words before the URL; one text for each way to say it
 */
function cloner(verbs: readonly string[]): ProgramReader {
  return (call, walker) => {
    const words = call.parsed.operands.map(({ word }) => word);
    for (const verb of verbs) {
      const count = verb === '' ? 0 : verb.split(' ').length;
      const said = words.slice(0, count).map((word) => knownText(word) ?? '');
      const [repository, folder] = words.slice(count);
      if (said.join(' ') !== verb || repository === undefined || isLocal(repository)) continue;
      const target = folder ?? cloneTarget(repository);
      if (target === undefined) continue;
      walker.path(call.command, 'write', target, { recursive: true });
      walker.keepTree(call, target, unknownWord('a clone', [{ type: 'network', source: repository }]));
    }
    return undefined;
  };
}

function isLocal(repository: Word): boolean {
  return isDetermined(repository) && /^(?:[./~]|file:)/.test(knownText(repository) ?? '/');
}

/** `gh release download -p pattern`: into a file, into a folder, or under the names that the files have. */
const release: ProgramReader = (call, walker) => {
  const [group, verb] = call.parsed.operands.map(({ word }) => knownText(word));
  if (group !== 'release' || verb !== 'download') return undefined;
  const content = unknownWord('what is fetched', [{ type: 'network', source: EMPTY_WORD }]);
  const file = flagValue(call.parsed, '-O', '--output') ?? flagValue(call.parsed, '-p', '--pattern');
  const folder = flagValue(call.parsed, '-D', '--dir');
  if (folder !== undefined) walker.keepTree(call, folder, content);
  else if (file !== undefined) walker.keepFile(call, file, content);
  return undefined;
};

const repository = cloner(['repo clone']);

/** Programs that fetch repositories and releases. git has a reader of its own. */
export const CLONE_READERS: Readonly<Record<string, ProgramReader>> = {
  gh: (call, walker) => repository(call, walker) ?? release(call, walker),
  glab: repository,
};
