import { exactNumber } from '../../lib/exact-numbers.ts';
import type { Json } from '../../lib/json.ts';

/** PicoClaw writes these fields first and in this order. The comma tells that the id is whole. */
const HEAD =
  /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(-?(?:0|[1-9]\d{0,1021})|"[\w.:-]{1,1022}")\s*,\s*(?:"method"\s*:\s*"([\w.]{1,100})")?/;

/** The id and the method in the head of a line that is not JSON: the host waits for an answer to that id all the same. */
export function salvage(text: string): Json | undefined {
  const [, id, method] = HEAD.exec(text) ?? [];
  if (id === undefined) return undefined;
  const known = id.startsWith('"') ? id.slice(1, -1) : exactNumber(id);
  return method === undefined ? { id: known } : { id: known, method };
}
