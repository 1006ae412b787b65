import { type FSWatcher, watch } from 'node:fs';
import {
  CodeActionKind,
  CodeLensRefreshRequest,
  createConnection,
  type InitializeParams,
  MessageType,
  ShowMessageNotification,
  type TextDocumentIdentifier,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { completionsAt, hoverAt } from './answer-words.ts';
import { definitionAt } from './definition.ts';
import { fixActions, formatEdits } from './edits.ts';
import { outlineOf } from './outline.ts';
import type { ServerPorts } from './ports.ts';
import { pathOf } from './protocol.ts';
import { failuresOf, RUN_TESTS, summaryOf, testLenses } from './test-lens.ts';
import { createWorkspace, type OpenFile } from './workspace.ts';

/** Changes that come within this time are checked together. */
const SETTLE_MS = 40;
/** So many failures are shown in a message, for all to be read. */
const MAX_FAILURES_SHOWN = 3;

/** Speaks the Language Server Protocol on standard input and output. The process ends with the connection. */
export function serve(ports: ServerPorts, version: string): Promise<never> {
  const connection = createConnection(process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const workspace = createWorkspace(ports);
  const folders = new Set<string>();
  let refreshesLenses = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastMs = 0;
  const waiting: (() => void)[] = [];

  const refresh = () => {
    clearTimeout(timer);
    timer = undefined;
    const startMs = performance.now();
    for (const { uri, version, diagnostics } of workspace.refresh(documents.all(), [...folders])) {
      const about = version === undefined ? { uri } : { uri, version };
      connection.sendDiagnostics({ ...about, diagnostics: [...diagnostics] });
    }
    watcher.set(workspace.watched());
    lastMs = performance.now() - startMs;
    for (const go of waiting.splice(0)) go();
  };
  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(refresh, delayMs);
  };
  // A set that takes long to check must leave time for the questions of the editor meanwhile.
  const changed = () => schedule(Math.max(SETTLE_MS, lastMs));
  const watcher = watchFolders(changed);

  /** A document with the findings in this text of it. Waits for the check that is due, as editors ask with every change. */
  const checked = async <T>(
    document: TextDocumentIdentifier,
    use: (file: OpenFile, document: TextDocument) => T,
  ): Promise<T | null> => {
    if (timer !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
    return inDocument(document, use);
  };
  /** The same with the text as it is now, and the last findings: a question while somebody types cannot wait. */
  const inDocument = <T>(
    { uri }: TextDocumentIdentifier,
    use: (file: OpenFile, document: TextDocument) => T,
  ): T | null => {
    const document = documents.get(uri);
    if (document !== undefined && workspace.file(uri) === undefined && timer !== undefined) refresh();
    const file = workspace.file(uri);
    if (document === undefined || file === undefined) return null;
    const text = document.getText();
    return use({ ...file, text, diagnostics: file.text === text ? file.diagnostics : [] }, document);
  };

  connection.onInitialize((params) => {
    for (const folder of foldersOf(params)) folders.add(folder);
    refreshesLenses = params.capabilities.workspace?.codeLens?.refreshSupport === true;
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
        completionProvider: { triggerCharacters: [' ', ':', '[', '{', ',', '-'] },
        hoverProvider: true,
        definitionProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.SourceFixAll] },
        documentFormattingProvider: true,
        documentSymbolProvider: true,
        codeLensProvider: {},
        executeCommandProvider: { commands: [RUN_TESTS] },
      },
      serverInfo: { name: 'policy', version },
    };
  });
  connection.onNotification('workspace/didChangeWorkspaceFolders', ({ event }) => {
    for (const folder of pathsOf(event.removed)) folders.delete(folder);
    for (const folder of pathsOf(event.added)) folders.add(folder);
    changed();
  });
  // Opening a document counts as a change.
  documents.onDidChangeContent(({ document }) =>
    workspace.file(document.uri) === undefined ? schedule(0) : changed(),
  );
  documents.onDidSave(changed);
  documents.onDidClose(changed);

  connection.onCompletion(({ textDocument, position }) =>
    inDocument(textDocument, (file, document) => [
      ...completionsAt(file, document, document.offsetAt(position)),
    ]),
  );
  connection.onHover(({ textDocument, position }) =>
    inDocument(textDocument, (file, document) => hoverAt(file, document, position, ports)),
  );
  connection.onDefinition(({ textDocument, position }) =>
    checked(textDocument, (file, document) => [
      ...definitionAt(file, document, document.offsetAt(position), ports),
    ]),
  );
  connection.onCodeAction(({ textDocument, range }) =>
    checked(textDocument, (file, document) => [...fixActions(file, document, range)]),
  );
  connection.onDocumentFormatting(({ textDocument }) =>
    inDocument(textDocument, (file, document) => [...formatEdits(file, document)]),
  );
  connection.onDocumentSymbol(({ textDocument }) =>
    inDocument(textDocument, (file, document) => [...outlineOf(file, document)]),
  );
  connection.onCodeLens(({ textDocument }) =>
    checked(textDocument, (file) => [...testLenses(file, workspace.testRun(file))]),
  );
  connection.onExecuteCommand(({ command, arguments: [uri, id] = [] }) => {
    if (command !== RUN_TESTS || typeof uri !== 'string') return null;
    return checked({ uri }, (file) => {
      const run = workspace.runTests(file);
      const about = typeof id === 'string' ? id : undefined;
      const summary = summaryOf(run, about);
      const failures = failuresOf(run, about);
      const shown = [summary, ...failures.slice(0, MAX_FAILURES_SHOWN)].join('\n\n');
      const type = failures.length > 0 ? MessageType.Error : MessageType.Info;
      connection.sendNotification(ShowMessageNotification.type, { type, message: shown });
      // An editor that does not do it now asks again with the next change.
      if (refreshesLenses) connection.sendRequest(CodeLensRefreshRequest.type).catch(() => {});
      return summary;
    });
  });

  documents.listen(connection);
  connection.listen();
  return new Promise(() => {});
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  return pathsOf(workspaceFolders ?? (rootUri === null ? [] : [{ uri: rootUri }]));
}

function pathsOf(places: readonly { readonly uri: string }[]): readonly string[] {
  return places.flatMap(({ uri }) => pathOf(uri) ?? []);
}

interface FolderWatch {
  /** Follows these and no others. */
  readonly set: (folders: ReadonlySet<string>) => void;
}

/** @param changed called when a file of a followed folder was written, made or deleted, often several times */
function watchFolders(changed: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  const follow = (folder: string) => {
    try {
      const watcher = watch(folder, changed);
      // A folder that goes away takes its watcher with it.
      watcher.on('error', () => {
        watchers.delete(folder);
        changed();
      });
      watchers.set(folder, watcher);
    } catch {
      // A folder that cannot be watched is looked at again with the next change of a document.
    }
  };
  return {
    set: (folders) => {
      for (const [folder, watcher] of watchers) {
        if (folders.has(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      for (const folder of folders) if (!watchers.has(folder)) follow(folder);
    },
  };
}
