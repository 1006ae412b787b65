import { ownObject, ownString, parseJson } from '../../lib/json.ts';
import { argumentsOf, endedCalls, isoTime, objectsIn, type Sessions, type ToldCall } from '../sessions.ts';

/** `sessions/<folder>/<session>/agents/<agent>/wire.jsonl`; an event a line, those of subagents in files of their own. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['KIMI_CODE_HOME'] ?? `${home}/.kimi-code`}/sessions`],
  files: /^[^/]+\/[^/]+\/agents\/[^/]+\/wire\.jsonl$/,
  read({ path, text, beside }) {
    const records = objectsIn(text);
    if (!records.some((record) => typeof record['protocol_version'] === 'string')) return undefined;
    const [, folder = '', agent] = /([^/]+)\/agents\/([^/]+)\/[^/]+$/.exec(path) ?? [];
    const state = ownObject({ state: parseJson(beside('../../state.json') ?? '') ?? null }, 'state') ?? {};
    const session = ownString(state, 'id') ?? folder;
    const cwd = ownString(state, 'cwd');
    return endedCalls(
      records.flatMap((record): readonly ToldCall[] => {
        const event = ownObject(record, 'event') ?? {};
        const id = ownString(event, 'toolCallId');
        const tool = ownString(event, 'name');
        // A call that has failed may have done something before.
        if (event['type'] === 'tool.result' && id !== undefined)
          return [
            { session, ended: id, ran: ownObject(event, 'result')?.['isError'] === true ? undefined : true },
          ];
        if (event['type'] !== 'tool.call' || tool === undefined) return [];
        const call = {
          tool,
          arguments: argumentsOf(event['args']),
          session,
          cwd,
          time: isoTime(record['time']),
          id,
        };
        return [agent === 'main' ? call : { ...call, bySubagent: true as const }];
      }),
    );
  },
};
