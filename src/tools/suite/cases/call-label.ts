import type { BareCall } from '../../../hosts/host.ts';

const MAX_CHARS = 60;

/** A call in a few words, for cases without a name: `shell git push -f`. */
export function callLabel(call: BareCall, maxChars: number = MAX_CHARS): string {
  const values = Object.values(call.arguments ?? {}).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  const said = [call.prompt, call.result, call.response].flatMap((value) =>
    value === undefined ? [] : [typeof value === 'string' ? value : JSON.stringify(value)],
  );
  const subject = call.arguments === undefined ? call.on : (call.tool ?? 'shell');
  const text = [subject, ...values, ...said].join(' ').replace(/\s+/g, ' ');
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}
