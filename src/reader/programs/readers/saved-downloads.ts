import { baseName, inFolder } from '../../reading/path.ts';
import { readUrl } from '../../reading/url.ts';
import { EMPTY_WORD, knownText, textWord, unknownWord, type Word } from '../../reading/word.ts';
import type { Call, Operand } from '../../shell/scope/interpreter.ts';
import { argumentSpan } from '../interpret/effects-of-words.ts';
import { flagValue } from '../interpret/flags.ts';

/** Flags that say where a program puts what it fetches. */
interface SavePlaces {
  readonly file: readonly string[];
  readonly folder?: readonly string[];
  /** The name of what is fetched from a URL that ends in a slash. */
  readonly index?: string;
}

/** What a program that fetches prints or saves. */
export function fetched(call: Call): Word {
  const urls = call.command.effects.filter((effect) => effect.type === 'network' && effect.use !== 'listen');
  const origins = urls.map((effect) => ({
    type: 'network' as const,
    source: effect.type === 'network' ? effect.target : EMPTY_WORD,
  }));
  return unknownWord(`the output of ${call.command.name ?? 'a program'}`, origins);
}

/** A name for what a program prints to, in the place of a file. */
const PRINTED = /^(?:-|\/dev\/(?:stdout|stderr|tty|fd\/\d+)|\/proc\/[^/]+\/fd\/\d+)$/;

/**
 * Where what is fetched is put: it is remembered, so that running it later in the script is seen. Gives back what is
 * printed of it.
 */
export function saveDownloads(
  call: Call,
  urls: readonly Operand[],
  { file, folder, index }: SavePlaces,
  byName: boolean,
): Word {
  const { parsed, command, interpreter } = call;
  const content = fetched(call);
  const directory = folder === undefined ? undefined : flagValue(parsed, ...folder);
  const save = (name: Word, arg: number) => {
    const path = directory === undefined ? name : inFolder(directory, name);
    interpreter.path(command, 'write', path, { span: argumentSpan(call, arg) });
    interpreter.keepFile(call, path, content);
  };
  const targets = parsed.flags.filter(({ name, value }) => value !== undefined && file.includes(name));
  let isPrinted = targets.length === 0 && !byName;
  for (const { value = EMPTY_WORD, arg } of targets)
    if (PRINTED.test(knownText(value) ?? '')) isPrinted = true;
    else save(value, arg);
  for (const { word, arg } of byName ? urls : []) {
    const path = readUrl(word, 'http')?.path;
    const isFolder = path !== undefined && /(?:^|\/)$/.test(knownText(path) ?? '-');
    const name = isFolder ? textWord(index ?? '') : path === undefined ? EMPTY_WORD : baseName(path);
    if (knownText(name) !== undefined && name.length > 0) save(name, arg);
  }
  return isPrinted ? content : EMPTY_WORD;
}
