import { joinWords, knownText, outsideVariable, textWord, type Word } from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { argumentSpan } from '../interpret/effects-of-words.ts';
import { hasFlag } from '../interpret/flags.ts';

/** The folder for new policies if no path is given. */
const PROJECT_FOLDER = textWord('.policy');
const STATE_FOLDER = joinWords(outsideVariable('HOME', '~'), textWord('/.local/state/policy'));

/** The files that each command of this program writes: the paths that it gets, or a folder of its own. */
const WRITES: Readonly<Record<string, (call: Call) => 'nothing' | 'operands' | Word>> = {
  init: () => PROJECT_FOLDER,
  check: ({ parsed }) => (hasFlag(parsed, '--fix') ? 'operands' : 'nothing'),
  fmt: ({ parsed }) => (hasFlag(parsed, '--check') ? 'nothing' : 'operands'),
  lock: ({ parsed }) => (hasFlag(parsed, '--check') ? 'nothing' : 'operands'),
  test: ({ parsed }) => (hasFlag(parsed, '--update') ? 'operands' : 'nothing'),
  'add-test': ({ parsed }) => (hasFlag(parsed, '--to', '--record') ? 'nothing' : PROJECT_FOLDER),
  'judge record': () => 'operands',
  'judge cache clear': () => STATE_FOLDER,
};

const policy: ProgramReader = (call) => {
  const { operands, subcommands } = call.parsed;
  const name = operands
    .slice(0, subcommands)
    .map(({ word }) => knownText(word) ?? '')
    .join(' ');
  const what = Object.hasOwn(WRITES, name) ? WRITES[name]?.(call) : undefined;
  if (what === undefined || what === 'nothing' || hasFlag(call.parsed, '-h', '--help')) return undefined;
  if (what !== 'operands') write(what, call);
  else if (operands.length === subcommands) write(PROJECT_FOLDER, call);
  for (const { word, arg } of what === 'operands' ? operands.slice(subcommands) : [])
    if (knownText(word) !== '-') write(word, call, arg);
  return undefined;
};

function write(path: Word, call: Call, arg?: number): void {
  const span = arg === undefined ? call.span : argumentSpan(call, arg);
  call.interpreter.path(call.command, 'write', path, { recursive: true, span });
}

export const OWN_READERS: Readonly<Record<string, ProgramReader>> = { policy };
