import { isJsonObject, type Json } from '../../../lib/json.ts';
import type { ToolCall, ToolClass } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { showWord } from '../../../reader/reading/word.ts';
import { type ShellText, shellTexts } from '../call/shell-reading.ts';
import { TRAITS } from '../call/traits.ts';
import { writtenCommands } from '../call/written-commands.ts';

/** The ways by which text can leave. */
export const OUTGOING_CHANNELS = ['network', 'message', 'mcp'] as const;
export type OutgoingChannel = (typeof OUTGOING_CHANNELS)[number];

/** The classes of tools that send their arguments there. */
export const SENDING_CLASSES: Readonly<Record<OutgoingChannel, readonly ToolClass[]>> = {
  network: ['fetch', 'web_search'],
  message: ['message'],
  mcp: ['mcp'],
};

/** The texts that a call would send. */
export interface Outgoing {
  readonly texts: readonly string[];
  /** False if there may be more. */
  readonly complete: boolean;
}

/** The texts of a call that are on their way out: all arguments of tools that send them, and commands that talk to the network. */
export function outgoingTexts(facts: Facts, ways: readonly OutgoingChannel[]): Outgoing {
  const call = facts.event.tool;
  if (call === undefined) return { texts: [], complete: true };
  if (call.arguments === undefined) return { texts: [], complete: false };
  const sends = call.unsure === true || ways.some((way) => isOf(call, SENDING_CLASSES[way]));
  const commands = ways.includes('network') ? sentByCommands(call, facts) : [];
  return { texts: [...new Set([...(sends ? textsIn(call.arguments) : []), ...commands])], complete: true };
}

function isOf({ classes }: ToolCall, wanted: readonly ToolClass[]): boolean {
  return classes.some((each) => wanted.includes(each));
}

/** Every text in a value, names of its parts included. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)]) : [];
}

/**
 * The whole of a script that uses the network, as written and as a shell reads its words: one command sends the output of
 * another.
 */
function sentByCommands(call: ToolCall, facts: Facts): readonly string[] {
  const talking = (shellTexts(facts)?.texts ?? []).filter(mayUseNetwork);
  if (talking.length === 0) return [];
  const written = writtenCommands(call).written.map(({ text }) => text);
  const words = talking
    .flatMap(({ reading }) => reading().commands)
    .flatMap(wordsOf)
    .filter((word) => !written.some((text) => text.includes(word)));
  return [...written, ...words];
}

function mayUseNetwork({ summary, reading }: ShellText): boolean {
  if (summary.hasGaps || summary.hasUnknownName) return true;
  if ((summary.traits & TRAITS.network) === 0) return false;
  return reading().commands.some(({ effects }) =>
    effects.some((effect) => effect.type === 'network' && effect.use !== 'listen'),
  );
}

function wordsOf({ args, input, assignments }: ReadCommand): readonly string[] {
  const values = assignments.map(({ value }) => value);
  return [...args, ...values, ...(input === undefined ? [] : [input])].flatMap((word) =>
    word === undefined ? [] : [showWord(word)],
  );
}
