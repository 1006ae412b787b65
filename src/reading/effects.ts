import { flagSet, valueArgument } from './arguments.ts';
import type { ProgramSpec, Role } from './knowledge/program-spec.ts';
import type { NetworkEffect } from './reading.ts';
import { readRemotePath } from './url.ts';
import type { Arg, Call, Operand, Walker } from './walker.ts';
import { isDetermined, joinWords, knownText, leadingText, textWord, type Word } from './word.ts';

/** Adds what a program does, as far as its table says. */
export function addTableEffects(call: Call, spec: ProgramSpec, walker: Walker): void {
  const { parsed, command } = call;
  const names = new Set(parsed.flags.map((flag) => flag.name));
  const has = (flags: string | undefined) => flags?.split(' ').some((flag) => names.has(flag)) === true;
  if (has('--help --version') || has(spec.harmless)) return;
  const recursive = spec.recursive === true || has(spec.recursive);
  const how: How = { recursive, append: has(spec.appends), scheme: spec.scheme ?? 'http' };
  for (const flag of parsed.flags) {
    const role = spec.flags?.[flag.name];
    const value = valueArgument(call.args, flag);
    if (role !== undefined && flag.value !== undefined) {
      addRole(role, flag.value, value, how, call, walker);
    }
  }
  const operands = parsed.operands.slice(parsed.subcommands);
  const first = has(spec.firstUnless) ? [] : (spec.first ?? []);
  const last = has(spec.lastUnless) ? undefined : spec.last;
  operands.forEach((operand, index) => {
    const role = roleOf(index, operands.length, first, spec.rest, last);
    if (role !== undefined) addRole(role, operand.word, call.args[operand.arg], how, call, walker);
  });
  const used = operands.length > first.length;
  if (spec.fallback !== undefined && spec.rest !== undefined && !used && !parsed.openEnded) {
    walker.path(command, pathUse(spec.rest) ?? 'read', textWord(spec.fallback), { recursive });
  }
}

function roleOf(
  index: number,
  count: number,
  first: readonly Role[],
  rest: Role | undefined,
  last: Role | undefined,
): Role | undefined {
  if (index < first.length) return first[index];
  return last !== undefined && index === count - 1 && index > 0 ? last : rest;
}

function pathUse(role: Role): 'read' | 'list' | 'write' | 'delete' | 'execute' | undefined {
  return role === 'read' || role === 'list' || role === 'write' || role === 'delete' || role === 'execute'
    ? role
    : undefined;
}

/** What holds for all words of a command. */
interface How {
  readonly recursive: boolean;
  readonly append: boolean;
  readonly scheme: string;
}

function addRole(
  role: Role,
  word: Word,
  arg: Arg | undefined,
  { recursive, append, scheme }: How,
  call: Call,
  walker: Walker,
): void {
  const { command } = call;
  const span = arg?.span ?? call.span;
  if (knownText(word) === '-' || word.length === 0) return;
  switch (role) {
    case 'text':
      return;
    case 'read':
    case 'list':
    case 'write':
    case 'delete':
    case 'execute':
      walker.path(command, role, word, { recursive, span, append: append && role === 'write' });
      return;
    case 'append':
      walker.path(command, 'write', word, { append: true, span });
      return;
    case 'move':
      walker.path(command, 'read', word, { recursive: true, span });
      walker.path(command, 'delete', word, { recursive: true, span });
      return;
    case 'download':
    case 'upload':
    case 'connect':
    case 'listen':
      command.effects.push({ type: 'network', use: role, target: word, scheme, span });
      return;
    case 'from':
    case 'to': {
      const isRemote = readRemotePath(word) !== undefined;
      if (!isRemote) walker.path(command, role === 'from' ? 'read' : 'write', word, { recursive, span });
      // `h:/x` is a drive on one system and a host on the others.
      if (isRemote || /^[a-zA-Z]:\//.test(leadingText(word)))
        command.effects.push({
          type: 'network',
          use: role === 'from' ? 'download' : 'upload',
          target: word,
          scheme,
          span,
        });
      return;
    }
    case 'at-file': {
      if (leadingText(word).startsWith('@')) addFile(word, call, walker, span);
      return;
    }
    default:
      role satisfies never;
  }
}

/** `@file`; `@-` is standard input. */
function addFile(word: Word, call: Call, walker: Walker, span: NetworkEffect['span']): void {
  const file = joinWords(textWord(leadingText(word).slice(1)), word.slice(1));
  if (knownText(file) !== '-') walker.path(call.command, 'read', file, { span });
}

/** Adds what is known of a program that no table has: its operands are named, URLs may be used. */
export function addMentions(call: Call, walker: Walker): void {
  const { command, parsed, args } = call;
  const mention = (word: Word, arg: number) => {
    const span = args[arg]?.span ?? call.span;
    if (leadingText(word).includes('://')) {
      command.effects.push({ type: 'network', use: 'connect', target: word, scheme: 'http', span });
    } else walker.path(command, 'mention', word, { span });
  };
  for (const { word, arg } of parsed.operands as readonly Operand[]) mention(word, arg);
  for (const { value, arg } of parsed.flags)
    if (value !== undefined && isDetermined(value)) mention(value, arg);
}

/** The flags in a list that are in force; for readers of single programs. */
export function flagsInForce(call: Call, flags: string): boolean {
  const wanted = flagSet(flags);
  return call.parsed.flags.some((flag) => wanted.has(flag.name));
}
