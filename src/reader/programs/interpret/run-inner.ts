import type { Span, Via } from '../../reading/reading.ts';
import type { Word } from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import { newFlow } from '../../shell/scope/flow.ts';
import type { Call, Frame } from '../../shell/scope/interpreter.ts';
import { hideStatus } from '../../shell/scope/run-certainty.ts';
import { newScope } from '../../shell/scope/scope.ts';

/** The frame of a command that another one starts: a process of its own. */
export function frameInside({ frame, index }: Call, step: Via): Frame {
  const scope = newScope('process', frame.scope);
  const runCertainty = hideStatus(frame.runCertainty, 'wrapper', false);
  return {
    ...frame,
    flow: newFlow(frame.flow.known),
    scope,
    runCertainty,
    language: 'sh',
    via: [...frame.via, step],
    parent: index,
  };
}

/** A command in a text of its own: `nc -e /bin/sh`, `rsync -e 'ssh -i key'`. */
export function runInner(call: Call, script: Word, span: Span): void {
  const frame = frameInside(call, { kind: 'wrapper', name: call.command.name ?? '' });
  const arg = { word: script, span };
  runShellText(call, arg, { ...frame, input: undefined }, 'the command that is run');
}
