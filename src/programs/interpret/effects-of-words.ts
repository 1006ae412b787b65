import type { NetworkEffect, Span } from '../../reading/reading.ts';
import type { Word } from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import type { Call } from '../../shell/scope/walker.ts';

/** Where an argument stands. */
export function argumentSpan(call: Call, arg: number): Span {
  return call.args[arg]?.span ?? call.span;
}

/** Adds that a command reaches a host through one of its arguments. */
export function reach(
  call: Call,
  use: NetworkEffect['use'],
  target: Word,
  arg: number,
  scheme: string,
): void {
  addPlace(call.command, use, target, scheme, argumentSpan(call, arg));
}
