import { fstatSync, type Stats } from 'node:fs';
import { readArrived } from '../../hook/read-arrived.ts';
import { writeAll } from '../../hook/write-all.ts';
import type { Io, Output } from './io.ts';

/** The real process. Everything is looked up late, since the hook needs little of it. */
export function processIo(): Io {
  return {
    stdin: {
      get isTTY() {
        return isTerminal(0);
      },
      stream: () => Bun.stdin.stream(),
      arrived: readArrived,
    },
    stdout: output(1),
    stderr: output(2),
    env: environment(),
    get cwd() {
      return workingDirectory();
    },
  };
}

function output(descriptor: 1 | 2): Output {
  let hasFailed = false;
  let isClosed = false;
  return {
    get isTTY() {
      return isTerminal(descriptor);
    },
    get columns() {
      if (!isTerminal(descriptor)) return undefined;
      const { columns } = descriptor === 1 ? process.stdout : process.stderr;
      return columns > 0 ? columns : undefined;
    },
    get hasFailed() {
      return hasFailed;
    },
    get isClosed() {
      return isClosed;
    },
    write: (text) => {
      if (writeAll(descriptor, text)) return;
      // A pipe fails only because nobody reads it any more.
      if (isPipe(descriptor)) isClosed = true;
      else hasFailed = true;
    },
  };
}

function isPipe(descriptor: number): boolean {
  return isKind(descriptor, (stats) => stats.isFIFO() || stats.isSocket());
}

function isKind(descriptor: number, test: (stats: Stats) => boolean): boolean {
  try {
    return test(fstatSync(descriptor));
  } catch {
    return false;
  }
}

/** A terminal is a character device. Asking for that first spares a hook, which reads from a pipe, the module. */
function isTerminal(descriptor: number): boolean {
  if (!isKind(descriptor, (stats) => stats.isCharacterDevice())) return false;
  const { isatty } = require('node:tty') as typeof import('node:tty');
  return isatty(descriptor);
}

/** The home from the system's account if the host has none, as services do; otherwise the user's policies would be missed. */
function environment(): Io['env'] {
  const { env } = process;
  if ((env['HOME'] ?? env['USERPROFILE'] ?? '') !== '') return env;
  try {
    const { userInfo } = require('node:os') as typeof import('node:os');
    return { ...env, HOME: userInfo().homedir };
  } catch {
    return env;
  }
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
