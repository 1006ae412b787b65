import type { NetworkUse } from '../../../model/program-spec.ts';
import { isFileUrl, readRemotePath } from '../../../reading/url.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  textWord,
  unknownWord,
  type Word,
} from '../../../reading/word.ts';
import { addPlace } from '../../../shell/run/network-effects.ts';
import type { Call, Walker } from '../../../shell/scope/walker.ts';
import { flagValue } from '../../interpret/arguments.ts';
import { argumentSpan } from '../../interpret/effects-of-words.ts';
import { cloneTarget } from '../clones.ts';
import { runText } from './commands.ts';
import type { Setting } from './settings.ts';
import { GIT_PLACE_IN_KEY, GIT_PLACE_KEYS, GIT_REMOTES } from './usual-remotes.ts';

const SCHEME = 'ssh';

/** Which other repositories git talks to. */
export function addRemotes(
  call: Call,
  subcommand: string,
  settings: readonly Setting[],
  walker: Walker,
): void {
  const { parsed, command, span } = call;
  const nested = `${subcommand} ${knownText(parsed.operands[1]?.word ?? EMPTY_WORD) ?? ''}`;
  const found = GIT_REMOTES[subcommand] ?? GIT_REMOTES[nested];
  if (subcommand === 'archive') addRemote(call, 'download', flagValue(parsed, '--remote'), 0, walker);
  // Where a remote lies is set up, nothing is fetched yet.
  if (nested === 'remote add' || nested === 'remote set-url') {
    const url = parsed.operands[3];
    if (url !== undefined && isPlace(url.word)) addRemote(call, 'connect', url.word, url.arg, walker);
  }
  if (found === undefined) return;
  const operand = found.at === undefined ? undefined : parsed.operands[found.at];
  const word = operand?.word ?? flagValue(parsed, '--repo');
  if (word === undefined && found.named !== undefined) return;
  for (const { key, value } of settings) addSettingPlace(call, found.use, key, value);
  if (word === undefined || (found.named !== 'place' && isName(word)))
    addPlace(command, found.use, EMPTY_WORD, SCHEME, span);
  else addRemote(call, found.use, word, operand?.arg ?? 0, walker);
  if (subcommand !== 'clone' || word === undefined) return;
  const target = parsed.operands[2]?.word ?? cloneTarget(word);
  if (target === undefined) return;
  walker.path(command, 'write', target, { recursive: true });
  if (isPlace(word))
    walker.keepTree(call, target, unknownWord('a clone', [{ type: 'network', source: word }]));
}

/** Adds where a setting leads git: a proxy, the URL of a remote, what URLs are replaced by. */
export function addSettingPlace(call: Call, use: NetworkUse, key: string, value: Word): void {
  const base = GIT_PLACE_IN_KEY.exec(key)?.[1];
  const place = base === undefined ? (GIT_PLACE_KEYS.test(key) ? value : EMPTY_WORD) : textWord(base);
  const isProxy = key.endsWith('proxy');
  if (place.length > 0 && (isProxy || isPlace(place)))
    addPlace(call.command, use, place, isProxy ? 'http' : SCHEME, call.span);
}

/** A URL or `host:path`, or what cannot be seen to be neither. `ext::` runs a command. */
function addRemote(
  call: Call,
  use: 'download' | 'upload' | 'connect',
  word: Word | undefined,
  arg: number,
  walker: Walker,
): void {
  if (word === undefined) return;
  const lead = leadingText(word);
  const span = argumentSpan(call, arg);
  if (lead.startsWith('ext::')) {
    // `% ` in it is a space.
    const script = joinWords(textWord(lead.slice(5).replaceAll('% ', ' ')), word.slice(1));
    runText(call, script, 'ext::', span, walker);
  } else if (isPlace(word)) addPlace(call.command, use, word, SCHEME, span);
}

/** The name of a remote that is set up: where it leads cannot be seen. */
function isName(word: Word): boolean {
  const known = knownText(word);
  return known !== undefined && !isPlace(word) && !/^(?:\.{1,2}(?:\/|$)|\/|~|file:|ext::)/i.test(known);
}

/** True for what lies on another machine, and for what may. */
function isPlace(word: Word): boolean {
  if (isFileUrl(leadingText(word))) return false;
  return readRemotePath(word) !== undefined || leadingText(word) === '';
}
