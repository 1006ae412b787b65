/** A server of bytes: a connection that is cut or never says enough is nothing that an HTTP server does by itself. */
export interface ByteServer {
  readonly url: string;
  readonly stop: () => void;
}

/** What an answer begins with that promises more than comes. */
export const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n';
const DRIP_MS = 50;

/** Answers each request with what is written; `end` cuts the connection. */
export function serveBytes(answer: (write: (text: string) => void, end: () => void) => void): ByteServer {
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        answer(
          (text) => void socket.write(text),
          () => void socket.terminate(),
        );
      },
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

/** A server whose answer never ends, though something comes all the time. */
export function dripping(): ByteServer {
  const timers: ReturnType<typeof setInterval>[] = [];
  const server = serveBytes((write) => {
    write(HEAD);
    timers.push(setInterval(() => write(' '), DRIP_MS));
  });
  return {
    ...server,
    stop: () => {
      for (const timer of timers) clearInterval(timer);
      server.stop();
    },
  };
}
