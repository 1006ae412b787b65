import { asObject, ownObject, ownString, parseJson } from '../../lib/json.ts';
import { callEntry, type Entry, endedCalls, isoTime, objectsIn, type Sessions } from '../sessions.ts';

/** `sessions/<folder>/<session>/agents/<agent>/wire.jsonl`; an event a line, those of subagents in files of their own. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['KIMI_CODE_HOME'] ?? `${home}/.kimi-code`}/sessions`],
  files: /^[^/]+\/[^/]+\/agents\/[^/]+\/wire\.jsonl$/,
  read({ path, text, beside }) {
    const records = objectsIn(text);
    if (!records.some((record) => typeof record['protocol_version'] === 'string')) return undefined;
    const [, folder = '', agent] = /([^/]+)\/agents\/([^/]+)\/[^/]+$/.exec(path) ?? [];
    const state = asObject(parseJson(beside('../../state.json') ?? ''));
    const session = ownString(state, 'id') ?? folder;
    const cwd = ownString(state, 'cwd');
    return endedCalls(
      records.flatMap((record): readonly Entry[] => {
        const { type, toolCallId: id, name: tool, args, result } = ownObject(record, 'event') ?? {};
        // A call that has failed may have done something before.
        if (type === 'tool.result' && typeof id === 'string')
          return [{ session, ended: id, ran: asObject(result)['isError'] === true ? undefined : true }];
        if (type !== 'tool.call') return [];
        const bySubagent = agent === 'main' ? {} : { bySubagent: true as const };
        return callEntry({ session, cwd, time: isoTime(record['time']), ...bySubagent }, { tool, args, id });
      }),
    );
  },
};
