import { writeAll } from '../hook/write-all.ts';
import type { Io, Output } from './io.ts';

/**
 * The real process. Everything is looked up when it is asked for: the hook needs little of it, and asking whether
 * a stream is a terminal costs as much as judging.
 */
export function processIo(): Io {
  return {
    stdin: {
      get isTTY() {
        return isTerminal(0);
      },
      stream: () => Bun.stdin.stream(),
    },
    stdout: output(1),
    stderr: output(2),
    env: process.env,
    get cwd() {
      return workingDirectory();
    },
  };
}

function output(descriptor: 1 | 2): Output {
  return {
    get isTTY() {
      return isTerminal(descriptor);
    },
    write: (text) => writeAll(descriptor, text),
  };
}

function isTerminal(descriptor: number): boolean {
  const { isatty } = require('node:tty') as typeof import('node:tty');
  return isatty(descriptor);
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
