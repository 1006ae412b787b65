import type { Redirection } from '../reading/reading.ts';
import { EMPTY_WORD, eitherText, joinWords, textWord, type Word } from '../reading/word.ts';
import { spanIn } from '../shell/parse/source.ts';
import { linkStages } from '../shell/run/links.ts';
import type { Redirected } from '../shell/run/redirections.ts';
import { deliver, readRedirectionsOnly } from '../shell/run/simple-command.ts';
import { newScope } from '../shell/scope/scope.ts';
import { readCommand } from './commands.ts';
import type { PsFrame, Value } from './state.ts';
import type { PipelineStage, Statement } from './syntax.ts';
import { windowsPath } from './windows-path.ts';

/** Reads a pipeline: the output of one stage goes to the next. */
export function readPipeline(
  { stages, isBackground }: Extract<Statement, { type: 'pipeline' }>,
  at: PsFrame,
): Value {
  const { interpreter } = at;
  const frame = isBackground ? { ...at, scope: newScope('subshell', at.scope) } : at;
  let piped: Value | undefined;
  let before = interpreter.commands.length;
  stages.forEach((stage, index) => {
    const start = interpreter.commands.length;
    const captured = index < stages.length - 1 || at.captured;
    piped = readStage(stage, { ...frame, captured }, piped);
    if (index > 0 && start > before) linkStages(before, start, at.substitutions, interpreter);
    if (interpreter.commands.length > start) before = start;
  });
  return piped ?? [];
}

function readStage(stage: PipelineStage, at: PsFrame, piped: Value | undefined): Value {
  const redirected = redirectionsOf(stage, at);
  const isRedirected = redirected.redirections.length > 0;
  const inner = isRedirected ? { ...at, captured: true } : at;
  const { interpreter } = at;
  const start = interpreter.commands.length;
  const put =
    stage.expression === undefined
      ? readCommand(stage, inner, piped, redirected.redirections)
      : at.read.expression(stage.expression, { ...inner, captured: true });
  if (!isRedirected) return put;
  const command = interpreter.commands
    .slice(start)
    .find(({ redirections }) => redirections === redirected.redirections);
  const carrier = command ?? readRedirectionsOnly(redirected, spanIn(at.source, stage.start, stage.end), at);
  const printed = deliver(linesOf(put), redirected, carrier, at);
  return printed.length === 0 ? [] : [printed];
}

export function linesOf(value: Value): Word {
  const [first, ...others] = value;
  if (first === undefined) return EMPTY_WORD;
  return others.length === 0 ? first : joinWords(others.reduce(eitherText, first), textWord('\n'));
}

function redirectionsOf({ redirections }: PipelineStage, at: PsFrame): Redirected {
  const found: Redirection[] = [];
  let output: Word | undefined;
  let append = false;
  for (const each of redirections) {
    const [target] = at.read.expression(each.target.value, { ...at, captured: true });
    const word = target === undefined ? undefined : windowsPath(target, false);
    if (each.isOutput) output = word ?? EMPTY_WORD;
    if (word === undefined) continue;
    append = each.append;
    const span = spanIn(at.source, each.target.start, each.target.end);
    found.push({
      kind: each.append ? 'append' : 'write',
      descriptor: each.isOutput ? undefined : 2,
      target: word,
      span,
    });
  }
  return { redirections: found, input: undefined, output, append };
}
