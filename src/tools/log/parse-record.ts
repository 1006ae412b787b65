import { type DecisionRecord, RECORD_VERSION } from '../../hook/audit/record.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString, parseJson } from '../../lib/json.ts';

/** The record in one line of the log; undefined for a torn line or one of another version. */
export function parseRecord(line: string): DecisionRecord | undefined {
  const value = parseJson(line);
  return isJsonObject(value) && isRecord(value) ? value : undefined;
}

function isRecord(value: JsonObject): value is JsonObject & DecisionRecord {
  return (
    own(value, 'version') === RECORD_VERSION &&
    ownString(value, 'decision_id') !== undefined &&
    ownString(value, 'time') !== undefined &&
    ownString(value, 'host') !== undefined &&
    ownString(value, 'action') !== undefined &&
    typeof own(value, 'duration_us') === 'number' &&
    Array.isArray(own(value, 'skipped')) &&
    isTimes(own(value, 'times')) &&
    isHitList(own(value, 'policies'))
  );
}

function isTimes(value: Json | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isTime));
}

function isTime(value: Json): boolean {
  return (
    isJsonObject(value) && ownString(value, 'id') !== undefined && typeof own(value, 'own_us') === 'number'
  );
}

function isHitList(value: Json | undefined): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (hit) => isJsonObject(hit) && ownString(hit, 'id') !== undefined && ownString(hit, 'how') !== undefined,
    )
  );
}
