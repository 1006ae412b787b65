import type { Span, Via } from '../../reading/reading.ts';
import type { Word } from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import { newScope } from '../../shell/scope/scope.ts';
import { hidden } from '../../shell/scope/standing.ts';
import type { Call, Place, Walker } from '../../shell/scope/walker.ts';

/** Where that is which a command starts: in a process of its own. */
export function placeInside({ place, index }: Call, step: Via): Place {
  const scope = newScope('process', place.scope);
  const standing = hidden(place.standing, 'wrapper', false);
  return { ...place, scope, standing, language: 'sh', via: [...place.via, step], parent: index };
}

/** A command in a text of its own: `nc -e /bin/sh`, `rsync -e 'ssh -i key'`. */
export function runInner(call: Call, script: Word, span: Span, walker: Walker): void {
  const place = placeInside(call, { kind: 'wrapper', name: call.command.name ?? '' });
  const arg = { word: script, span, at: undefined };
  runShellText(call, arg, { ...place, input: undefined }, 'the command that is run', walker);
}
