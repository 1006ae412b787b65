import { isJsonObject, ownObject, ownString, parseJson } from '../../lib/json.ts';
import { contentCalls, endedCalls, isoTime, type Sessions } from '../sessions.ts';

/** `sessions/<session>/<session>.messages.json`, beside a document about the session. */
export const sessions: Sessions = {
  folders: (_, home) => [`${home}/.cline/data/sessions`],
  files: /^[^/]+\/[^/]+\.messages\.json$/,
  read({ text, beside }) {
    const document = parseJson(text);
    const session = isJsonObject(document) ? ownString(document, 'sessionId') : undefined;
    const messages = isJsonObject(document) ? document['messages'] : undefined;
    if (!isJsonObject(document) || session === undefined || !Array.isArray(messages)) return undefined;
    if (typeof document['agent'] !== 'string') return undefined;
    const about = { about: parseJson(beside(`${session}.json`) ?? '') ?? null };
    const cwd = ownString(ownObject(about, 'about') ?? {}, 'cwd');
    const bySubagent = document['agent'] === 'lead' ? {} : { bySubagent: true as const };
    return endedCalls(
      messages.filter(isJsonObject).flatMap((message) =>
        contentCalls(
          message,
          { session, cwd, time: isoTime(message['ts']), ...bySubagent },
          // What has failed may have done something before.
          ({ content }) => ({
            ran: [content].flat().some((each) => isJsonObject(each) && each['success'] === true) || undefined,
          }),
        ),
      ),
    );
  },
};
