import { trimEnd } from '../../../lib/trim-end.ts';
import { readRemotePath, readUrl } from '../../reading/url.ts';
import { EMPTY_WORD, isDetermined, knownText, textWord, unknownWord, type Word } from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { flagValue } from '../interpret/flags.ts';

/** The folder that a clone makes: the last name of the URL. */
function cloneTarget(url: Word): Word | undefined {
  const path = knownText((readRemotePath(url) ?? readUrl(url))?.path ?? url) ?? knownText(url);
  const name = trimEnd(path ?? '', '/')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .at(-1);
  return name === undefined || name === '' ? undefined : textWord(name);
}

/** A whole repository is fetched into a folder: `clone URL [folder]`. */
export function addClone(call: Call, [repository, folder]: readonly Word[]): void {
  const target = folder ?? (repository === undefined ? undefined : cloneTarget(repository));
  if (target === undefined || repository === undefined) return;
  call.interpreter.path(call.command, 'write', target, { recursive: true });
  if (!isDetermined(repository) || !/^(?:[./~]|file:)/.test(knownText(repository) ?? '/'))
    call.interpreter.keepTree(
      call,
      target,
      unknownWord('a clone', [{ type: 'network', source: repository }]),
    );
}

/** `gh repo clone`, and `gh release download -p pattern` into a file, or a folder under any names. */
const hub: ProgramReader = (call) => {
  const words = call.parsed.operands.map(({ word }) => word);
  const name = words
    .slice(0, 2)
    .map((word) => knownText(word) ?? '')
    .join(' ');
  if (name === 'repo clone') addClone(call, words.slice(2));
  if (name !== 'release download') return undefined;
  const content = unknownWord('what is fetched', [{ type: 'network', source: EMPTY_WORD }]);
  const file = flagValue(call.parsed, '-O', '--output') ?? flagValue(call.parsed, '-p', '--pattern');
  const folder = flagValue(call.parsed, '-D', '--dir');
  if (folder !== undefined) call.interpreter.keepTree(call, folder, content);
  else if (file !== undefined) call.interpreter.keepFile(call, file, content);
  return undefined;
};

/** The effects that the reader of `gh` and `glab` adds to the row of a subcommand: none, or any. */
export function hubCode(name: string): 'nothing' | 'acts' {
  return name === 'repo' || name === 'release' ? 'acts' : 'nothing';
}

/** Programs that fetch repositories and releases. git has a reader of its own. */
export const CLONE_READERS: Readonly<Record<string, ProgramReader>> = { gh: hub, glab: hub };
