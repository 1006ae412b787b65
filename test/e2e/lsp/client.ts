import { type ChildProcess, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { Diagnostic, InitializeResult, PublishDiagnosticsParams } from 'vscode-languageserver';
import { BINARY } from '../../support/binary.ts';

/** An editor that has started the server. */
export interface Editor {
  readonly connection: MessageConnection;
  readonly child: ChildProcess;
  readonly initialized: InitializeResult;
  readonly open: (path: string, text: string) => Promise<void>;
  /** Replaces the whole text. */
  readonly change: (path: string, text: string) => Promise<void>;
  readonly close: (path: string) => Promise<void>;
  readonly request: <T>(method: string, path: string, rest?: object) => Promise<T>;
  /** The findings of a file, once they are about the text that was sent last. */
  readonly findings: (path: string) => Promise<readonly Diagnostic[]>;
  /** Waits until what was last said of a file fits. */
  readonly until: (
    path: string,
    fits: (diagnostics: readonly Diagnostic[]) => boolean,
  ) => Promise<readonly Diagnostic[]>;
  /** Asks about the place of the bar in a text, which is opened without it. */
  readonly at: <T>(method: string, path: string, marked: string) => Promise<T>;
  /** What was shown to the person. */
  readonly messages: () => readonly string[];
  readonly stderr: () => string;
  readonly stop: () => Promise<number | null>;
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

/** Starts `policy lsp` in a folder, with nothing of this user's own settings. */
export async function startEditor(folder: string, env: Record<string, string> = {}): Promise<Editor> {
  const child = spawn(BINARY, ['lsp', '--stdio'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
  });
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => {
    stderr += data.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const said = new Map<string, PublishDiagnosticsParams>();
  const listeners = new Set<() => void>();
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    said.set(params.uri, params);
    for (const listener of [...listeners]) listener();
  });
  connection.onRequest('workspace/codeLens/refresh', () => null);
  const messages: string[] = [];
  connection.onNotification('window/showMessage', ({ message }) => {
    messages.push(message);
  });
  connection.listen();
  const initialized = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: uriOf(folder),
    workspaceFolders: [{ uri: uriOf(folder), name: 'test' }],
    capabilities: { workspace: { codeLens: { refreshSupport: true } } },
  });
  await connection.sendNotification('initialized', {});

  const versions = new Map<string, number>();
  const wait = (path: string, fits: (params: PublishDiagnosticsParams | undefined) => boolean) =>
    new Promise<readonly Diagnostic[]>((resolve, reject) => {
      const look = () => {
        const params = said.get(uriOf(path));
        if (!fits(params)) return;
        clearTimeout(timer);
        listeners.delete(look);
        resolve(params?.diagnostics ?? []);
      };
      const timer = setTimeout(() => {
        listeners.delete(look);
        reject(new Error(`Nothing fits of ${path}: ${JSON.stringify(said.get(uriOf(path)))} ${stderr}`));
      }, 20_000);
      listeners.add(look);
      look();
    });
  const open = (path: string, text: string) => {
    versions.set(path, 1);
    return connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: uriOf(path), languageId: 'yaml', version: 1, text },
    });
  };
  const change = (path: string, text: string) => {
    const version = (versions.get(path) ?? 0) + 1;
    versions.set(path, version);
    return connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: uriOf(path), version },
      contentChanges: [{ text }],
    });
  };
  return {
    connection,
    child,
    initialized,
    stderr: () => stderr,
    open,
    change,
    at: async (method, path, marked) => {
      const before = marked.slice(0, marked.indexOf('|'));
      const text = before + marked.slice(before.length + 1);
      await (versions.has(path) ? change : open)(path, text);
      const lines = before.split('\n');
      const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
      return connection.sendRequest(method, { textDocument: { uri: uriOf(path) }, position });
    },
    messages: () => messages,
    close: (path) => {
      versions.delete(path);
      return connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf(path) } });
    },
    request: (method, path, rest = {}) =>
      connection.sendRequest(method, { textDocument: { uri: uriOf(path) }, ...rest }),
    findings: (path) => wait(path, (params) => params?.version === versions.get(path)),
    until: (path, fits) => wait(path, (params) => params !== undefined && fits(params.diagnostics)),
    stop: async () => {
      if (child.exitCode === null) {
        await connection.sendRequest('shutdown');
        await connection.sendNotification('exit');
      }
      return ended;
    },
  };
}
