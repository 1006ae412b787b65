import { fileURLToPath } from 'node:url';
import {
  createConnection,
  type InitializeParams,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ServerPorts } from './ports.ts';
import { watchFolders } from './watch-folders.ts';
import { createWorkspace } from './workspace.ts';

/** Changes that come within this time are checked together, and no check begins sooner after the last one's end. */
const SETTLE_MS = 40;

/**
 * Speaks the Language Server Protocol on standard input and output. The connection ends the process: when the editor says
 * so, closes the input or is gone.
 */
export function serve(ports: ServerPorts, version: string): Promise<never> {
  const connection = createConnection(process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const workspace = createWorkspace(ports);
  const folders = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastMs = 0;

  const refresh = () => {
    clearTimeout(timer);
    timer = undefined;
    const startMs = performance.now();
    for (const { uri, version, diagnostics } of workspace.refresh(documents.all(), [...folders]))
      connection.sendDiagnostics({
        uri,
        ...(version === undefined ? {} : { version }),
        diagnostics: [...diagnostics],
      });
    watcher.set(workspace.watched());
    lastMs = performance.now() - startMs;
  };
  // A set that takes long to check must leave time for what the editor asks meanwhile.
  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(refresh, delayMs);
  };
  const changed = () => schedule(Math.max(SETTLE_MS, lastMs));
  const watcher = watchFolders(changed);

  connection.onInitialize((params) => {
    for (const folder of foldersOf(params)) folders.add(folder);
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
      serverInfo: { name: 'policy', version },
    };
  });
  connection.onInitialized(() => {
    connection.onNotification('workspace/didChangeWorkspaceFolders', ({ event }) => {
      for (const { uri } of event.removed) folders.delete(pathOf(uri));
      for (const { uri } of event.added) folders.add(pathOf(uri));
      changed();
    });
  });
  // Opening a document counts as a change.
  documents.onDidChangeContent(({ document }) =>
    workspace.file(document.uri) === undefined ? schedule(0) : changed(),
  );
  documents.onDidSave(changed);
  documents.onDidClose(changed);
  documents.listen(connection);
  connection.listen();
  return new Promise(() => {});
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
  return uris.filter((uri) => uri.startsWith('file:')).map(pathOf);
}

function pathOf(uri: string): string {
  return fileURLToPath(uri);
}
