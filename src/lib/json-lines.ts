/** Turns chunks of bytes into lines of text. */
export interface LineSplitter {
  /** Takes the next bytes; they may be reused by the caller afterwards. */
  readonly push: (chunk: Uint8Array) => void;
  /** Delivers what stands after the last line break, if anything does. */
  readonly end: () => void;
}

const LINE_FEED = 10;

/**
 * Calls `onLine` once for every line, empty ones included, without its LF or CRLF. Characters may be cut anywhere by
 * chunks. Bytes that are no UTF-8 become U+FFFD.
 */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  const decoder = new TextDecoder();
  // A growing string or buffer would copy a long line once per chunk.
  let partial: Uint8Array[] = [];

  function push(chunk: Uint8Array): void {
    const last = chunk.lastIndexOf(LINE_FEED);
    if (last === -1) {
      if (chunk.length > 0) partial.push(chunk.slice());
      return;
    }
    let complete = chunk.subarray(0, last);
    if (partial.length > 0) complete = join([...takePartial(), complete]);
    if (last + 1 < chunk.length) partial.push(chunk.slice(last + 1));
    deliver(decoder.decode(complete));
  }

  function takePartial(): readonly Uint8Array[] {
    const taken = partial;
    partial = [];
    return taken;
  }

  function deliver(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      onLine(withoutReturn(text.slice(start, end)));
      start = end + 1;
    }
    onLine(withoutReturn(text.slice(start)));
  }

  function end(): void {
    if (partial.length > 0) deliver(decoder.decode(join(takePartial())));
  }

  return { push, end };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
