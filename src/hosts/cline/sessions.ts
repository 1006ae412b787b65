import { asObject, isJsonObject, ownString, parseJson } from '../../lib/json.ts';
import { contentCalls, endedCalls, isoTime, type Sessions } from '../sessions.ts';

/** `sessions/<session>/<session>.messages.json`, beside a document about the session. */
export const sessions: Sessions = {
  folders: (_, home) => [`${home}/.cline/data/sessions`],
  files: /^[^/]+\/[^/]+\.messages\.json$/,
  read({ text, beside }) {
    const { sessionId: session, messages, agent } = asObject(parseJson(text));
    if (typeof session !== 'string' || !Array.isArray(messages) || typeof agent !== 'string')
      return undefined;
    const cwd = ownString(asObject(parseJson(beside(`${session}.json`) ?? '')), 'cwd');
    const bySubagent = agent === 'lead' ? {} : { bySubagent: true as const };
    return endedCalls(
      messages.filter(isJsonObject).flatMap((message) =>
        contentCalls(
          message,
          { session, cwd, time: isoTime(message['ts']), ...bySubagent },
          // A call that has failed may have done something before.
          ({ content }) => ({
            ran: [content].flat().some((each) => isJsonObject(each) && each['success'] === true) || undefined,
          }),
        ),
      ),
    );
  },
};
