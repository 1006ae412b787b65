/** Turns chunks of bytes into lines of text. */
export interface LineSplitter {
  /** Takes the next bytes; they may be reused by the caller afterwards. */
  readonly push: (chunk: Uint8Array) => void;
  /** Delivers the text after the last line break, if there is any. */
  readonly end: () => void;
}

/** A bound for lines that are longer than anybody sends. A line inside one chunk is there anyway and passes. */
export interface LineLimit {
  readonly maxBytes: number;
  /** Called once for a line that is too long, at its end, with its first 1,024 bytes. The rest of it is not kept. */
  readonly onTooLong: (head: string) => void;
}

const LINE_FEED = 10;
const HEAD_BYTES = 1024;

/** Splits chunks into lines, without LF or CRLF. Characters may be cut by chunks; invalid UTF-8 becomes U+FFFD. */
export function createLineSplitter(onLine: (line: string) => void, limit?: LineLimit): LineSplitter {
  const decoder = new TextDecoder();
  const maxBytes = limit?.maxBytes ?? Number.POSITIVE_INFINITY;
  // A growing string or buffer would copy a long line once per chunk.
  let partial: Uint8Array[] = [];
  let partialBytes = 0;
  /** The beginning of a line that is too long, until it ends. */
  let head: string | undefined;

  function push(chunk: Uint8Array): void {
    const last = chunk.lastIndexOf(LINE_FEED);
    if (last === -1) {
      if (chunk.length > 0) keep(chunk);
      return;
    }
    const start = partialBytes === 0 && head === undefined ? 0 : endFirst(chunk);
    if (start <= last) deliver(decoder.decode(chunk.subarray(start, last)));
    if (last + 1 < chunk.length) keep(chunk.subarray(last + 1));
  }

  function keep(chunk: Uint8Array): void {
    if (head !== undefined) return;
    partial.push(chunk.slice());
    partialBytes += chunk.length;
    if (partialBytes <= maxBytes) return;
    head = decoder.decode(Buffer.concat(partial).subarray(0, HEAD_BYTES));
    partial = [];
    partialBytes = 0;
  }

  /** Ends the line that earlier chunks have begun, and says where the next one starts. */
  function endFirst(chunk: Uint8Array): number {
    const end = chunk.indexOf(LINE_FEED);
    if (end > 0) keep(chunk.subarray(0, end));
    endPartial();
    return end + 1;
  }

  function endPartial(): void {
    if (head !== undefined) limit?.onTooLong(head);
    else onLine(withoutReturn(decoder.decode(Buffer.concat(partial))));
    head = undefined;
    partial = [];
    partialBytes = 0;
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
    if (partialBytes > 0 || head !== undefined) endPartial();
  }

  return { push, end };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
