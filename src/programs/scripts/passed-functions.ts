import { knownText } from '../../reading/word.ts';
import type { FoundCall } from './code.ts';
import type { Language } from './language.ts';
import { elementOf, type Value, wordOf } from './values.ts';

/**
 * Functions that a call is given to call: `map(os.remove, files)`, `files.forEach(fs.unlinkSync)`,
 * `array_map("unlink", $files)`, `send(:system, "ls")`, and with what.
 */
export function passedCall(call: FoundCall, language: Language): FoundCall | undefined {
  switch (language) {
    case 'python':
      return pythonCall(call);
    case 'javascript':
      return scriptCall(call);
    case 'ruby':
      return rubyCall(call);
    case 'php':
      return phpCall(call);
    default:
      return undefined;
  }
}

const PYTHON_MAPS = new Set(['map', 'filter', 'imap', 'imap_unordered', 'starmap']);
const PYTHON_STARTS = new Set(['partial', 'submit', 'to_thread', 'call_soon', 'register', 'run_in_executor']);

function pythonCall({ names, args, named }: FoundCall): FoundCall | undefined {
  const last = names.at(-1) ?? '';
  const [first, second, ...rest] = args;
  if (PYTHON_MAPS.has(last)) return calling(first, [elementOf(second)]);
  if (last === 'Thread' || last === 'Process') {
    const given = named.get('args');
    return calling(named.get('target'), given?.type === 'list' ? given.items : []);
  }
  if (!PYTHON_STARTS.has(last)) return undefined;
  return last === 'run_in_executor' ? calling(second, rest) : calling(first, args.slice(1));
}

const SCRIPT_ITERATORS = new Set(['forEach', 'map', 'flatMap', 'filter', 'then']);

function scriptCall({ names, args, receiver }: FoundCall): FoundCall | undefined {
  const last = names.at(-1) ?? '';
  if (SCRIPT_ITERATORS.has(last)) return calling(args[0], [elementOf(receiver)]);
  if (last !== 'call' && last !== 'apply') return undefined;
  const given = last === 'apply' && args[1]?.type === 'list' ? args[1].items : args.slice(1);
  return { names: names.slice(0, -1), args: given, named: new Map(), receiver: undefined };
}

const RUBY_ITERATORS = new Set([
  'each',
  'map',
  'flat_map',
  'each_entry',
  'select',
  'reject',
  'then',
  'each_child',
]);
const RUBY_SENDERS = new Set(['send', 'public_send', '__send__']);

function rubyCall({ names, args, named, receiver }: FoundCall): FoundCall | undefined {
  const last = names.at(-1) ?? '';
  const [first, ...rest] = args;
  if (RUBY_ITERATORS.has(last)) return calling(first, [elementOf(receiver)]);
  if (last === 'call') return { names: names.slice(0, -1), args, named, receiver: undefined };
  const sent = RUBY_SENDERS.has(last) ? knownText(wordOf(first)) : undefined;
  return sent === undefined
    ? undefined
    : { names: [...names.slice(0, -1), sent], args: rest, named, receiver };
}

function phpCall({ names, args }: FoundCall): FoundCall | undefined {
  const [first, second, ...rest] = args;
  switch (names.at(-1)) {
    case 'array_map':
      return named(first, [elementOf(second)]);
    case 'array_walk':
    case 'array_filter':
      return named(second, [elementOf(first)]);
    case 'call_user_func':
      return named(first, second === undefined ? [] : [second, ...rest]);
    case 'call_user_func_array':
      return named(first, second?.type === 'list' ? second.items : []);
    default:
      return undefined;
  }
}

/** PHP gives functions by their names. */
function named(value: Value | undefined, args: readonly Value[]): FoundCall | undefined {
  const name = knownText(wordOf(value));
  return name === undefined ? undefined : { names: [name], args, named: new Map(), receiver: undefined };
}

function calling(value: Value | undefined, args: readonly Value[]): FoundCall | undefined {
  if (value?.type !== 'function') return undefined;
  return value.method
    ? { names: ['Pathname', ...value.names], args: args.slice(1), named: new Map(), receiver: args[0] }
    : { names: value.names, args, named: new Map(), receiver: undefined };
}
