import type { Span } from '../../reading/reading.ts';
import type { Word } from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import type { Call, Walker } from '../../shell/scope/walker.ts';

/** A command in a text of its own: `nc -e /bin/sh`, `rsync -e 'ssh -i key'`. */
export function runInner(call: Call, script: Word, span: Span, walker: Walker): void {
  const via = [...call.place.via, { kind: 'wrapper' as const, name: call.command.name ?? '' }];
  runShellText(
    call,
    { word: script, span, at: undefined },
    { ...call.place, via, parent: call.index, input: undefined },
    'the command that is run',
    walker,
  );
}
