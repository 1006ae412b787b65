import { isJsonObject, type JsonObject } from '../../../src/lib/json.ts';
import { DecodeError, goDecode, goParse, goStringify } from './go-json.ts';

/** A line of 1 MiB and more, its newline included, ends the reading of a hook's output for good. */
const MAX_LINE_BYTES = 1_048_576;
const CLOSE_GRACE_MS = 2000;
const NEWLINE = 10;

export interface HookCommand {
  readonly command: readonly string[];
  readonly dir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One hook process and PicoClaw's end of its pipes. */
export class HookProcess {
  readonly #child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>;
  readonly #warn: (text: string) => void;
  readonly #pending = new Map<number, PendingCall>();
  readonly stderr: string[] = [];
  #nextId = 1;
  #exited = false;
  #closed = false;
  #writing: Promise<void> = Promise.resolve();

  constructor({ command, dir, env }: HookCommand, warn: (text: string) => void) {
    this.#warn = warn;
    this.#child = Bun.spawn([...command], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, ...env },
      ...(dir === undefined ? {} : { cwd: dir }),
    });
    void this.#readOutput();
    void this.#readErrors();
    void this.#child.exited.then((code) => this.#fail(code === 0 ? 'process exited' : `exit status ${code}`));
  }

  get pid(): number {
    return this.#child.pid;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  get signal(): string | null {
    const signal = this.#child.signalCode;
    return signal === null ? null : String(signal);
  }

  /** The parsed result of a request. Rejects when it is late, answered with an error, or the process is gone. */
  call(method: string, params: JsonObject, timeoutMs: number | undefined): Promise<unknown> {
    const id = this.#nextId++;
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => this.#settle(id, ({ reject }) => reject(new Error('timed out'))), timeoutMs);
    const line = goStringify({ jsonrpc: '2.0', id, method, params });
    void this.#write(line).catch((error) => this.#settle(id, ({ reject }) => reject(error)));
    return answered.finally(() => clearTimeout(timer));
  }

  notify(method: string, params: JsonObject): void {
    void this.#write(goStringify({ jsonrpc: '2.0', method, params })).catch((error) =>
      this.#warn(String(error)),
    );
  }

  /** Sends a line as it is: for tests of what no host would send. */
  sendRaw(line: string): void {
    void this.#write(line).catch((error) => this.#warn(String(error)));
  }

  /** End of input, two seconds, SIGKILL. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    void Promise.resolve(this.#child.stdin.end()).catch(() => {});
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_GRACE_MS);
    await this.#child.exited;
    clearTimeout(kill);
  }

  /** Ends the process as a crash would. */
  async crash(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#child.exited;
    await Bun.sleep(0);
  }

  /** Sends a signal that PicoClaw itself never sends, as a terminal or a service manager does. */
  signalled(signal: 'SIGINT' | 'SIGTERM'): void {
    this.#child.kill(signal);
  }

  async #write(line: string): Promise<void> {
    if (this.#exited || this.#closed) throw new Error('write |1: file already closed');
    const before = this.#writing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writing = promise;
    await before;
    try {
      this.#child.stdin.write(`${line}\n`);
      await this.#child.stdin.flush();
    } finally {
      resolve();
    }
  }

  async #readOutput(): Promise<void> {
    const reader = this.#child.stdout.getReader();
    let partial: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      let rest: Uint8Array = value;
      for (let at = rest.indexOf(NEWLINE); at !== -1; at = rest.indexOf(NEWLINE)) {
        if (size + at + 1 > MAX_LINE_BYTES) return;
        this.#take(Buffer.concat([...partial, rest.subarray(0, at)]).toString('utf8'));
        partial = [];
        size = 0;
        rest = rest.subarray(at + 1);
      }
      if (rest.length > 0) partial.push(rest);
      size += rest.length;
      // The stream stays open and unread from here on, like the real one.
      if (size >= MAX_LINE_BYTES) return;
    }
    if (size > 0) this.#take(Buffer.concat(partial).toString('utf8'));
  }

  async #readErrors(): Promise<void> {
    for await (const chunk of this.#child.stderr) this.stderr.push(Buffer.from(chunk).toString('utf8'));
  }

  #take(line: string): void {
    let message: JsonObject;
    let raw: unknown;
    try {
      raw = goParse(line.endsWith('\r') ? line.slice(0, -1) : line);
      const decoded = goDecode(
        {
          struct: {
            id: 'int',
            result: 'any',
            error: { pointer: { struct: { code: 'int', message: 'string' } } },
          },
        },
        raw,
      );
      if (!isJsonObject(decoded)) throw new DecodeError('not an object');
      message = decoded;
    } catch (error) {
      this.#warn(`cannot decode a line of the hook: ${error}`);
      return;
    }
    const id = message['id'];
    if (typeof id !== 'number' || id < 1) return;
    const error = message['error'];
    this.#settle(id, ({ resolve, reject }) => {
      if (isJsonObject(error)) reject(new Error(String(error['message'])));
      else resolve(rawResult(raw));
    });
  }

  #settle(id: number, how: (call: PendingCall) => void): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    how(pending);
  }

  #fail(cause: string): void {
    this.#exited = true;
    for (const id of [...this.#pending.keys()]) this.#settle(id, ({ reject }) => reject(new Error(cause)));
  }
}

/** The result before decoding, so that its own shape decides what an integer is. */
function rawResult(message: unknown): unknown {
  const entries = Object.entries(message as Record<string, unknown>);
  return entries.findLast(([key]) => key.toLowerCase() === 'result')?.[1];
}
