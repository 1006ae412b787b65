import { asObject, ownObject, ownString, parseJson } from '../../lib/json.ts';
import { callEntry, type Entry, endedCalls, isoTime, objectsIn, type Sessions } from '../sessions.ts';

/** `sessions/<folder>/<session>/updates.jsonl`; a notification a line. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['GROK_HOME'] ?? `${home}/.grok`}/sessions`],
  files: /^[^/]+\/[^/]+\/updates\.jsonl$/,
  read({ text, beside }) {
    const updates = objectsIn(text).flatMap(({ method, params }) => {
      const said = asObject(params);
      const session = ownString(said, 'sessionId');
      const update = ownObject(said, 'update');
      if (!/session\/update$/.test(String(method)) || session === undefined || update === undefined)
        return [];
      return [{ session, update, time: isoTime(ownObject(said, '_meta')?.['agentTimestampMs']) }];
    });
    if (updates.length === 0) return undefined;
    const summary = asObject(parseJson(beside('summary.json') ?? ''));
    const cwd = ownString(ownObject(summary, 'info') ?? {}, 'cwd');
    return endedCalls(
      updates.flatMap(({ session, update, time }): readonly Entry[] => {
        const id = ownString(update, 'toolCallId');
        if (id === undefined) return [];
        const { sessionUpdate, status, content, title, rawInput: args } = update;
        if (sessionUpdate === 'tool_call_update')
          return status === undefined
            ? []
            : [{ session, ended: id, ran: hasRun(status, JSON.stringify(content)) }];
        const named = ownObject(ownObject(update, '_meta') ?? {}, 'x.ai/tool') ?? {};
        const tool = ownString(named, 'name') ?? String(title ?? '');
        return callEntry({ session, cwd, time }, { tool, args, id });
      }),
    );
  },
};

/** A call that has failed may have done something before. */
function hasRun(status: unknown, content = ''): boolean | undefined {
  if (status === 'completed') return true;
  return /"text":"Hook denied/.test(content) ? false : undefined;
}
