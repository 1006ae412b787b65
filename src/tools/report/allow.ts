import type { JsonObject } from '../../lib/json.ts';
import type { CallToAllow, Grant, LikePattern, RefusedCall } from '../../model/grant.ts';
import { alignColumns } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { printable, printableCut } from './layout/printable.ts';
import { grouped } from './layout/quantity.ts';

const MAX_CALL_CHARS = 60;

/** In place of a code that is not for whoever reads it. */
const HIDDEN_CODE = '······';

/** The calls that were refused of late and the grants, for people, with or without the codes. Ends with a line break. */
export function allowListText(
  refused: readonly RefusedCall[],
  grants: readonly Grant[],
  codes: boolean,
  nowMs: number,
  paint: Paint,
): string {
  const lines: string[] = [];
  const open = refused.filter(({ grant }) => grant === undefined);
  if (open.length === 0) lines.push('Nothing was refused within a day');
  else {
    const rows = open.map(({ code, refusedMs, policies, call }) => [
      paint.bold(codes ? code : HIDDEN_CODE),
      agoText(nowMs - refusedMs),
      call.host,
      idsOf(
        policies.map(({ id }) => id),
        paint,
      ),
      callText(call, MAX_CALL_CHARS),
    ]);
    lines.push(
      ...alignColumns([['code', 'refused', 'agent', 'by', 'call'].map(paint.dim), ...rows], {
        columns: paint.columns,
      }),
    );
  }
  if (grants.length > 0) {
    const rows = grants.map(({ code, scope, endsMs, policies, call, like }) => [
      paint.bold(codes ? code : HIDDEN_CODE),
      scope,
      new Date(endsMs).toISOString(),
      idsOf(policies, paint),
      like === undefined ? callText(call, MAX_CALL_CHARS) : printable(like.pattern),
    ]);
    lines.push(
      '',
      ...alignColumns([['let pass', 'for', 'until', 'past', 'call'].map(paint.dim), ...rows], {
        columns: paint.columns,
      }),
    );
  }
  const isShort = [...open, ...grants].some(({ policies }) => policies.length > 1);
  if (isShort && paint.columns !== undefined) lines.push('', '+N: policy allow list --json names them');
  return `${lines.join('\n')}\n`;
}

/** On a terminal a table has room for one. */
function idsOf(ids: readonly string[], { columns }: Paint): string {
  const [first = '', ...others] = ids.map(printable);
  if (columns === undefined) return [first, ...others].join(', ');
  return first + (others.length === 0 ? '' : ` +${others.length}`);
}

/** The same as data. */
export function allowListJson(
  refused: readonly RefusedCall[],
  grants: readonly Grant[],
  codes: boolean,
): JsonObject {
  return {
    refused: refused.map(({ code, call, policies, reason, refusedMs, grant, isShortened }) => ({
      code: codes ? code : null,
      time: new Date(refusedMs).toISOString(),
      ...callJson(call),
      shortened: isShortened,
      policies: policies.map(({ id, layer, locked }) => ({ id, layer, locked })),
      reason,
      allowed: grant !== undefined,
    })),
    allowed: grants.map(({ code, scope, madeMs, endsMs, policies, call, like }) => ({
      code: codes ? code : null,
      scope,
      time: new Date(madeMs).toISOString(),
      until: new Date(endsMs).toISOString(),
      ...callJson(call),
      like: like?.pattern ?? null,
      policies: [...policies],
    })),
  };
}

/** The call that a person agrees to, the policies that refused it, and why. Ends with a line break. */
export function refusedCallText(
  { call, policies, reason, isShortened }: RefusedCall,
  like: LikePattern | undefined,
  paint: Paint,
): string {
  const rows: [string, string][] = [
    ['tool', printable(call.tool)],
    ['call', callText(call)],
    ['in', printable(call.directory)],
    ['agent', printable(call.host)],
    ['refused by', policies.map(({ id }) => printable(id)).join(', ')],
    ['because', printable(reason)],
  ];
  if (like !== undefined) {
    const others = like.exact ? 'everything else the same' : 'whatever else it says';
    rows.push(['calls like', `${like.argument}: ${paint.bold(printable(like.pattern))}, ${others}`]);
  }
  if (isShortened) rows.push(['note', 'parts are not shown: they are too long, or secrets']);
  return `${alignColumns(
    rows.map(([label, text]) => [`  ${paint.cyan(label)}`, text]),
    { columns: paint.columns },
  ).join('\n')}\n`;
}

/** A call on one line: the command, or the tool with its arguments. A cut text ends with its size. */
export function callText(
  { tool, arguments: args }: CallToAllow,
  maxChars = Number.POSITIVE_INFINITY,
): string {
  const { command, ...others } = args;
  const rest = Object.keys(others).length === 0 ? '' : ` ${JSON.stringify(others)}`;
  const text = typeof command === 'string' ? `${command}${rest === '' ? '' : `  with${rest}`}` : tool + rest;
  if (text.length <= maxChars) return printableCut(text, maxChars);
  const size = ` (${grouped(text.length)} characters)`;
  return `${printableCut(text, Math.max(maxChars - size.length, 1))}${size}`;
}

function callJson({ host, tool, directory, session, arguments: args }: CallToAllow): JsonObject {
  return { host, tool, directory, session: session ?? null, arguments: args };
}

const MINUTE_MS = 60_000;

function agoText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}
