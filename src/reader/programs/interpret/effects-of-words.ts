import type { NetworkEffect, PathUse, Span } from '../../reading/reading.ts';
import type { Word } from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import type { Call, Operand, PathOptions } from '../../shell/scope/interpreter.ts';

/** The place of an argument in the script. */
export function argumentSpan(call: Call, arg: number): Span {
  return call.args[arg]?.span ?? call.span;
}

export function usePath(call: Call, use: PathUse, { word, arg }: Operand, options: PathOptions = {}): void {
  call.interpreter.path(call.command, use, word, { ...options, span: argumentSpan(call, arg) });
}

/** Adds that a command reaches a host through one of its arguments. */
export function addNetworkEffect(
  call: Call,
  use: NetworkEffect['use'],
  target: Word,
  arg: number,
  scheme: string,
): void {
  addPlace(call.command, use, target, scheme, argumentSpan(call, arg));
}
