import { type AllowStore, createAllowStore } from '../../../hook/state/allow/allow-store.ts';
import { likePatternOf } from '../../../hook/state/allow/call-to-allow.ts';
import { typedCode } from '../../../hook/state/allow/code.ts';
import type { Grant, LikePattern, RefusedCall } from '../../../model/grant.ts';
import { allowListJson, allowListText, refusedCallText } from '../../report/allow.ts';
import { printable } from '../../report/layout/printable.ts';
import { answerRefused } from '../allow/answer-refused.ts';
import { findRefused } from '../allow/find-refused.ts';
import { draftException, EXCEPTION_DAYS, makeGrant, ONCE_WITHIN_MS } from '../allow/make-grant.ts';
import { maySeeCodes, personOnly } from '../allow/person-only.ts';
import { type Arguments, optionValue } from '../args.ts';
import { askYes } from '../ask.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { optionsOf } from '../options.ts';
import { paintFor, printJson } from '../print.ts';

const MINUTE_MS = 60_000;
const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };
const LONGEST_MS = 7 * 24 * 60 * MINUTE_MS;
const SESSION_MS = 24 * 60 * MINUTE_MS;

export const allow = {
  operands: '[CODE | list | revoke CODE]',
  options: optionsOf({
    '--once': 'The next time, within an hour; the default',
    '--for SPAN': 'Every time for this long: 30m, 2h, at most 7d',
    '--session': "Every time until the agent's session ends, at most a day",
    '--always': `Write an exception to your own policies that ends after ${EXCEPTION_DAYS} days`,
    '--like': 'Similar calls too; you see the pattern before you agree',
    '--reason TEXT': 'The reason that the exception of --always records',
    '--notify': 'Without a code: also show each new refusal on the desktop',
    '--json': 'Print the list as JSON',
  }),
  details: [
    'Without a code, shows the calls refused in the last day and those that wait for an answer, live. Keys let the\nselected call through once or always, after a question, or explain the refusal.',
    'Every call that policies refuse has a code, which "policy allow list" shows in a terminal that no agent opened.\nA grant covers this call, in this folder, on this machine, past the policies that refused it; all others still apply.\nNothing gets past locked policies or those of the organisation.',
    'Only a person can make a grant, in a terminal that no agent opened, after seeing the call.',
  ],
  example: [
    '$ policy allow K7Q2M9',
    '  tool        run_shell_command',
    '  call        git push -f origin topic',
    '  in          /home/me/project',
    '  agent       gemini',
    '  refused by  git-safety/no-force-push',
    '  because     Refused by git-safety/no-force-push: a force push rewrites history that others have pulled.',
    'Let it pass once, within an hour? [y/N] y',
    'Allowed: let the agent try again',
  ],
  async run(args, io) {
    const [what = args.switches.has('json') ? 'list' : undefined, ...rest] = args.operands;
    const store = createAllowStore({ env: io.env, nowMs: Date.now });
    if (what === undefined) return answerRefused(store, args.switches.has('notify'), io);
    if (args.switches.has('notify'))
      throw new UsageError(`Cannot use --notify with "${what}": it is for the live list`);
    if (what === 'revoke') return revoke(rest, store, io);
    if (rest.length > 0) throw new UsageError(`Cannot use "${rest[0]}": one code at a time`);
    return what === 'list' ? list(args, store, io) : allowOne(what, args, store, io);
  },
} satisfies Command;

function list({ switches }: Arguments, store: AllowStore, io: Io): number {
  const refused = store.refused();
  const grants = store.grants();
  const codes = maySeeCodes(io);
  if (switches.has('json')) printJson(io.stdout, allowListJson(refused, grants, codes));
  else io.stdout.write(allowListText(refused, grants, codes, Date.now(), paintFor(io.stdout, io.env)));
  return EXIT_CODE.ok;
}

function revoke(codes: readonly string[], store: AllowStore, io: Io): number {
  const [text, ...others] = codes;
  if (text === undefined || others.length > 0) throw new UsageError('Cannot revoke: give one code');
  const grant = store.grants().find(({ code }) => code === typedCode(text));
  if (grant === undefined) {
    io.stderr.write(`Cannot revoke "${printable(text)}": no call is allowed under this code\n`);
    return EXIT_CODE.findings;
  }
  store.revoke(grant);
  io.stdout.write(`Revoked ${grant.code}\n`);
  return EXIT_CODE.ok;
}

async function allowOne(text: string, args: Arguments, store: AllowStore, io: Io): Promise<number> {
  const wish = requestOf(args);
  personOnly('allow a call', io);
  const found = findRefused(store, text, Date.now());
  if ('problem' in found) {
    io.stderr.write(`${found.problem}\n`);
    return EXIT_CODE.findings;
  }
  const { refused } = found;
  const like = args.switches.has('like') ? patternFor(refused) : undefined;
  io.stdout.write(refusedCallText(refused, like, paintFor(io.stdout, io.env)));
  if (wish.type === 'always') return writeAlways(refused, like, args, store, io);
  const { scope, endsAfterMs, words } = wish;
  if (scope === 'session' && refused.call.session === undefined)
    throw new UsageError(
      'Cannot allow it for the session: the agent does not say which one it is; use --for',
    );
  const what = like === undefined ? 'it' : 'calls like it';
  if (!(await askYes(`Let ${what} pass ${words}?`, io))) return EXIT_CODE.findings;
  makeGrant(store, refused, like, { scope, endsAfterMs });
  io.stdout.write('Allowed: let the agent try again\n');
  return EXIT_CODE.ok;
}

type Wish =
  | { readonly type: 'always' }
  | {
      readonly type: 'grant';
      readonly scope: Grant['scope'];
      readonly endsAfterMs: number;
      /** As in `Let it pass once?` */
      readonly words: string;
    };

function requestOf(args: Arguments): Wish {
  const span = optionValue(args, 'for');
  const given = ['once', 'session', 'always'].filter((name) => args.switches.has(name));
  if (given.length + (span === undefined ? 0 : 1) > 1)
    throw new UsageError(
      'Cannot allow a call in two ways at once: choose one of --once, --for, --session, --always',
    );
  if (given[0] === 'always') return { type: 'always' };
  if (span !== undefined)
    return { type: 'grant', scope: 'for', endsAfterMs: spanMs(span), words: `each time for ${span}` };
  if (given[0] === 'session') {
    const words = "each time in the agent's session, for at most a day";
    return { type: 'grant', scope: 'session', endsAfterMs: SESSION_MS, words };
  }
  return { type: 'grant', scope: 'once', endsAfterMs: ONCE_WITHIN_MS, words: 'once, within an hour' };
}

function spanMs(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
  if (ms > 0 && ms <= LONGEST_MS) return ms;
  throw new UsageError(`Cannot use --for "${text}": give a span such as 30m or 2h, at most 7d`);
}

function patternFor(refused: RefusedCall): LikePattern {
  const like = refused.isShortened ? undefined : likePatternOf(refused.call);
  if (like !== undefined) return like;
  throw new UsageError(
    'Cannot allow calls like it: it has no plain word, path or URL that could differ; allow this call, or write an exception',
  );
}

async function writeAlways(
  refused: RefusedCall,
  like: LikePattern | undefined,
  args: Arguments,
  store: AllowStore,
  io: Io,
): Promise<number> {
  const reason = optionValue(args, 'reason');
  const { path, text, expires, write } = draftException(store, refused, like, reason, io.env);
  io.stdout.write(`\n${printable(path)} would be\n\n${text.split('\n').map(printable).join('\n')}\n`);
  if (!(await askYes(`Let it pass until ${expires}?`, io))) return EXIT_CODE.findings;
  write();
  io.stdout.write(`Allowed until ${expires}: let the agent try again\n`);
  return EXIT_CODE.ok;
}
