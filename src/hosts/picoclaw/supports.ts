import type { Action } from '../../model/action.ts';
import type { ContextKey } from '../../model/event.ts';
import { CALL_REWRITES, supportsOf } from '../dialect/support.ts';
import type { Caveat, Host } from '../host.ts';
import { type Generation, generationOf } from './generation.ts';

type Matrix = ReturnType<Host['supports']>;

const matrices = new Map<Generation, Matrix>();

/** A version carries these out, by event; the same object for the same version. */
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
  const withoutIteration = context.filter((key) => key !== 'iteration');
  return supportsOf(
    { beside: [], context, model: 'remembered' },
    {
      before_llm: {
        can: ['modify', 'abort_turn', 'hard_abort'],
        rewrites: generation.fixedPrompt
          ? PROMPT_REWRITES
          : [...PROMPT_REWRITES, 'messages', 'system_prompt', 'remove_tools'],
        beside: ['add_context'],
        model: 'sent',
        note: generation.fixedPrompt
          ? `PicoClaw keeps its own tools and system messages: added tools are not offered, only answered, and a changed system message aborts the turn. ${ABORT}`
          : ABORT,
        caveats: [OPTIONS_READ_ANEW],
      },
      after_llm: {
        can: ['modify', 'abort_turn', 'hard_abort'],
        rewrites: ['replace', 'redact', 'set', 'remove', 'drop_tool_calls', 'edit_tool_calls'],
        model: 'sent',
        note: 'Most providers send tool calls without names and arguments; a rewrite that would destroy them aborts the turn. With streaming the user has already seen the text',
      },
      before_tool: {
        can: generation.respond ? [...CALL_ACTIONS, 'respond'] : CALL_ACTIONS,
        rewrites: [...CALL_REWRITES, 'rename_tool'],
        note: generation.respond
          ? 'An answer in place of the tool skips approve_tool and after_tool'
          : 'There is no answer in place of the tool before 0.2.6',
        caveats: [{ ...NOT_SHOWN, paths: [['result', 'for_user']], unless: ['result', 'response_handled'] }],
      },
      approve_tool: {
        can: ['approve', 'deny'],
        note: 'The verdict of before_tool counts if the call is still the same. Without an answer PicoClaw refuses, on this event alone',
      },
      after_tool: {
        can: ['modify', 'deny', 'abort_turn', 'hard_abort'],
        rewrites: ['set', 'remove', 'replace', 'redact', 'truncate'],
        beside: ['message', 'add_context', 'suppress_output'],
        note: 'The reason replaces a denied result. Late results of spawned agents are not seen',
        caveats: [{ ...NOT_SHOWN, paths: [['message']] }],
      },
      prompt_sent: { context: withoutIteration, note: 'Only notified, at the start of a turn' },
      after_turn: { note: 'Only notified, at the end of a turn' },
      after_compact: { context: ['cwd', 'session', 'host'], note: 'Only notified' },
      notification: { note: 'Only notified. Events about tools and requests have the iteration' },
    },
  );
}

const CALL_ACTIONS: readonly Action[] = ['approve', 'modify', 'deny', 'abort_turn', 'hard_abort'];
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

const ABORT = 'Only the user of /btw reads the reason of an abort';
const OPTIONS_READ_ANEW: Caveat = {
  paths: PROMPT_REWRITES.filter((form) => form !== 'add_tools').map((form) => ['rewrite', form]),
  cannot: 'keep "max_tokens"',
  state:
    'after a rewrite, a PicoClaw that is signed in to Claude (auth_method oauth or token) ignores max_tokens and asks for 4096 tokens',
  hint: 'use an API key for Claude, or limit the policy with "hosts"',
};
const NOT_SHOWN: Omit<Caveat, 'paths'> = {
  cannot: 'show text to the user',
  state:
    'in turns of channels and of the command line PicoClaw shows text of a tool to the user only if its result has response_handled',
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
