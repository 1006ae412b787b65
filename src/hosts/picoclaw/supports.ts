import type { ContextKey, EventKind } from '../../model/event.ts';
import type { Caveat, Support } from '../host.ts';
import { type Generation, generationOf } from './generation.ts';

type Matrix = Readonly<Partial<Record<EventKind, Support>>>;

const matrices = new Map<Generation, Matrix>();

/** What a version carries out, by event; the same object for the same version. */
export function supports(version: string | undefined): Matrix {
  const generation = generationOf(version);
  const known = matrices.get(generation);
  if (known !== undefined) return known;
  const matrix = matrixOf(generation);
  matrices.set(generation, matrix);
  return matrix;
}

function matrixOf(generation: Generation): Matrix {
  const context = contextKeys(generation);
  const told: Support = { actions: ['continue'], rewrites: [], beside: [], context, model: 'remembered' };
  const withoutIteration = context.filter((key) => key !== 'iteration');
  return {
    before_llm: {
      actions: ['continue', 'modify', 'abort_turn', 'hard_abort'],
      rewrites: generation.fixedPrompt
        ? PROMPT_REWRITES
        : [...PROMPT_REWRITES, 'messages', 'system_prompt', 'remove_tools'],
      beside: ['add_context'],
      context,
      model: 'sent',
      note: generation.fixedPrompt
        ? `PicoClaw keeps its tools and system messages: tools that are added are not offered to the model, but are answered if it calls them; a rewrite that changes a system message aborts the turn. ${ABORT}`
        : ABORT,
      caveats: [OPTIONS_READ_ANEW],
    },
    after_llm: {
      actions: ['continue', 'modify', 'abort_turn', 'hard_abort'],
      rewrites: ['replace', 'redact', 'set', 'remove', 'drop_tool_calls', 'edit_tool_calls'],
      beside: [],
      context,
      model: 'sent',
      note: 'With most providers tool calls come without names and arguments; a rewrite that would destroy them aborts the turn. With streaming the user has seen the text already',
    },
    before_tool: {
      actions: generation.respond ? [...CALL_ACTIONS, 'respond'] : CALL_ACTIONS,
      rewrites: ['set', 'remove', 'program', 'subcommand', 'flags', 'replace', 'rename_tool'],
      beside: [],
      context,
      model: 'remembered',
      note: generation.respond
        ? 'An answer in place of the tool skips approve_tool and after_tool'
        : 'There is no answer in place of the tool before 0.2.6',
      caveats: [{ ...NOT_SHOWN, paths: [['result', 'for_user']], unless: ['result', 'response_handled'] }],
    },
    approve_tool: {
      actions: ['continue', 'approve', 'deny'],
      rewrites: [],
      beside: [],
      context,
      model: 'remembered',
      note: 'The verdict of before_tool stands if the call is still the same. The only event where PicoClaw refuses by itself if there is no answer',
    },
    after_tool: {
      actions: ['continue', 'modify', 'deny', 'abort_turn', 'hard_abort'],
      rewrites: ['set', 'remove', 'replace', 'redact', 'truncate'],
      beside: ['message', 'add_context', 'suppress_output'],
      context,
      model: 'remembered',
      note: 'A denied result is replaced by the reason. Results of spawned agents that arrive later are not seen',
      caveats: [{ ...NOT_SHOWN, paths: [['message']] }],
    },
    prompt_sent: { ...told, context: withoutIteration, note: 'Told only, at the start of a turn' },
    after_turn: { ...told, note: 'Told only, at the end of a turn' },
    after_compact: { ...told, context: ['cwd', 'session', 'host'], note: 'Told only' },
    notification: { ...told, note: 'Told only. Those about tools and requests say the iteration' },
  };
}

const CALL_ACTIONS: Support['actions'] = [
  'continue',
  'approve',
  'modify',
  'deny',
  'abort_turn',
  'hard_abort',
];
const PROMPT_REWRITES = [
  'model',
  'options',
  'add_messages',
  'add_tools',
  'set',
  'remove',
  'replace',
  'redact',
];

const ABORT = 'The reason of an abort is told to nobody but the user of /btw';
const OPTIONS_READ_ANEW: Caveat = {
  paths: PROMPT_REWRITES.filter((form) => form !== 'add_tools').map((form) => ['rewrite', form]),
  cannot: 'keep "max_tokens"',
  state:
    'after a rewrite PicoClaw reads the options anew, and where it is signed in to Claude (auth_method oauth or token) it asks for 4096 tokens, whatever max_tokens says',
  hint: 'use an API key for Claude, or limit the policy with "hosts"',
};
const NOT_SHOWN: Omit<Caveat, 'paths'> = {
  cannot: 'show text to the user',
  state:
    'in turns of channels and of the command line PicoClaw shows what a tool says to the user only if its result has response_handled',
  hint: 'say it to the model, which can tell the user',
};

function contextKeys(generation: Generation): readonly ContextKey[] {
  const always: readonly ContextKey[] = [
    'cwd',
    'session',
    'agent',
    'channel',
    'chat_id',
    'host',
    'iteration',
  ];
  return generation.context ? [...always, 'chat_type', 'sender'] : always;
}
