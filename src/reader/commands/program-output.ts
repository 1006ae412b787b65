import type { ProgramRow } from '../../model/program-row.ts';
import { keyHolds } from '../programs/interpret/flags.ts';
import {
  boundedOrigins,
  EMPTY_WORD,
  knownText,
  leadingText,
  type Origin,
  originsOf,
  type Word,
} from '../reading/word.ts';
import type { Call } from '../shell/scope/interpreter.ts';

/** Marks the unknown output of another machine as coming from there. */
export function overNetwork(
  printed: Word | undefined,
  { command }: Call,
  row: ProgramRow | undefined,
): Word | undefined {
  if (printed === undefined || row?.scheme !== 'ssh' || knownText(printed) !== undefined) return printed;
  const origins = boundedOrigins(
    command.effects.flatMap((effect) =>
      effect.type === 'network' ? [{ type: 'network' as const, source: effect.target }] : [],
    ),
  );
  return printed.map((part) => (part.type === 'unknown' ? { ...part, origins } : part));
}

/** Settings for the shell that evaluates them, `eval "$(ssh-agent -s)"`, run nothing. */
export function printsSettings({ args, parsed }: Call, row: ProgramRow | undefined): boolean {
  const words = row?.prints_settings;
  if (words === undefined) return false;
  const firsts = [args[0]?.word, parsed.operands[0]?.word].map((first) => leadingText(first ?? EMPTY_WORD));
  return words === true || firsts.some((first) => words.includes(first));
}

/** The origins of the text that a command prints: its input, the files it reads, its downloads; or a decoder. */
export function outputOrigins(call: Call, row: ProgramRow | undefined): readonly Origin[] {
  const prints = row?.prints;
  if (prints === 'own') return [];
  const origins: Origin[] = [...originsOf(call.command.input ?? EMPTY_WORD)];
  if (keyHolds(call.parsed, row?.decodes)) origins.unshift({ type: 'decoder', source: EMPTY_WORD });
  for (const effect of call.command.effects) {
    if (effect.type === 'path' && effect.use === 'read' && prints !== 'made') {
      const content = call.interpreter.fileAt(call, effect.written);
      if (content === undefined) origins.push({ type: 'file', source: effect.path });
      else origins.push(...originsOf(content));
    }
    // A server that the person has set up has no target here: its answers are no more foreign than other programs' output.
    if (effect.type === 'network' && effect.use !== 'listen' && effect.target.length > 0)
      origins.push({ type: 'network', source: effect.target });
  }
  return prints === 'made' ? origins.filter(({ type }) => type !== 'file') : origins;
}
