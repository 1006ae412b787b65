import { isMap, isSeq, parseDocument } from 'yaml';
import { callText, type RecordedResult, resultsIn } from '../../../language/actions/respond-recorded.ts';
import { parseData } from '../../../language/policy/parse/data-lists.ts';
import type { Json } from '../../../lib/json.ts';

/** The text of a recording with one more result, or why it cannot be written there. */
export type ResultAdded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly cause: string };

/** Puts a result into a recording: instead of that for an equal call, or behind the last one. The rest stays as it is. */
export function addResult(text: string, added: RecordedResult): ResultAdded {
  const document = parseDocument(text.trim() === '' ? 'results: []\n' : text);
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, cause: error.message.split('\n', 1)[0] ?? error.code };
  const read = resultsIn(document.toJS() as Json);
  if ('cause' in read) return { ok: false, cause: read.cause };
  const list = document.get('results', true);
  if (!isSeq(list)) return { ok: false, cause: 'it has no list "results"' };
  if (list.items.length === 0) list.flow = false;
  const key = callText(added.tool, added.arguments);
  const same = read.results.findIndex((each) => callText(each.tool, each.arguments) === key);
  const entry = same === -1 ? undefined : list.items[same];
  if (isMap(entry)) entry.set('result', document.createNode(added.result));
  else list.add(document.createNode({ ...added }));
  const written = document.toString({ lineWidth: 0 });
  const again = parseData(written, 'recording.yaml');
  const problem = 'cause' in again ? again : resultsIn(again.data);
  return 'cause' in problem ? { ok: false, cause: problem.cause } : { ok: true, text: written };
}
