import { addPlace } from '../network.ts';
import type { NetworkEffect, Span } from '../reading.ts';
import type { Call } from '../walker.ts';
import type { Word } from '../word.ts';

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
