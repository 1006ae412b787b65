import { ownObject, ownString, parseJson } from '../../lib/json.ts';
import { argumentsOf, endedCalls, isoTime, objectsIn, type Sessions, type ToldCall } from '../sessions.ts';

/** `sessions/<folder>/<session>/updates.jsonl`; a notification a line. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['GROK_HOME'] ?? `${home}/.grok`}/sessions`],
  files: /^[^/]+\/[^/]+\/updates\.jsonl$/,
  read({ text, beside }) {
    const updates = objectsIn(text).flatMap(({ method, params }) => {
      const said = ownObject({ params: params ?? null }, 'params') ?? {};
      const session = ownString(said, 'sessionId');
      const update = ownObject(said, 'update');
      if (!/session\/update$/.test(String(method)) || session === undefined || update === undefined)
        return [];
      return [{ session, update, time: isoTime(ownObject(said, '_meta')?.['agentTimestampMs']) }];
    });
    if (updates.length === 0) return undefined;
    const summary = parseJson(beside('summary.json') ?? '') ?? null;
    const cwd = ownString(ownObject(ownObject({ summary }, 'summary') ?? {}, 'info') ?? {}, 'cwd');
    return endedCalls(
      updates.flatMap(({ session, update, time }): readonly ToldCall[] => {
        const id = ownString(update, 'toolCallId');
        if (id === undefined) return [];
        const { sessionUpdate, status, title, rawInput } = update;
        if (sessionUpdate === 'tool_call_update')
          return status === undefined
            ? []
            : [{ session, ended: id, ran: hasRun(status, JSON.stringify(update['content'])) }];
        const named = ownObject(ownObject(update, '_meta') ?? {}, 'x.ai/tool');
        const tool = ownString(named ?? {}, 'name') ?? String(title ?? '');
        return [{ tool, arguments: argumentsOf(rawInput), session, cwd, time, id }];
      }),
    );
  },
};

/** A call that has failed may have done something before. */
function hasRun(status: unknown, content = ''): boolean | undefined {
  if (status === 'completed') return true;
  return /"text":"Hook denied/.test(content) ? false : undefined;
}
