import type { NetworkEffect, Span } from '../../reading/reading.ts';
import { isBlank, leadingText, type Word, withoutWildcards } from '../../reading/word.ts';
import type { CommandBuilder } from '../scope/interpreter.ts';

/** Adds that a command reaches a place. */
export function addPlace(
  command: CommandBuilder,
  use: NetworkEffect['use'],
  target: Word,
  scheme: string,
  span: Span,
): void {
  // No file is called like a URL or an address: `[::1]` is none of its characters.
  const place = withoutWildcards(target);
  command.effects.push({ type: 'network', use, target: place, scheme, port: undefined, span });
}

/** Notes the port of the places that a command reaches, if it is apart from them. */
export function setPort(command: CommandBuilder, port: Word | undefined): void {
  if (port === undefined) return;
  command.effects = command.effects.map((effect) =>
    effect.type === 'network' && effect.use !== 'listen' && !hasPort(effect.target)
      ? { ...effect, port: effect.port ?? port }
      : effect,
  );
}

/** `host:80`, `scheme://host:80/path`. */
function hasPort(target: Word): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@]*@)?(?:[^/:[\]]+|\[[^/\]]*\]):[0-9]+(?:\/|$)/i.test(
    leadingText(target),
  );
}

/** Notes that a text goes to the place that a command is connected to, unless there is nothing in it. */
export function sendText(command: CommandBuilder, text: Word | undefined): void {
  if (text === undefined || isBlank(text)) return;
  command.effects = command.effects.map((effect) =>
    effect.type === 'network' && effect.use === 'connect' ? { ...effect, use: 'upload' } : effect,
  );
}
