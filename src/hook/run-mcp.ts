import { resolve } from 'node:path';
import type { HostSetting, Reply } from '../hosts/host.ts';
import { listedTool, mcp } from '../hosts/mcp/mcp.ts';
import { evaluate } from '../language/engine/evaluate.ts';
import { createLineSplitter } from '../lib/json-lines.ts';
import { refuses } from '../model/action.ts';
import type { Event } from '../model/event.ts';
import { causeOf } from './failure.ts';
import type { HookIo, HookOptions } from './hook-options.ts';
import { createMcpProxy } from './mcp-proxy.ts';
import { MAX_MESSAGE_BYTES } from './read-message.ts';
import { budgetOf } from './run-responder.ts';
import { type Judging, startJudging } from './start-judging.ts';
import { createProcessMemory } from './state/process-memory.ts';
import { machineSurroundings } from './surroundings.ts';
import { writeAll } from './write-all.ts';

/** The server behind the proxy. */
export interface McpServer {
  readonly command: readonly string[];
  /** For names of tools; the server's own name unless given. */
  readonly name: string | undefined;
}

/** How long a server may take to end once nobody asks it any more, and again after a request to end. */
const FAREWELL_MS = 2_000;

/** Runs a server behind the proxy on standard input and output. Returns the server's exit code, 1 if it has none. */
export async function runMcp(server: McpServer, options: HookOptions, io: HookIo): Promise<number> {
  const child = start(server, io);
  return child === undefined ? 1 : serve(child, server, options, io);
}

type ServerProcess = Bun.Subprocess<'pipe', 'pipe', 'inherit'>;

function start({ command }: McpServer, { env }: HookIo): ServerProcess | undefined {
  try {
    return Bun.spawn([...command], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit', env: { ...env } });
  } catch (error) {
    tell(`Cannot start "${command[0]}": ${causeOf(error)}`);
    return undefined;
  }
}

async function serve(
  child: ServerProcess,
  server: McpServer,
  options: HookOptions,
  io: HookIo,
): Promise<number> {
  // The binary starts as one that judges a single call, and compiles late; this one judges many.
  Bun.unsafe.setJITPolicy(1);
  const cwd = resolve(io.cwd, options.workspace ?? '.');
  const setting: HostSetting = { version: undefined, env: io.env, cwd, interactive: false };
  const judging = startJudging({ host: mcp, setting, options, io });
  const proxy = createMcpProxy({
    session: { session: crypto.randomUUID(), cwd },
    server: server.name,
    judge: judgeInTime(judging, setting, budgetOf(mcp, options)),
    isHidden: (session, tool, annotations) =>
      isRefusedAnyway(judging, listedTool(session, tool, annotations), io),
    toServer: (line) => {
      child.stdin.write(line);
      child.stdin.flush();
    },
    toClient: (line) => {
      if (!writeAll(1, line)) throw new Error('the client does not read any more');
    },
    tell,
  });
  const fromClient = passLines(io.stdin.stream(), proxy.fromClient);
  const fromServer = passLines(child.stdout, proxy.fromServer);
  await Promise.race([fromClient, child.exited]);
  await child.stdin.end();
  const end = (signal: 'SIGTERM' | 'SIGKILL') => () => child.kill(signal);
  const timers = [setTimeout(end('SIGTERM'), FAREWELL_MS), setTimeout(end('SIGKILL'), 2 * FAREWELL_MS)];
  const exitCode = await child.exited;
  timers.forEach(clearTimeout);
  await fromServer;
  judging.stop();
  return child.signalCode === null ? exitCode : 1;
}

/** Judges, and refuses events that are not decided when the time is up. */
function judgeInTime(
  judging: Judging,
  setting: HostSetting,
  budgetMs: number,
): (text: string) => Reply | Promise<Reply> {
  return (text) => {
    const reply = judging.respond(text);
    if (!(reply instanceof Promise)) return reply;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<Reply>((answer) => {
      const refuse = () => answer(mcp.refuse(undefined, `no answer within ${budgetMs} ms`, setting));
      timer = setTimeout(refuse, budgetMs);
    });
    return Promise.race([reply, late]).finally(() => clearTimeout(timer));
  };
}

/** True if policies refuse a tool whatever its arguments are. One that they may refuse is shown: its calls are judged. */
function isRefusedAnyway({ policies }: Judging, tool: Event, { env }: HookIo): boolean {
  try {
    const set = policies();
    if (!set.ok) return false;
    const outcome = evaluate(set.engine, tool, {
      memory: createProcessMemory(),
      surroundings: () => machineSurroundings(env, String(tool.context.cwd ?? ''), set.files),
      nowMs: Date.now,
    });
    return (
      refuses(outcome.decision.action) &&
      outcome.hits.some(
        ({ rule, how }) => how === 'matched' && rule.judge === undefined && refuses(rule.action),
      )
    );
  } catch (error) {
    tell(`"${tool.tool?.name ?? ''}" is listed without being judged: ${causeOf(error)}`);
    return false;
  }
}

/** A line that is too long, or a side that cannot be written to, ends the connection: nobody waits in vain. */
async function passLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const splitter = createLineSplitter(
    (line) => {
      if (line.trim() !== '') take(line);
    },
    {
      maxBytes: MAX_MESSAGE_BYTES,
      onTooLong: () => {
        throw new Error(`a message is larger than ${MAX_MESSAGE_BYTES} bytes`);
      },
    },
  );
  try {
    for await (const chunk of stream) splitter.push(chunk);
    splitter.end();
  } catch (error) {
    tell(causeOf(error));
  }
}

function tell(problem: string): void {
  writeAll(2, `policy mcp-proxy: ${problem}\n`);
}
