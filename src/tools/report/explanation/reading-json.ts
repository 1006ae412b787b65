import type { Json, JsonObject } from '../../../lib/json.ts';
import type { Effect, ReadCommand, Reading, Span } from '../../../reader/reading/reading.ts';
import { effectUrl } from '../../../reader/reading/url.ts';
import { knownText, type Word } from '../../../reader/reading/word.ts';

/** A reading as JSON, for `--json`. A word is a string if it is known, else a list of strings, `{glob}` and `{unknown}`. */
export function readingJson({ complete, gaps, commands }: Reading): JsonObject {
  return {
    complete,
    gaps: gaps.map(({ reason, span, message }) => ({ reason, ...spanJson(span), message })),
    commands: commands.map(commandJson),
  };
}

function commandJson(command: ReadCommand): JsonObject {
  const { name, parent, wrapper, privileged, remote, openEnded, subcommands } = command;
  return {
    name: name ?? null,
    program: wordJson(command.program),
    args: command.args.map(wordJson),
    flags: command.flags.map((flag) => ({
      name: flag.name,
      value: flag.value === undefined ? null : wordJson(flag.value),
    })),
    operands: command.operands.map(wordJson),
    subcommands,
    open_ended: openEnded,
    assignments: command.assignments.map((assignment) => ({
      name: assignment.name,
      value: wordJson(assignment.value),
    })),
    redirections: command.redirections.map(({ kind, descriptor, target }) => ({
      kind,
      descriptor: descriptor ?? null,
      target: wordJson(target),
    })),
    input: command.input === undefined ? null : wordJson(command.input),
    feeds: command.feeds,
    fed_by: command.fedBy,
    ...spanJson(command.span),
    via: command.via.map(({ kind, name: step }) => ({ kind, name: step })),
    parent: parent ?? null,
    wrapper,
    privileged,
    remote,
    cwd: wordJson(command.cwd),
    effects: command.effects.map(effectJson),
  };
}

function effectJson(effect: Effect): JsonObject {
  switch (effect.type) {
    case 'path': {
      const { type, use, recursive, name, bars, append, only, chosen, path } = effect;
      return {
        type,
        use,
        path: wordJson(path),
        recursive,
        name: name === undefined ? null : wordJson(name),
        bars,
        append,
        only: only === undefined ? null : wordJson(only),
        chosen,
        ...spanJson(effect.span),
      };
    }
    case 'network':
      return {
        type: effect.type,
        use: effect.use,
        target: wordJson(effect.target),
        scheme: effectUrl(effect)?.scheme ?? effect.scheme,
        port: effect.port === undefined ? null : wordJson(effect.port),
        ...spanJson(effect.span),
      };
    case 'remote_code': {
      const source = effect.source === undefined ? null : wordJson(effect.source);
      return { type: effect.type, origin: effect.origin, source, ...spanJson(effect.span) };
    }
    default:
      return effect satisfies never;
  }
}

function wordJson(word: Word): Json {
  return (
    knownText(word) ??
    word.map((part): Json => {
      if (part.type === 'text') return part.text;
      return part.type === 'glob' ? { glob: part.pattern } : { unknown: part.source };
    })
  );
}

function spanJson({ start, end }: Span): { readonly start: number; readonly end: number } {
  return { start, end };
}
