import { type JsonObject, own } from '../../lib/json.ts';
import { stringsIn } from '../../lib/json-path.ts';
import { type ImpliedBy, shellCall } from './implied-call.ts';

/** Keys that a text names in braces, with the characters that a shell gets for them. */
const KEYS = /\{(enter|return|newline|space|tab|backspace|[a-z0-9+_-]{1,16})\}/gi;
const TYPED: Readonly<Record<string, string>> = {
  enter: '\n',
  return: '\n',
  newline: '\n',
  space: ' ',
  tab: '\t',
  backspace: '\b',
};

/** For tools that type the texts in these arguments into a shell that runs already. */
export function typedIn(...names: readonly string[]): ImpliedBy {
  return (args) => shellCall(textsAt(args, names).map(asTyped).join('\n'));
}

/** The command as the shell reads it: keys are pressed, and wrong letters are taken back. */
export function asTyped(text: string): string {
  const pressed = text.replace(KEYS, (_key, name: string) => TYPED[name.toLowerCase()] ?? '');
  const kept: string[] = [];
  for (const letter of pressed.replaceAll('\r\n', '\n').replaceAll('\r', '\n')) {
    if (letter === '\b' || letter === '\x7f') kept.pop();
    else kept.push(letter);
  }
  return kept.join('');
}

function textsAt(args: JsonObject, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => stringsIn(own(args, name) ?? null));
}
