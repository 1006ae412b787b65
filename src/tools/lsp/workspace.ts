import { dirname, join, resolve } from 'node:path';
import type { Diagnostic as SentDiagnostic } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type DocumentKind, documentKind, projectOf } from '../../language/policy/files/document-kind.ts';
import { isInside } from '../../language/policy/files/folders.ts';
import { parsePolicyFile } from '../../language/policy/parse/parse.ts';
import { problem, startOf } from '../../language/policy/yaml/problem.ts';
import { child } from '../../lib/child.ts';
import { distinct } from '../../lib/distinct.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { parseTestFile } from '../suite/cases/parse-test-file.ts';
import type { CheckedSet, ServerPorts, SetPlace, TestRun } from './ports.ts';
import { pathOf, sentDiagnostic, uriOf } from './protocol.ts';

/** A document that the server looks after, as it was checked last. */
export interface OpenFile {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  /** Without links. */
  readonly path: string;
  readonly kind: 'policy' | 'test';
  readonly place: SetPlace;
  /** The set that it belongs to; undefined if it could not be checked. */
  readonly set: CheckedSet | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A report to the editor about a file. */
export interface PublishedDiagnostics {
  readonly uri: string;
  /** The text that it is about; undefined for a file that is not open. */
  readonly version: number | undefined;
  readonly diagnostics: readonly SentDiagnostic[];
}

/** Open documents and the sets of policies that they belong to. */
export interface Workspace {
  /**
   * Checks everything that is open.
   *
   * @param folders those that the editor has open, absolute
   * @returns the reports for the editor, on files without findings too
   */
  readonly refresh: (
    documents: readonly TextDocument[],
    folders: readonly string[],
  ) => readonly PublishedDiagnostics[];
  readonly file: (uri: string) => OpenFile | undefined;
  /** Runs the tests of the folder that a file is tested with. */
  readonly runTests: (file: OpenFile) => TestRun;
  /** The result of the tests beside a file; undefined if anything has changed since they were run, or they never were. */
  readonly testRun: (file: OpenFile) => TestRun | undefined;
  /** The folders in which a change on the disk may change the findings. */
  readonly watched: () => ReadonlySet<string>;
}

export function createWorkspace(ports: ServerPorts): Workspace {
  /** Of open documents. A file that was ours stays so while it is open, however broken it is on the way. */
  let kinds = new Map<string, 'policy' | 'test'>();
  let files = new Map<string, OpenFile>();
  let reported = new Set<string>();
  let watched = new Set<string>();
  let texts: ReadonlyMap<string, string> = new Map();
  const runs = new Map<string, TestRun>();

  const kindOf = ({ uri, path, text }: Opened): DocumentKind => {
    const isExtended = [...files.values()].some(({ set }) => set?.compiled.paths.has(path));
    const kind = documentKind(path, text) ?? kinds.get(uri);
    return kind ?? (isExtended ? 'policy' : undefined);
  };

  const refreshAll: Workspace['refresh'] = (documents, folders) => {
    const opened = documents.flatMap((document) => openedDocument(document, ports));
    texts = new Map(opened.map(({ path, text }) => [path, text]));
    runs.clear();
    const check = createCheck(ports, texts);
    const ours = opened.flatMap((each) => {
      const kind = kindOf(each);
      return kind === undefined ? [] : [{ ...each, kind, place: placeOf(each, kind, folders, check) }];
    });
    kinds = new Map(ours.map(({ uri, kind }) => [uri, kind]));

    watched = new Set(ours.map(({ path }) => dirname(path)));
    const found = new Map<string, Diagnostic[]>();
    const note = (path: string, diagnostics: readonly Diagnostic[]) =>
      found.set(path, [...(found.get(path) ?? []), ...diagnostics]);
    for (const place of distinct(ours.map((each) => each.place))) {
      const set = check(place);
      if (set instanceof Error) continue;
      for (const folder of set.compiled.folders) watched.add(folder);
      const byFile = Map.groupBy(set.diagnostics, ({ position }) => position.file);
      for (const [file, diagnostics] of byFile) {
        const path = resolve(place.directory, file);
        if (!file.startsWith('builtin:')) note(ports.realPath(path) ?? path, diagnostics);
      }
    }
    for (const each of ours) note(each.path, ownFindings(each, each.kind, check(each.place)));

    files = new Map(
      ours.map((each) => {
        const set = check(each.place);
        const diagnostics = distinct(found.get(each.path) ?? []);
        return [each.uri, { ...each, set: set instanceof Error ? undefined : set, diagnostics }];
      }),
    );
    return publish(found);
  };

  const publish = (found: ReadonlyMap<string, readonly Diagnostic[]>): readonly PublishedDiagnostics[] => {
    const open = [...files.values()];
    const openPaths = new Set(open.map(({ path }) => path));
    const published: PublishedDiagnostics[] = open.map(({ uri, version, diagnostics }) => ({
      uri,
      version,
      diagnostics: diagnostics.map(sentDiagnostic),
    }));
    for (const [path, diagnostics] of found) {
      if (!openPaths.has(path))
        published.push({
          uri: uriOf(path),
          version: undefined,
          diagnostics: distinct(diagnostics).map(sentDiagnostic),
        });
    }
    const current = new Set(published.map(({ uri }) => uri));
    for (const uri of reported)
      if (!current.has(uri)) published.push({ uri, version: undefined, diagnostics: [] });
    reported = current;
    return published;
  };

  return {
    refresh: (documents, folders) => {
      const published = attempt(() => refreshAll(documents, folders));
      if (!(published instanceof Error)) return published;
      files = new Map();
      return documents
        .filter(({ uri }) => kinds.has(uri) || documentKind(pathOf(uri) ?? '', '') !== undefined)
        .map(({ uri, version }) => ({
          uri,
          version,
          diagnostics: [sentDiagnostic(unchecked(uri, published))],
        }));
    },
    file: (uri) => files.get(uri),
    runTests: ({ path }) => {
      const run = ports.test(testedFolder(path), texts);
      runs.set(testedFolder(path), run);
      return run;
    },
    testRun: ({ path }) => runs.get(testedFolder(path)),
    watched: () => watched,
  };
}

/** The `.policy` folder that a file lies in, whose tests may be above it, else its own. */
function testedFolder(path: string): string {
  const project = projectOf(path);
  return project === undefined ? dirname(path) : join(project, '.policy');
}

interface Opened extends Pick<OpenFile, 'uri' | 'version' | 'text' | 'path'> {
  /** False for a file that is not on the disk, or no longer. */
  readonly isSaved: boolean;
}

/** None for what is no file, such as a text that was never saved. */
function openedDocument(document: TextDocument, { realPath }: ServerPorts): readonly Opened[] {
  const { uri, version } = document;
  const written = pathOf(uri);
  if (written === undefined) return [];
  const path = realPath(written);
  return [{ uri, version, text: document.getText(), path: path ?? written, isSaved: path !== undefined }];
}

type Check = (place: SetPlace) => CheckedSet | Error;

function createCheck(ports: ServerPorts, open: ReadonlyMap<string, string>): Check {
  const done = new Map<string, CheckedSet | Error>();
  return (place) => child(done, JSON.stringify(place), () => attempt(() => ports.check(place, open)));
}

/** The policies among which a file is checked: those that apply where it lies, if it is one of them. */
function placeOf(
  { path, isSaved }: Opened,
  kind: 'policy' | 'test',
  folders: readonly string[],
  check: Check,
): SetPlace {
  const project = projectOf(path);
  if (project !== undefined) return { named: [], directory: project };
  const directory = folders.find((folder) => isInside(path, folder)) ?? dirname(path);
  if (kind === 'test') return { named: [dirname(path)], directory };
  const around = { named: [], directory };
  if (!isSaved) return around;
  const set = check(around);
  return !(set instanceof Error) && set.compiled.paths.has(path) ? around : { named: [path], directory };
}

/** Findings that the check of the set leaves out: those in a test, and in a file that is in no set. */
function ownFindings(
  { path, text }: Opened,
  kind: 'policy' | 'test',
  set: CheckedSet | Error,
): readonly Diagnostic[] {
  const found = set instanceof Error ? set : attempt(() => findingsAlone(path, text, kind, set));
  return found instanceof Error ? [unchecked(path, found)] : found;
}

function unchecked(file: string, { message }: Error): Diagnostic {
  return problem('file', startOf(file), `Cannot check the file: ${message}`);
}

function findingsAlone(
  path: string,
  text: string,
  kind: 'policy' | 'test',
  { compiled }: CheckedSet,
): readonly Diagnostic[] {
  if (kind === 'test') {
    const parsed = parseTestFile(text, path);
    return parsed.ok ? [] : parsed.diagnostics;
  }
  if (compiled.paths.has(path)) return [];
  // If there are too many policies, those that were left out are not fine.
  const tooMuch = compiled.diagnostics.filter(({ code }) => code === 'limit');
  return [
    ...tooMuch.map((diagnostic) => ({ ...diagnostic, position: startOf(path) })),
    ...parsePolicyFile(text, path, 'policy').diagnostics,
  ];
}

/** A defect must be seen at the file that shows it, and must not end the server. */
function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}
